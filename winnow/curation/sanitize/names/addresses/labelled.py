"""Addresses beside a label: `Address: …`, `Anschrift: …`, `地址：…`."""

import re
from collections.abc import Iterator

_LABEL = re.compile(
    r"""(?xi) (?<![\w.-])(?<!ip[ ])(?<!mail[ ])(?<!mac[ ])(?<!web[ ])
      (?: (?:(?:postal|home|street|billing|shipping|delivery|mailing|residential|work|office|current|permanent)[ _-])?
        address
      | adresse | anschrift | wohnhaft[ ]in | direcci[óo]n | domicilio | indirizzo | endereço | adres | адрес | 地址
      | 住址 | 住所
      | العنوان | पता ) ["']? [ \t]{0,2} (?:[:=：][ \t]{0,4}|[ ]is[ ]) ["']?"""
)
_PARTS_TEXT = """
ddress DDRESS dresse nschrift ohnhaft irecci omicilio ndirizzo ndereço dres дрес 地址 住 عنوان पता
"""
_PARTS = _PARTS_TEXT.split()
_VALUE = re.compile(r"[^\W_][^\n\"<>{}\[\]=@|;:]{5,120}")
_VALUE_END = re.compile(
    r"\.(?=[ ][A-Z][a-z]{1,30}[ ][a-z])|['`]|[ ](?:and|when|if|is|for|where|which|since)[ ]|\.\Z"
)
_NUMBER = re.compile(r"(?<![\w.:])\d{1,5}[a-zA-Z]?(?:[/-]\d{1,4})?(?![\w.:])")
_PLACE = re.compile(r"[^\W\d_a-zA-Z]|[A-Z][a-z]{2}")


def find(text: str) -> Iterator[tuple[int, int, float]]:
    """The value up to the end of its sentence or line, where it has a number and a name: (start, end, confidence)."""
    if not any(part in text for part in _PARTS):
        return
    for label in _LABEL.finditer(text):
        match = _VALUE.match(text, label.end())
        if match is not None:
            value = _VALUE_END.split(match.group(), maxsplit=1)[0].rstrip(" .,")
            if " " in value and _NUMBER.search(value) and _PLACE.search(value):
                yield match.start(), match.start() + len(value), 0.85
