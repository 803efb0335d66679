"""Addresses that begin with the street: Lindenstraße 5; Calle Mayor 3; Via Roma, 12; ул. Ленина, д. 5."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.names.addresses.tail import WORD, town_tail, units
from winnow.curation.sanitize.names.words import kind

_LINK = r"(?:(?:de|da|do|das|dos|del|della|delle|dei|di|la|las|los|le|el|y|e|i|san|św\.|gen\.|ks\.|al|im\.)[ ]){0,3}"
_NAME = rf"{_LINK}{WORD}(?:[ ]{_LINK}{WORD}){{0,4}}"
_HOUSE = r"(?:\d{1,5}(?:[ ]?[a-zA-Z](?!\w))?(?:[/-]\d{1,4}[a-zA-Z]?)?|s/n)(?![\w%]|\.\d)"

_SUFFIXES_TEXT = """
straße strasse Straße Strasse str. Str. weg Weg platz Platz allee Allee gasse Gasse ring Ring damm ufer chaussee steig
stieg straat laan plein gracht kade singel dreef steeg dijk baan boulevard hof pad gatan vägen gränd torget stigen gata
veien gade vej katu
"""
_SUFFIXES = _SUFFIXES_TEXT.split()
_SUFFIX = re.compile(rf"(?:{'|'.join(map(re.escape, _SUFFIXES))})[ ]{_HOUSE}")
_SUFFIX_TEXT = tuple(f"{suffix} " for suffix in _SUFFIXES)
_STEM = re.compile(rf"(?<![\w/])(?:{WORD}[ -]){{0,3}}[^\W\d_]{{0,24}}\Z")
_STEM_REACH = 72

_SURE_KINDS_TEXT = """
Calle C/ Avenida Avda Avda. Paseo Carretera Rua Travessa Praça Viale Piazza Piazzale Vicolo ul. ulica aleja aleje
osiedle
"""
_SURE_KINDS = _SURE_KINDS_TEXT.split()
_OTHER_KINDS_TEXT = """
Av. C. Cañada Plaza Camino Ronda Travesía Travesia Glorieta Cuesta Vial Pasaje Pasadizo Callejón Rambla Acceso
Urbanización Alameda R. Rodovia Estrada Largo Beco Ladeira Conjunto Setor Parque Jardim Favela Núcleo Vila
Viaduto Trevo Vereda Via Chácara Loteamento Passarela Residencial Sítio Recanto Quadra Área Distrito Colônia
Condomínio Feira Fazenda Esplanada Estação Campo Aeroporto Lago Lagoa Morro Pátio Vale Trecho Corso Strada
Contrada Borgo Incrocio Rotonda Canale Lungarno Salita Stretto al. os. pl. plac rondo
"""
_OTHER_KINDS = _OTHER_KINDS_TEXT.split()
_KINDS = [*_SURE_KINDS, *_OTHER_KINDS]
_KIND_TEXT = tuple(f"{word} " for word in _KINDS)
_BEFORE = re.compile(
    rf"(?<![\w/])(?P<kind>{'|'.join(map(re.escape, _KINDS))})[ ]{_NAME}(?P<house>,?[ ](?:n[º°.o]{{0,2}}[ ]?)?{_HOUSE})?"
)
_HAS_CYRILLIC = re.compile("[А-ЯЁ]")
_RUSSIAN = re.compile(
    r"""(?x) (?: \b(?:г|п|с|д|ст|клх|к|пос|дер|гор)\.?[ ][А-ЯЁ][\w-]{1,30}(?:[ ][А-ЯЁ\d][\w-]{0,30}){0,2},[ ] )?
      (?<!\w)(?:ул|улица|пр|просп|проспект|пр-кт|пер|переулок|наб|набережная|бул|бульвар|ш|шоссе|алл|аллея|пл|площадь)
      \.?[ ] \d{0,2}[ ]?(?:лет[ ])?[А-ЯЁ][\w.-]{1,30}(?:[ ][А-ЯЁ\d][\w.-]{0,30}){0,3} ,?[ ]
      (?:д\.?|дом)?[ ]?\d{1,4}(?:[/-]?[\dа-я]{1,4})?
      (?:,?[ ](?:к|корп|стр|кв|оф)\.?[ ]?\d{1,4}(?:/\d{1,3})?){0,3}"""
)


def find(text: str) -> Iterator[tuple[int, int, float]]:
    """(start, end, confidence) in ascending order within each form."""
    if any(suffix in text for suffix in _SUFFIX_TEXT):
        for match in _SUFFIX.finditer(text):
            yield from _suffixed(text, match)
    if any(word in text for word in _KIND_TEXT):
        for match in _BEFORE.finditer(text):
            yield from _named(text, match)
    if not text.isascii() and _HAS_CYRILLIC.search(text):
        for match in _RUSSIAN.finditer(text):
            yield match.start(), town_tail(text, match.end()) or match.end(), 0.95


def _suffixed(text: str, match: re.Match[str]) -> Iterator[tuple[int, int, float]]:
    low = max(0, match.start() - _STEM_REACH)
    stem = _STEM.search(text[low : match.start()])
    start = low + stem.start() if stem else match.start()
    if not text[start].isupper():
        return
    end = units(text, match.end())
    tail = town_tail(text, end)
    street = text[start : match.end()].rpartition(" ")[0]
    if tail or kind(street.rpartition(" ")[2]) == "unknown":
        yield start, tail or end, 0.9


def _named(text: str, match: re.Match[str]) -> Iterator[tuple[int, int, float]]:
    end = units(text, match.end())
    tail = town_tail(text, end)
    words = re.findall(r"[^\W\d_]{3,}", match.group()[len(match["kind"]) :])
    sure = match["house"] and match["kind"] in _SURE_KINDS and any(kind(word) != "common" for word in words)
    if tail or sure:
        yield match.start(), tail or end, 0.9
