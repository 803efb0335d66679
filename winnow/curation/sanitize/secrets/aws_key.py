"""Keys of Amazon Web Services: the access key id by its form, the secret key by the name it is assigned to.

Policy, not redacted: the keys of Amazon's manuals (they hold EXAMPLE) and rows of one letter X.
"""

from winnow.curation.sanitize.detector import Detector, pattern


def _is_real(value: str) -> bool:
    return "EXAMPLE" not in value.upper() and set(value[4:]) != {"X"}


_NAMED = (
    r"(?i:aws\w{0,24}?secret\w{0,24}|secret_?access_?key)"
    r"[\\\"'\s]{0,6}(?::=|=>|[:=,>])[\\\"'\s]{0,6}"
    r"(?P<value>(?:[A-Za-z0-9+]|\\?/){40})(?![A-Za-z0-9+/=])"
)

AWS_ACCESS_KEY = Detector(
    "aws_key",
    "access_key_id",
    ("AKIA", "ASIA", "ABIA", "ACCA"),
    pattern(r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    _is_real,
)
AWS_SECRET_KEY = Detector(
    "aws_key", "secret_by_name", ("secret", "SECRET", "Secret"), pattern(_NAMED, "value"), _is_real
)
