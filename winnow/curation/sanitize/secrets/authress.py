"""Access keys of Authress service clients."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

AUTHRESS_KEY = known_shape(
    "authress_key",
    (".acc_", ".acc-"),
    r"(?<![A-Za-z0-9_])(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
)
