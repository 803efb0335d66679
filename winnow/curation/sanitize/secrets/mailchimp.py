"""Keys of Mailchimp: 32 characters and the data centre."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

MAILCHIMP_KEY = known_shape(
    "mailchimp_key",
    ("-us",),
    r"(?<![A-Za-z0-9])[0-9a-z]{32}-us[0-9]{1,2}(?![A-Za-z0-9])",
    trigger=r"[0-9a-z]{32}-us[0-9]",
)
