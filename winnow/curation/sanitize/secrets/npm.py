"""Access tokens of npm."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

NPM_TOKEN = known_shape(
    "npm_token",
    ("npm_",),
    START + r"npm_[A-Za-z0-9]{36}",
    least=10,
)
