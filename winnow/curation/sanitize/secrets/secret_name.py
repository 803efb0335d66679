"""Which names of variables, keys and options say that their value is secret, and how surely."""

import re
from typing import Literal

Kind = Literal["password", "secret", "key", "weak"]
"""What a value has to look like: chosen by a person, drawn, drawn and long, or drawn in mixed case."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_QUALIFIER_WORDS = """
assign base base64 compare content current default dev development e2e encoded env eq equal equals example exp
global hex live local main new old plain plaintext prev previous prod production qa raw sandbox set staging str
string temp test text tmp unencrypted val value var
"""
_QUALIFIERS = frozenset(_QUALIFIER_WORDS.split())
_PASSWORDS = ("password", "passwd", "passphrase", "passcode", "pwd", "passwort", "kennwort", "senha", "pswd")
_SHORT_PASSWORDS = frozenset({"pass", "pw", "psw", "passw"})
_PASSES_WORDS = """
all backward bi by bypass compiler compress does error first forward full llvm low multi next not one optimization
per render second single skip third two
"""
_NO_PASS = frozenset(_PASSES_WORDS.split())
_SECRETS = (
    "secret secrets secretkey apikey accesskey authkey privatekey encryptionkey signingkey masterkey "
    "credential credentials creds token authtoken accesstoken bearer"
)
_SECRET_ENDS = tuple(_SECRETS.split())
_KEY_OF_WORDS = """
access account admin aes api apps auth authorization cipher client consumer crypto decryption deploy encrypt encryption
hmac hmacsha256 integration jwt licence license master merchant private rest secret security server service session
shared sign signature signing storage subscription webhook write
"""
_KEY_OF = frozenset(_KEY_OF_WORDS.split())
_NO_KEY_WORDS = """
accesskey alt arrow as attr attribute block bucket by cache class col collection column composite config context data
dict dictionary element entry enter env event extra feature field file filter first for foreign form func function
given group hash header hot i18n idx index init input interface is item job json keyword kwarg label language last
layer layout localization localized lock locale lookup map match message meta metadata method missing model module
mon name natural next node object on only option order other output param parameter params parent part partition path
pivot plugin pointer prefix press primary property proto pub public query range ref reference registry relation
resource result right row schema search sequence series setting settings short sort source state store str string sub
table tag target task test text theme title to topic translation type unique up use value variable view with xml
"""
_NO_KEY = frozenset(_NO_KEY_WORDS.split())
_LEXED_WORDS = """
anti begin bos cancellation class cls comma continuation csrf cursor delta end eos first forgery
image last lex lexer mask next pad page pagination paging parse parser peek punctuation request sentinel sep special
start stop sync syntax unk word xsrf
"""
_NO_TOKEN = frozenset(_LEXED_WORDS.split())
_SAFE_TOKEN = frozenset({"change", "client", "idempotency", "lock"})
"""What callers make up so that a request counts once."""
_LONE = frozenset({"auth", "salt", "jwt", "cookie", "hmac"})


def kind_of(name: str) -> Kind | None:
    """The kind of secret that a name announces by its last words; None where it names something about one.

    >>> [kind_of(n) for n in ("DB_PASSWORD", "githubToken", "sumo_access_key", "key", "public_key", "token_url")]
    ['password', 'secret', 'secret', 'weak', None, None]
    """
    words = [word.lower() for word in _WORD.findall(name)]
    while len(words) > 1 and words[-1] in _QUALIFIERS:
        words.pop()
    if not words:
        return None
    head, before = words[-1], words[-2] if len(words) > 1 else ""
    if head.endswith(_PASSWORDS):
        return "password"
    if head in _SHORT_PASSWORDS:
        return None if before in _NO_PASS else "password"
    if head == "key":
        return _kind_of_key(before)
    if head.endswith(_SECRET_ENDS):
        if head == "token" and before in _NO_TOKEN:
            return None
        return "weak" if head == "token" and before in _SAFE_TOKEN else "secret"
    return "key" if head in _LONE or (head == "id" and before == "secret") else None


def _kind_of_key(before: str) -> Kind | None:
    if before in _KEY_OF or before.endswith(("api", "secret")):
        return "secret"
    if not before:
        return "weak"
    return None if before in _NO_KEY else "key"
