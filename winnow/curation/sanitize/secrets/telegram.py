"""Tokens of Telegram bots: the number of the bot, a colon, 35 characters."""

from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape

TELEGRAM_TOKEN = known_shape(
    "telegram_bot",
    (),
    r"(?:(?<![A-Za-z0-9_-])|(?<=bot))[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])",
    accept=drawn,
    trigger=r"[0-9]{8}:[A-Za-z0-9_-]{35}",
    confidence=0.95,
)
