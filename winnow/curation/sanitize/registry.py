"""The detectors in the order that breaks ties."""

from winnow.curation.sanitize.aws_key import AWS_ACCESS_KEY, AWS_SECRET_KEY
from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.email import EMAIL
from winnow.curation.sanitize.github_token import GITHUB_FINE_GRAINED, GITHUB_TOKEN
from winnow.curation.sanitize.jwt import JWT
from winnow.curation.sanitize.private_key import PRIVATE_KEY
from winnow.curation.sanitize.user_path import POSIX_HOME, WINDOWS_HOME
from winnow.curation.sanitize.webhook_url import DISCORD_WEBHOOK, SLACK_WEBHOOK

DETECTORS: tuple[Detector, ...] = (
    PRIVATE_KEY,
    AWS_ACCESS_KEY,
    AWS_SECRET_KEY,
    GITHUB_TOKEN,
    GITHUB_FINE_GRAINED,
    JWT,
    SLACK_WEBHOOK,
    DISCORD_WEBHOOK,
    EMAIL,
    POSIX_HOME,
    WINDOWS_HOME,
)
