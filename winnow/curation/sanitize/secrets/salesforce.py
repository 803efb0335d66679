"""Sessions and refresh tokens of Salesforce: the id of the organisation, a bang, the secret."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

SALESFORCE_TOKEN = known_shape(
    "salesforce_session",
    ("00D",),
    r"(?<![A-Za-z0-9])00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,260}",
    trigger=r"00D[A-Za-z0-9]{12,15}!",
)
SALESFORCE_REFRESH = known_shape(
    "salesforce_refresh",
    ("5Aep861",),
    r"5Aep861[A-Za-z0-9._]{40,100}",
)
