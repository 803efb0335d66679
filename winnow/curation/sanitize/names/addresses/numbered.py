"""Addresses that begin with a number: 12 Main Street; 5 bis, rue de la Paix; Flat 3, 7 Acacia Road; P.O. Box 12."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.names.addresses.tail import WORD, sure_tail, town_tail, units
from winnow.curation.sanitize.names.words import kind

_PART = rf"(?:{WORD}|\d{{1,3}}(?:st|nd|rd|th))"
_NUMBER = r"(?<![\w.,:/$€£#%+=-])\d{1,5}(?:[A-Za-z](?!\w)|[ ]?bis|[ ]?ter)?(?:[/-]\d{1,4}[A-Za-z]?)?"
_SPOT = re.compile(r"\d[\d/A-Za-z-]{0,10},?[ ](?:bis,?[ ]|ter,?[ ])?[^\W\d_a-z]")
_ENGLISH = re.compile(
    rf"""(?x) {_NUMBER}[ ](?:[NSEW]{{1,2}}\.?[ ])?(?:{_PART}[ ]){{1,4}}
      (?: (?P<sure> Street|Avenue|Road|Boulevard|Lane|Crescent|Mews|Terrace|Parkway|Highway|Ave|Rd|Blvd|Ln|Hwy|Pkwy
        |Cres|Close|Gardens|Grove|Hill )
      | St|Dr|Drive|Way|Court|Ct|Place|Pl|Square|Sq|Walk|Circle|Cir|Trail|Trl|Alley|Plaza|Loop|Turnpike|Row|Route
        |View|Park|Quay|Wharf ) \b(?!-)\.? (?:[ ][NSEW]{{1,2}}(?!\w))?"""
)
_FRENCH_WORD = (
    "rue|avenue|av\\.|boulevard|bd|chemin|impasse|allée|place|quai|route|cours|passage|square|sentier"
)
_OF = r"(?:(?:de[ ]la|de[ ]l['’]|des|du|de|d['’]|la|le|les|à)[ ]?){0,2}"
_FRENCH_STREET = (
    rf"(?i:{_FRENCH_WORD})[ ]{_OF}{WORD}(?:[ -](?:(?:de|du|des|la|le|et|sur)[ -]){{0,2}}{WORD}){{0,4}}"
)
_FRENCH = re.compile(rf"(?:(?P<number>{_NUMBER}),?[ ]|(?<!\w)){_FRENCH_STREET}")
_FRENCH_TEXT = tuple(f"{word} " for word in _FRENCH_WORD.replace("\\", "").split("|"))
_ANY = re.compile(
    rf"""(?x) {_NUMBER}(?:[ ]\d{{1,5}})?[ ]{WORD}
      (?:[ ](?:(?:de|da|do|di|du|of|van|von|der|den|the|la|le|el|al)[ ]){{0,2}}
        (?!(?:Apt|Apartment|Suite|Ste|Unit|Floor|Room)\b){WORD}){{0,4}}
      (?:[ ]\d{{1,4}}[A-Za-z]?(?!\w|\.\d))?"""
)
_FLAT = re.compile(r"(?:Flat|Studio|Unit|Apartment|Level|Suite|Room)[ ][\dA-Z]\w{0,4}")
_FLAT_TEXT = ("Flat ", "Studio ", "Unit ", "Apartment ", "Level ", "Suite ", "Room ")
_FLAT_BEFORE = re.compile(rf"{_FLAT.pattern}(?:,[ ]?\n?|\n|[ ])[ \t#*/]{{0,8}}\Z|(?<![\w.,:-])\d{{1,5}}[ ]\Z")
_LIVED = re.compile(
    r"""(?xi) (?: liv(?:es?|ed|ing)[ ]at | resid(?:es?|ed|ing)[ ]at | located[ ]at | address[ ]is | address:
      | ship(?:ped)?[ ]to | deliver(?:ed)?[ ]to | visit[ ](?:us|me)[ ]at | (?:home|house|office)[ ]at | moved[ ]to
      | send[ ]it[ ]to ) [ \n]\Z"""
)
_BOX = re.compile(
    r"""(?x) \b(?:P\.?[ ]?O\.?[ ]?Box|Post[ ]Office[ ]Box|Postfach|Apartado|Casilla)[ ]\d{1,6}\b
      | \b(?:(?:PSC|CMR|Unit)[ ]\d{1,5},?[ ]Box[ ]\d{1,5}|US(?:NS|NV|S|CGC)[ ][A-Z][a-z]{2,20})
        ,?\s[AFD]PO[ ]A[AEP][ ]\d{5}"""
)
_DATE = re.compile(
    r"""(?xi) \d{1,4}(?:st|nd|rd|th)?[ ](?: jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?
      | sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)? ) \b"""
)


def find(text: str) -> Iterator[tuple[int, int, float]]:
    """(start, end, confidence) in ascending order within each form."""
    if _SPOT.search(text):
        for match in _ENGLISH.finditer(text):
            yield from _english(text, match)
        for match in _ANY.finditer(text):
            yield from _any(text, match)
    if any(word in text for word in _FLAT_TEXT):
        for match in _FLAT.finditer(text):
            if tail := sure_tail(text, match.end()):
                yield match.start(), tail, 0.9
    if any(word in text for word in _FRENCH_TEXT):
        for match in _FRENCH.finditer(text):
            yield from _french(text, match)
    if "ox " in text or "PO " in text or "ostfach" in text or "partado" in text or "asilla" in text:
        for match in _BOX.finditer(text):
            yield match.start(), town_tail(text, match.end()) or match.end(), 0.85


def _english(text: str, match: re.Match[str]) -> Iterator[tuple[int, int, float]]:
    start, end = _start(text, match.start()), units(text, match.end())
    tail = town_tail(text, end)
    sure = match["sure"] is not None and not _is_technical(match.group())
    if tail is not None or sure or end > match.end() or _is_lived(text, start):
        yield start, tail or end, 0.95 if tail else 0.85


def _french(text: str, match: re.Match[str]) -> Iterator[tuple[int, int, float]]:
    end = units(text, match.end())
    tail = town_tail(text, end)
    if match["number"] or tail:
        yield _start(text, match.start()), tail or end, 0.9


def _any(text: str, match: re.Match[str]) -> Iterator[tuple[int, int, float]]:
    """A number and names: an address only before a postcode, or where somebody is said to live."""
    if _DATE.match(match.group()):
        return
    start, end = _start(text, match.start()), units(text, match.end())
    tail = sure_tail(text, end)
    if tail is None and (end > match.end() or match.group()[-1].isdigit()):
        tail = town_tail(text, end)
    if tail is not None:
        yield start, tail, 0.9
    elif _is_lived(text, start):
        yield start, end, 0.75


def _is_technical(street: str) -> bool:
    words = re.findall(r"[^\W\d_]{3,}", street)[:-1]
    return bool(words) and all(kind(word) == "term" for word in words)


def _is_lived(text: str, start: int) -> bool:
    return _LIVED.search(text[max(0, start - 24) : start]) is not None


def _start(text: str, start: int) -> int:
    """Where the address begins, a flat before it included."""
    flat = _FLAT_BEFORE.search(text[max(0, start - 40) : start])
    return start - (len(flat.group()) if flat else 0)
