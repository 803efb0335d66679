"""Names in writing systems without capitals (Han, Kana, Hangul, Arabic, Hebrew, Devanagari, Thai), and in Cyrillic.

In these scripts shape says nothing, so a name is believed for a cue in its own language, for words that only
names have (particles, titles, family names), or for the place in a sentence of Latin letters where it stands.
"""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.names import east_asian
from winnow.curation.sanitize.names.cues import hints_person, says_person
from winnow.curation.sanitize.names.east_asian import HAN, HANGUL, KANA
from winnow.curation.sanitize.names.hit import NameHit

_ARABIC = "\u0620-\u065f\u066e-\u06d3\u06fa-\u06ff"
_INDIC = "\u0900-\u0963\u0971-\u097f\u200c\u200d"
_OTHER = "\u0590-\u05ff\u0e01-\u0e4e"
_CYRILLIC = "\u0400-\u052f"
FOREIGN = re.compile(f"[{HAN}{KANA}{HANGUL}{_ARABIC}{_INDIC}{_OTHER}{_CYRILLIC}]{{2}}")
"""Where a segment may hold a name that is not in Latin letters."""

_ISLAND = re.compile(
    rf"""(?x) (?P<asian>[{HAN}{KANA}]{{1,12}}(?:[ \u3000・][{HAN}{KANA}]{{1,8}})?)
      | (?P<korean>[{HANGUL}]{{2,10}}(?:[ ][{HANGUL}]{{1,8}}){{0,2}})
      | [{_ARABIC}]{{2,16}}(?:[ ][{_ARABIC}]{{1,16}}){{0,5}}
      | [{_INDIC}]{{2,20}}(?:[ ’'-][{_INDIC}]{{1,20}}){{0,4}}
      | [{_OTHER}]{{2,20}}(?:[ ][{_OTHER}]{{2,20}}){{0,4}}"""
)
_MOST_WORDS = 6
_CUE = re.compile(
    r"""(?x) (?: اسمي|أنا|السيد|السيدة|الدكتور|الدكتورة|المهندس|المهندسة|الأستاذ|الأستاذة|الآنسة
      | मेरा[ ]नाम|श्री|श्रीमती|डॉ\.?|डॉक्टर|सुश्री|नमस्ते|@ ) [ ]? \Z"""
)
_TELLING = re.compile(
    r"""(?x) (?:^|[ ])(?: بن|ابن|بنت|آل|عبد\w{0,8}|أبو|أم|محمد|أحمد|احمد|علي|حسن|حسين|خالد|فاطمة|عائشة|مريم|السيد|السيدة
      | الدكتور|الدكتورة|المهندس|المهندسة|الأستاذ|الأستاذة|الآنسة | श्री|श्रीमती|डॉ|सुश्री )(?=[ .]|$)
      | (?: शर्मा|सिंह|कुमार|कुमारी|गुप्ता|वर्मा|पटेल|यादव|देवी|मिश्रा|खान|जोशी|राव|रेड्डी|मेहता|शाह|जी )(?=[ ]|$)"""
)
_QUOTES = frozenset("'\"“«`")
_UP, _LOW = "А-ЯЁІЇЄҐ", "а-яёіїєґ"
_RUSSIAN_WORD = rf"[{_UP}][{_LOW}'’]{{1,30}}(?:-[{_UP}][{_LOW}]{{1,30}})?"
_RUSSIAN = re.compile(
    rf"(?<![\w.]){_RUSSIAN_WORD}(?:[ ](?:[{_UP}]\.[ ]?){{0,2}}{_RUSSIAN_WORD}){{0,3}}(?!\w)"
)
_PATRONYMIC = re.compile(r"(?:ович|евич|ьич|овна|евна|ична|инична)(?:а|у|ем|ом|е|ы|ой)?(?=[ ]|$)")
_SURNAME = re.compile(
    r"""(?x) (?: ов|ев|ёв|ин|ын|ский|цкий|ской|ова|ева|ёва|ина|ына|ская|цкая|енко|чук|юк|ян|швили|дзе|ук )
      (?:а|у|ым|ом|е|ой|ую)? (?=[ ]|$)"""
)
_INTRODUCED = re.compile(
    r"""(?xi) (?: меня[ ]зовут|мо[её][ ]имя|это|я[ ][—-]|господин|госпожа|уважаем\w{2,4}|дорог\w{2,4}
      | здравствуйте,?|привет,?|автор:?|от|для|у|с ) [ ] \Z"""
)


def find(text: str) -> Iterator[NameHit]:
    """Hits in ascending order within each script."""
    for match in _RUSSIAN.finditer(text):
        if _is_russian_name(text, *match.span()):
            yield NameHit(*match.span(), "person", 0.8)
    for match in _ISLAND.finditer(text):
        start, end = match.span()
        latin = among_latin(text, start, end)
        if match["asian"]:
            yield from east_asian.find(text, start, end, latin)
        elif match["korean"]:
            yield from east_asian.find_korean(text, start, end, latin)
        elif _is_name(text, start, end, latin):
            yield NameHit(start, end, "person", 0.75)


def may_hold_island(text: str) -> bool:
    """Whether a few words of another script stand among Latin letters: a name, or a quotation."""
    return any(among_latin(text, *match.span()) for match in _ISLAND.finditer(text))


def among_latin(text: str, start: int, end: int) -> bool:
    """Whether most letters around are Latin, or there are none."""
    letters = [c for c in text[max(0, start - 24) : start] + text[end : end + 24] if c.isalpha()]
    return sum(c.isascii() for c in letters) * 2 > len(letters)


def _is_russian_name(text: str, start: int, end: int) -> bool:
    run = text[start:end]
    introduced = _INTRODUCED.search(text[max(0, start - 32) : start]) is not None
    if " " in run:
        known = _PATRONYMIC.search(run) or _SURNAME.search(run)
        return bool(known) or introduced or says_person(text, start, end)
    if introduced:
        return _SURNAME.search(run) is not None
    return among_latin(text, start, end) and says_person(text, start, end)


def _is_name(text: str, start: int, end: int, latin: bool) -> bool:
    run = text[start:end]
    words = run.count(" ") + 1
    if words > _MOST_WORDS:
        return False
    if not latin:
        return _CUE.search(text[max(0, start - 12) : start]) is not None
    quoted = text[start - 1 : start] in _QUOTES
    if _TELLING.search(run) or (2 <= words <= 4 and not quoted):
        return True
    return says_person(text, start, end) or hints_person(text, start, end)
