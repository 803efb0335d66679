"""What follows the street in an address: flat, district, town, postcode, country, on the same line or the next."""

import re

from winnow.curation.sanitize.names.shapes import MARKS

_LETTER = rf"(?:[^\W\d_]|[{MARKS}])"
WORD = rf"(?:(?:St|Ste|Sta|Sto|Mt|Ft|Pt|Dr|[A-Z])\.|[^\W\d_a-z]{_LETTER}{{0,30}}+(?:['’.-]{_LETTER}{{1,30}}+){{0,3}})"
"""A word of a place name: a capital first, or a letter of a script without capitals."""
_NAME = rf"{WORD}(?:[ ](?:[^\W\d_]{{1,3}}[ ]){{0,2}}{WORD}){{0,4}}"
_STATE = (
    "A[KLRSZ]|C[AOT]|D[CE]|F[LM]|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEHINOPST]|N[CDEHJMVY]|O[HKR]|P[ARW]|RI|S[CD]|T[NX]|UT"
    "|V[AIT]|W[AIVY]|AB|BC|MB|N[BLSTU]|ON|PE|QC|SK|YT|ACT|NSW|QLD|TAS|VIC|SA|A[AEP]"
)
_BRITISH = r"[A-Z]{1,2}\d[A-Z\d]?[ ]?\d[A-Z]{2}"
_CANADIAN = r"[A-Z]\d[A-Z][ ]?\d[A-Z]\d"
_SURE = re.compile(
    rf"""(?x) (?:{_NAME},?[ ])? (?:{_STATE}),?[ ] (?:\d{{5}}(?:-\d{{4}})?|{_CANADIAN}|\d{{4}}) (?![\w-])
      | (?:{_NAME}[ ,]{{1,2}})? (?:{_BRITISH}|{_CANADIAN}) (?!\w)"""
)
"""Postcodes like nothing else: American, Canadian and Australian with their states, British."""
_TOWN = re.compile(
    rf"""(?x) (?:[A-Z]{{1,3}}-)? (?: \d{{5}}-?\d{{3}} | \d{{2}}-\d{{3}} | \d{{3}}[ ]\d{{2}}
        | \d{{4,6}}(?:[ ]?[A-Z]{{2}}(?!\w))? ) ,?[ ]?\n? (?<!\d)
        (?:(?:da|das|do|dos|de|di|la|le|el|al)[ ]){{0,2}} {_NAME}
        (?: [ ]/[ ][A-Z]{{2}} | [ ]\([A-Z]{{2}}\) | ,?[ ][A-Z]{{2}}(?!\w) )?
      | {_NAME}(?:[ ]\({_LETTER}{{2,20}}\))?,?[ -] (?:\d{{4}}-\d{{3}}|\d{{5}}-\d{{3}}|\d{{5,6}}) (?![\w-])
      | \d{{5,6}}(?![\w-])"""
)
"""Postcodes that are mere digits beside a town: continental, Brazilian, Indian, Russian."""
_CHUNK = re.compile(rf"[^\W_](?:[^\W_]|[ .'’()/#º{MARKS}-]){{0,38}}")
_JOINT = re.compile(r"[ \t]{0,3}(?:,[ \t]{0,2}\n?|;|\n)[ \t#*/]{0,8}(?:,[ ]?)?|[ ](?=\d{5}[ ]|[A-Z]{1,2}\d)")
_COUNTRY = re.compile(
    r"""(?x) (?:,[ ]|,?\n[ \t]{0,8}) (?: USA|U\.S\.A\.|United[ ]States|United[ ]Kingdom|UK|England|Scotland|Wales
      | Ireland|Canada|Australia|Germany|Deutschland|France|España|Spain|Italia|Italy|Polska|Poland|Brasil|Brazil
      | Nederland
      | Netherlands|Österreich|Austria|Schweiz|Switzerland|Belgium|Portugal|Sweden|Norway|Denmark|Finland|India|Japan
      | China|Россия ) (?!\w)"""
)
_UNIT = re.compile(
    r"""(?xi) [ \t]{0,2},?[ \t]{0,2}
      (?: (?: apt|apartment|appartamento|suite|ste|unit|flat|floor|fl|room|rm|building|bldg|piso|puerta|piano|interno
      | scala|apto|bloco|kv|kw|m|lok|depto ) \b\.?[ ]? | \#[ ]? ) [\dA-Z][\w-]{0,5}(?!\w)
      | [ \t]{0,2},?[ ](?:кв|к|стр|корп)\.?[ ]?\d{1,4}(?:/\d{1,3})? | [ ]?,?[ ]\d{1,3}[ºª°](?:[ ]?[A-Z]\b)?"""
)
_STOPS = (":", "@", "=", "_", "[")
_MOST_UNITS = 3
_MOST_CHUNKS = 5


def units(text: str, at: int) -> int:
    """The end of flats, floors and suites that follow."""
    for _ in range(_MOST_UNITS):
        match = _UNIT.match(text, at)
        if match is None and (joint := _JOINT.match(text, at)):
            match = _UNIT.match(text, joint.end())
        if match is None:
            break
        at = match.end()
    return at


def sure_tail(text: str, at: int) -> int | None:
    """The end of a postcode and its town that follow within a few lines, where its form is like nothing else."""
    return _tail(text, at, _SURE)


def town_tail(text: str, at: int) -> int | None:
    """The same, also for postcodes that are mere digits beside a town."""
    return _tail(text, at, _SURE) or _tail(text, at, _TOWN)


def _tail(text: str, at: int, code: re.Pattern[str]) -> int | None:
    for _ in range(_MOST_CHUNKS):
        joint = _JOINT.match(text, at)
        if joint is None:
            return None
        found = code.match(text, joint.end())
        if found is not None:
            country = _COUNTRY.match(text, found.end())
            return country.end() if country else found.end()
        chunk = _CHUNK.match(text, joint.end())
        if chunk is None or text[chunk.end() : chunk.end() + 1] in _STOPS:
            return None
        at = chunk.start() + len(chunk.group().rstrip())
    return None
