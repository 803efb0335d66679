"""Access tokens of npm: by their prefix, and as .npmrc and `npm config set` give them for a registry."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape, varied_body

NPM_TOKEN = known_shape(
    "npm_token",
    ("npm_",),
    START + r"npm_[A-Za-z0-9]{36}",
    least=10,
)
NPM_REGISTRY_LOGIN = known_shape(
    "npm_registry_login",
    (":_authToken", ":_password", ":_auth"),
    r"//[A-Za-z0-9.:/_-]{3,200}:_(?:authToken|password|auth)[ \t]{0,3}[= ][ \t]{0,3}[\"']?"
    r"([A-Za-z0-9+/=_.-]{12,400}+)",
    group=1,
    accept=varied_body(8),
)
