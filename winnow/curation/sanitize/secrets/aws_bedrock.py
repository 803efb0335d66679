"""Keys of Amazon Bedrock, whose base64 begins with the name of the service, and of Marketplace Web Service."""

from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape

BEDROCK_KEY = known_shape(
    "aws_bedrock_long_lived",
    ("ABSK",),
    r"(?<![A-Za-z0-9+/])ABSK[A-Za-z0-9+/]{100,280}={0,2}",
)
BEDROCK_SESSION = known_shape(
    "aws_bedrock_short_lived",
    ("bedrock-api-key-",),
    r"bedrock-api-key-[A-Za-z0-9+/=_-]{20,4000}",
    accept=drawn,
)
AWS_MWS_TOKEN = known_shape(
    "aws_mws_token",
    ("amzn.mws.",),
    r"amzn\.mws\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
)
