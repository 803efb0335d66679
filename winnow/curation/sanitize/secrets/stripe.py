"""Keys of Stripe: secret and restricted keys, live and test, and the secrets that sign webhooks."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

STRIPE_KEY = known_shape(
    "stripe_key",
    ("sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_", "rk_prod_", "sk_org_", "rk_org_"),
    r"[rs]k_(?:live|test|prod|org_live|org_test)_[A-Za-z0-9]{10,250}",
    least=6,
)
STRIPE_WEBHOOK_SECRET = known_shape(
    "stripe_webhook_secret",
    ("whsec_",),
    r"whsec_[A-Za-z0-9+/]{24,128}={0,2}",
)
