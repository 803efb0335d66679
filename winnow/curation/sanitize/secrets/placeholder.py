"""Values that stand where a secret would: examples of manuals, names of variables, templates, defaults.

Policy, not hidden: what says that it is an example, what a program fills in, what repeats or counts, and the
passwords that everyone knows because a product ships with them.
"""

import re
import string

from winnow.curation.sanitize.secrets.randomness import counts_up

_REFERENCE = re.compile(
    r"""
      \$(?:[A-Za-z_]\w*+(?:[.:\[/-].*+)?+ | \d+ | \(.*+ | \$.*+)    # shell, Make
    | \{%.*+ | <%.*+ | \{[\w.:!\[\]'"-]*+\}                        # Jinja, ERB, format fields
    | %\(?\w+\)?[sdr]? | %\w+%.*+                                  # printf, Windows
    | @\w+@ | !\w++[ ].*+ | !\w+ | &\w+ | \*\w+                   # Autoconf, YAML tags and anchors
    | <[^<>]*>? | \[[\w -]*\] | \(.*+ | `.*+                       # <your-key>, [token], calls
    | \.{2,}.*+ | \u2026.*+ | [*_.?-]+ | .*\.\.\. | .*\u2026
    """,
    re.VERBOSE | re.DOTALL,
)
_TEMPLATE = re.compile(r"\$\{|\{\{|#\{|\$\(|<%|[*]{3}|<[A-Za-z][\w -]{0,40}>|\{[A-Za-z_][\w.]{0,40}\}")
_SAYS_SO = re.compile(
    r"example|placeholder|change[_-]?(?:me|this|it)|replace[_-]?(?:me|this|with)|redacted|insert[_-]?(?:your|here)"
    r"|your[_-]|[_-]your|my[_-](?:secret|token|key|pass|api)|<your|dummy|(?:^|[_-])(?:fake|sample|todo|fixme)(?:[_-]|$)"
    r"|not[_-]?(?:a[_-])?(?:real|secret)|abcdefghijklmnop|0123456789abcdef|1234567890{0,1}12345",
    re.IGNORECASE,
)
_LONG = 400
"""From this length on, four equal letters in a row come by chance too often."""
_RUNS = re.compile(r"(.)\1{3,}", re.IGNORECASE | re.DOTALL)
_SHORT = 24
"""Length up to which words and counting alone tell that a value was written and not drawn."""
_WORDS = """
abc abcd admin administrator any apikey app asdf auth authtoken bar baz bearer blank changeit
changeme credential credentials default demo dev development disabled empty enabled false fake foo
foobar fubar guest hello here hidden hunter invalid key letmein local localhost login master
mypass mypassword mysecret mytoken myuser none null nil no off ok on optional pass passphrase
passw passwd password postgres prod production prompt public pw pwd qwerty random required root
sample secret secretkey secretpassword something spam stdin str string sudo supersecret system
temp test testing testpass testpassword testtoken text tiger tmp token topsecret true undefined
unknown unset user username value welcome world wrong x xx xxx yes your
"""
_KNOWN = frozenset(_WORDS.split())
_AROUND = re.compile(r"[\d\W_]+")
_EDGES = string.digits + string.punctuation
_LEET = str.maketrans("0134578$@!", "oieastbsai")


def is_reference(value: str) -> bool:
    """Whether something else supplies the value: a variable, a template, a call.

    >>> [is_reference(v) for v in ("${TOKEN}", "$1", "{{ key }}", "<your-key>", "%PASS%", "x$y")]
    [True, True, True, True, True, False]
    """
    return _REFERENCE.fullmatch(value) is not None or _TEMPLATE.search(value) is not None


def is_filler(value: str) -> bool:
    """Whether a value of a known shape holds what manuals put there, random as the rest may be.

    >>> is_filler("AKIAIOSFODNN7EXAMPLE"), is_filler("ghp_xxxxxxxxxx"), is_filler("sk_live_4eC39HqLyjWD")
    (True, True, False)
    """
    return _SAYS_SO.search(value) is not None or any(
        len(run.group()) >= (4 if run.group(1) in "xX*." else max(6, len(value) // 3))
        for run in _RUNS.finditer(value if len(value) < _LONG else "")
    )


_OURS = re.compile(r"<?[A-Z][A-Z_]*_(?:\d{1,9}|[0-9a-f]{12})>?")
"""What the sanitizer itself writes; a second run leaves it alone."""


def is_placeholder(value: str) -> bool:
    """Whether a value that a name calls secret is none.

    >>> [is_placeholder(v) for v in ("changeme", "password123", "P@ssw0rd", "xxxxxxxx", "12345678", "v7Tq-2mZ")]
    [True, True, True, True, True, False]
    """
    if _OURS.fullmatch(value):
        return True
    short = len(value) < _SHORT
    if is_reference(value) or is_filler(value) or len(set(value)) < 4 or (short and counts_up(value)):
        return True
    parts = [part for part in _AROUND.split(value.lower()) if part]
    leet = _AROUND.sub("", value.lower().strip(_EDGES).translate(_LEET))
    return not parts or (short and all(part in _KNOWN for part in parts)) or leet in _KNOWN
