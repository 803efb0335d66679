"""Tokens of Slack: bot, user, app, configuration and the legacy kinds; a kind is one letter after `xox`."""

from winnow.curation.sanitize.secrets.known_shape import known_shape
from winnow.curation.sanitize.secrets.placeholder import is_filler


def _is_key(value: str) -> bool:
    """Kind aside, seven different characters, one of them a digit: `xoxb-your-token` has none."""
    body = value[5:]
    return len(set(body)) >= 7 and any(c.isdigit() for c in body) and not is_filler(body)


SLACK_TOKEN = known_shape(
    "slack_token",
    ("xox",),
    r"xox[abceoprs](?:[.-]xox[bp])?-[A-Za-z0-9]{1,200}(?:-[A-Za-z0-9]{1,200}){0,6}",
    accept=_is_key,
    trigger=r"xox[abceoprs][.-]",
)
SLACK_APP_TOKEN = known_shape(
    "slack_app",
    ("xapp-",),
    r"xapp-[0-9]-[A-Za-z0-9]{8,14}-[0-9]{8,14}-[A-Za-z0-9]{16,128}",
)
