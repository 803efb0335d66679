"""What opens a door: keys, tokens, passwords, and addresses that carry them."""

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.aws_key import AWS_ACCESS_KEY, AWS_SECRET_KEY
from winnow.curation.sanitize.secrets.github_token import GITHUB_FINE_GRAINED, GITHUB_TOKEN
from winnow.curation.sanitize.secrets.jwt import JWT
from winnow.curation.sanitize.secrets.private_key import PRIVATE_KEY
from winnow.curation.sanitize.secrets.webhook_url import DISCORD_WEBHOOK, SLACK_WEBHOOK

SECRETS: tuple[Detector, ...] = (
    PRIVATE_KEY,
    AWS_ACCESS_KEY,
    AWS_SECRET_KEY,
    GITHUB_TOKEN,
    GITHUB_FINE_GRAINED,
    JWT,
    SLACK_WEBHOOK,
    DISCORD_WEBHOOK,
)
