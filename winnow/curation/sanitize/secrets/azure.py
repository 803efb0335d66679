"""Keys of Microsoft Azure: account keys, client secrets, signatures of shared access, DevOps tokens.

Newer keys carry a mark of the service in their last characters (`+ASt` for storage, `JQQJ99` for the others).
"""

from winnow.curation.sanitize.secrets.assignment import either_case
from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape, varied_body

AZURE_ACCOUNT_KEY = known_shape(
    "azure_account_key",
    ("AccountKey", "accountKey", "account_key", "ACCOUNT_KEY"),
    r"(?i:account_?key)[\"']?[ \t]{0,3}[=:][ \t\"']{0,4}([A-Za-z0-9+/]{86}==)",
    group=1,
    trigger=either_case("account")
    + "_?"
    + either_case("key")
    + r"[\"']?[ \t]{0,3}[=:][ \t\"']{0,4}[A-Za-z0-9+/]{20}",
)
AZURE_SHARED_ACCESS_KEY = known_shape(
    "azure_shared_access_key",
    ("SharedAccessKey", "sharedAccessKey"),
    r"(?i:shared_?access_?(?:signature_?)?key)[\"']?[ \t]{0,3}[=:][ \t\"']{0,4}([A-Za-z0-9+/]{42,86}={1,2})",
    group=1,
    trigger=either_case("access")
    + "_?(?:"
    + either_case("signature")
    + "_?)?"
    + either_case("key")
    + r"[\"']?[ \t]{0,3}[=:][ \t\"']{0,4}[A-Za-z0-9+/]{20}",
)
AZURE_MARKED_KEY = known_shape(
    "azure_marked_key",
    ("+ASt", "+ACR", "+ACDb", "AzSe", "AzFu", "+AIoT", "+ABa", "+AMC", "+AEh", "APIM", "JQQJ99", "AZDO"),
    r"(?<![A-Za-z0-9+/])(?:"
    r"[A-Za-z0-9+/]{74,76}\+(?:ASt|ABa|AMC)[A-Za-z0-9+/]{5,8}={0,2}|[A-Za-z0-9+/]{42}\+ACR[A-D][A-Za-z0-9+/]{5}"
    r"|[A-Za-z0-9+/]{33,74}\+?(?:ACDb|AIoT|AEh)[A-Za-z0-9+/]{5,8}={0,2}|[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}"
    r"|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}"
    r"|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9+/])",
    accept=drawn,
    trigger=r"[A-Za-z0-9+/_-]{33}\+?(?:ASt|ABa|AMC|ACR[A-D]|ACDb|AIoT|AEh|AzSe[A-D]|AzFu|JQQJ99|AZDO)[A-Za-z0-9+/_-]{4}",
)
AZURE_CLIENT_SECRET = known_shape(
    "azure_client_secret",
    ("Q~",),
    r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])",
    accept=varied_body(12),
    trigger=r"[0-9]Q~[A-Za-z0-9_~.-]{31}",
)
AZURE_SAS = known_shape(
    "azure_sas_signature",
    ("sig=",),
    r"(?:[?&;]|&amp;|\\u0026|%26)sig=((?:[A-Za-z0-9+/]|%2[BbFf]){43}(?:={1}|%3[Dd]))",
    group=1,
    trigger=r"sig=[A-Za-z0-9%+/]{20}",
)
