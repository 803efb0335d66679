"""IBM: keys of its cloud's access management, HMAC keys of object storage, SoftLayer and Cloudant.

None has a prefix, so each is told by the name that it is assigned to and its length.
"""

from winnow.curation.sanitize.secrets.assignment import ASSIGNS, either_case
from winnow.curation.sanitize.secrets.known_shape import known_shape
from winnow.curation.sanitize.secrets.placeholder import is_filler

_KEY = r"(?:(?:api[_-]?)?(?:key|pass(?:word|wd)?|pwd?|token|secret)|api)"
_END = r"(?![A-Za-z0-9_-])"
_KINDS = "|".join(map(either_case, ("api", "key", "pass", "pw", "token", "secret")))


def _is_real(value: str) -> bool:
    """Four different characters are enough: name and length have already said the rest."""
    return len(set(value)) >= 4 and not is_filler(value)


IBM_IAM_KEY = known_shape(
    "ibm_iam_key",
    ("ibm", "iam", "cloud"),
    rf"(?i:(?:ibm[_-]?)?(?:cloud[_-]?)?(?:iam|ibm|bluemix|cloud)[_-]?(?:cloud[_-]?)?(?:iam[_-]?)?{_KEY}){ASSIGNS}"
    rf"([A-Za-z0-9_-]{{44}}){_END}",
    group=1,
    accept=_is_real,
    trigger=f"(?:{either_case('ibm')}|{either_case('iam')}|{either_case('bluemix')}|{either_case('cloud')})[A-Za-z_-]{{0,16}}(?:{_KINDS})",
)
IBM_COS_HMAC = known_shape(
    "ibm_cos_hmac",
    ("secret",),
    rf"(?i:(?:ibm|cos|hmac|object[_-]?storage)[\w-]{{0,24}}?secret[_-]?(?:access[_-]?)?key|secret[_-]?access[_-]?key)"
    rf"{ASSIGNS}([0-9a-f]{{48}}){_END}",
    group=1,
    accept=_is_real,
    trigger=either_case("secret") + "[_-]?(?:" + either_case("access") + "[_-]?)?" + either_case("key"),
)
SOFTLAYER_KEY = known_shape(
    "softlayer_key",
    ("softlayer", "sl_"),
    rf"(?i:(?:softlayer|(?<![A-Za-z0-9])sl)[_-]?{_KEY}){ASSIGNS}([A-Za-z0-9]{{64}}){_END}",
    group=1,
    accept=_is_real,
    trigger=f"(?:{either_case('softlayer')}|{either_case('sl')})[_-]?(?:{_KINDS})",
)
SOFTLAYER_URL = known_shape(
    "softlayer_soap_url",
    ("api.softlayer.com/soap/",),
    r"api\.softlayer\.com/soap/v3(?:\.1)?/([A-Za-z0-9]{64})(?![A-Za-z0-9])",
    group=1,
    accept=_is_real,
)
CLOUDANT_KEY = known_shape(
    "cloudant_key",
    ("cloudant",),
    rf"(?i:(?:cloudant|(?<![A-Za-z0-9])cl(?:ou)?)[_-]?{_KEY}){ASSIGNS}([0-9a-f]{{64}}|[a-z]{{24}}){_END}",
    group=1,
    accept=_is_real,
    trigger=f"(?:{either_case('cloudant')}|{either_case('cl')}|{either_case('clou')})[_-]?(?:{_KINDS})",
)
