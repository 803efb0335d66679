"""Keys of OpenAI and of those who copied its prefix: project, service, admin and user keys, sessions, OpenRouter."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape
from winnow.curation.sanitize.secrets.placeholder import is_filler
from winnow.curation.sanitize.secrets.randomness import looks_random

_MARK = "T3BlbkFJ"
"""`OpenAI` in base64, in the middle of most of its keys."""
_KINDS = ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-service-", "sk-or-v1-")


def _is_key(value: str) -> bool:
    """A key with the mark or a kind is one as soon as it is varied; what only begins with `sk-` has to look drawn."""
    if value.startswith("sk-ant-"):
        return False
    marked = _MARK in value or value.startswith(_KINDS)
    return len(set(value)) >= 10 and not is_filler(value) and (marked or looks_random(value[3:], 20))


OPENAI_KEY = known_shape(
    "openai_key",
    ("sk-",),
    START + r"sk-(?:(?:proj|svcacct|admin|None|service|or-v1|lf|litellm)-)?[A-Za-z0-9_-]{20,250}",
    accept=_is_key,
    confidence=0.95,
)
OPENAI_SESSION = known_shape(
    "openai_session",
    ("sess-",),
    START + r"sess-[A-Za-z0-9]{40}",
    least=14,
)
