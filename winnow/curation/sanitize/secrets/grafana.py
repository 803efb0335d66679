"""Tokens of Grafana: service accounts, the cloud, and API keys, which are base64 of JSON with a key."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

GRAFANA_TOKEN = known_shape(
    "grafana_service_account",
    ("glsa_",),
    r"glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}",
)
GRAFANA_CLOUD = known_shape(
    "grafana_cloud",
    ("glc_",),
    r"glc_[A-Za-z0-9+/]{32,400}={0,3}",
)
GRAFANA_KEY = known_shape(
    "grafana_key",
    ("eyJrIjoi",),
    r"eyJrIjoi[A-Za-z0-9]{60,400}={0,3}",
    least=16,
)
