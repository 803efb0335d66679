"""Tokens of Mercado Pago."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

MERCADOPAGO_TOKEN = known_shape(
    "mercadopago_token",
    ("APP_USR-",),
    r"APP_USR-[0-9]{12,18}-[0-9]{6}-[0-9a-f]{32}(?:__[A-Z]{2}_[A-Z]{2}__)?-[0-9]{6,10}",
)
