"""Incoming webhooks: whoever has the URL can post. The placeholder URL of Slack's manual stays."""

from winnow.curation.sanitize.detector import Detector, pattern

_SLASH = r"\\?/"


def _is_real(url: str) -> bool:
    return len(set(url.rpartition("/")[2])) >= 5


SLACK_WEBHOOK = Detector(
    "webhook_url",
    "slack",
    ("hooks.slack",),
    pattern(
        rf"(?:https?:{_SLASH}{_SLASH})?hooks\.slack(?:-gov)?\.com{_SLASH}(?:services|workflows|triggers)"
        rf"(?:{_SLASH}[A-Za-z0-9]{{6,64}}){{2,5}}"
    ),
    _is_real,
)
DISCORD_WEBHOOK = Detector(
    "webhook_url",
    "discord",
    ("webhooks",),
    pattern(
        rf"(?:https?:{_SLASH}{_SLASH})?(?:ptb\.|canary\.)?discord(?:app)?\.com{_SLASH}api{_SLASH}"
        rf"(?:v\d{{1,2}}{_SLASH})?webhooks{_SLASH}\d{{15,21}}{_SLASH}[A-Za-z0-9_-]{{40,100}}"
    ),
)
