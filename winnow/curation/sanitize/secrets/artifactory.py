"""JFrog Artifactory: API keys, reference tokens (base64 of `reftkn`) and encrypted passwords."""

from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape, with_digits

ARTIFACTORY_KEY = known_shape(
    "artifactory_key",
    ("AKC",),
    r"(?<![A-Za-z0-9_+/-])AKC[A-Za-z0-9]{10,80}(?![A-Za-z0-9_+/-])",
    accept=with_digits,
)
ARTIFACTORY_REFERENCE = known_shape(
    "artifactory_reference",
    ("cmVmd",),
    r"(?<![A-Za-z0-9_+/-])cmVmd[A-Za-z0-9]{59}(?![A-Za-z0-9+/])",
    least=12,
)
ARTIFACTORY_PASSWORD = known_shape(
    "artifactory_password",
    ("AP",),
    r"""(?:(?<=[\s=:"'>(,])|(?<![\S\s]))AP[0-9A-F][A-Za-z0-9]{8,80}(?=[\s"'<),;]|$)""",
    accept=drawn,
    trigger=r"AP[0-9A-F][A-Za-z0-9]{8}",
    confidence=0.8,
)
