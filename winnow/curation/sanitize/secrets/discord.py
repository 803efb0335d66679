"""Tokens of Discord bots: the id of the bot in base64, a time, a signature; and of accounts with a second factor."""

from winnow.curation.sanitize.secrets.known_shape import START, drawn, known_shape

DISCORD_TOKEN = known_shape(
    "discord_bot",
    (),
    r"(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}",
    accept=drawn,
    trigger=r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}",
)
DISCORD_MFA = known_shape(
    "discord_mfa",
    ("mfa.",),
    START + r"mfa\.[A-Za-z0-9_-]{84}",
    least=16,
)
