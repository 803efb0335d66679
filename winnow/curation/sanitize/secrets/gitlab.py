"""Tokens of GitLab: one prefix a kind, the routable form with its two checksummed parts behind dots."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

GITLAB_TOKEN = known_shape(
    "gitlab_token",
    (
        "glpat-",
        "gldt-",
        "glft-",
        "glsoat-",
        "glrt-",
        "glrtr-",
        "glcbt-",
        "glimt-",
        "glptt-",
        "glagent-",
        "gloas-",
        "glffct-",
        "glwt-",
    ),
    r"(?:gl(?:pat|dt|ft|soat|rtr?|ffct|wt)-[A-Za-z0-9_-]{20,300}(?:\.[A-Za-z0-9]{2}\.?[A-Za-z0-9]{7,9})?"
    r"|glcbt-(?:[0-9a-fA-F]{1,5}_)?[A-Za-z0-9_-]{20,300}|glimt-[A-Za-z0-9_-]{25}(?![A-Za-z0-9_-])"
    r"|glptt-[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])|glagent-[A-Za-z0-9_-]{50,1024}|gloas-[A-Za-z0-9_-]{64}(?![A-Za-z0-9_-]))",
)
GITLAB_RUNNER = known_shape(
    "gitlab_runner_registration",
    ("GR1348941",),
    r"GR1348941[A-Za-z0-9_-]{20,50}",
)
GITLAB_SESSION = known_shape(
    "gitlab_session",
    ("_gitlab_session=",),
    r"_gitlab_session=([0-9a-f]{32})",
    group=1,
)
