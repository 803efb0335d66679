"""Names beside a label or formula: `Author: X`, `user="X"`, `Copyright 2010 X`, `Dr. X`, `my name is X`."""

import re
from collections.abc import Iterator, Sequence

from winnow.curation.sanitize.names.hit import NameHit
from winnow.curation.sanitize.names.labels import trust_ending
from winnow.curation.sanitize.names.value import name_at

_SEPARATOR = re.compile(
    r"""(?<=[\w"'\])])[ \t]{0,3}(?:=>|[:=：|])[ \t]{0,16}(?:\\?["'“])?|(?<=\w)[ ](?=["'“])"""
)
_LABEL = re.compile(r"[^\W\d][\w -]{1,40}\Z")
_TAG = re.compile(
    r"""(?xi) (?<![\w@]) (?: [@\\](?:author|maintainer|reviewer)s? [ \t:]{1,8}
      | (?:todo|fixme|xxx|hack|note) \( (?=[^)\n]{3,40}\)) ) """
)
_COPYRIGHT = re.compile(
    r"""(?xi) (?:copyright|copr\.|\u00a9|\(c\)) [ \t]{0,4} (?:\(c\)|\u00a9)? [ \t]{0,4}
      (?:\d{4}(?:[ \t]?[-,\u2013][ \t]?(?:\d{4}|present)){0,20})? ,? [ \t]{0,4} (?:by[ \t])? """
)
_TITLE = re.compile(
    r"""(?x) (?<![\w@.]) (?: (?: [Mm]rs? | [Mm]s | [Dd]r | [Pp]rof | [Ss]ra? | [Ss]rta | [Ss]ig(?:\.?ra)?
      | [Dd]ott(?:\.?ssa)? | Hr | Fr | Mme | Mlle | Capt | Lt | Sgt | Col | Gen | Rev | Hon | Dipl\.-Ing | Ing ) \.?
      | Miss | Professor | Sir | Herr | Herrn | Frau | Monsieur | Madame | Mademoiselle | Se[ñn]ora? | Do[ñn]a
      | Lord | Lady | Signora? | [Pp]ani? | господин | госпожа | г-н | г-жа ) [ \u00a0]{1,2} """
)
_INTRODUCTION = re.compile(
    r"""(?xi) (?<!\w) (?: my[ ](?:full[ ])?name(?:[ ]is|['’]s) | (?:his|her|their|whose|the)[ ]name[ ](?:is|was)
      | i['’]?[ ]?a?m[ ]called | call[ ]me | mein[ ]name[ ]ist | ich[ ]hei(?:ß|ss)e | je[ ]m['’]appelle
      | mon[ ]nom[ ]est | me[ ]llamo | mi[ ]nombre[ ]es | mi[ ]chiamo | il[ ]mio[ ]nome[ ](?:è|e)
      | nazywam[ ]si[ęe] | mam[ ]na[ ]imi[ęe] | meu[ ]nome[ ](?:é|e) | me[ ]chamo | меня[ ]зовут | мо[её][ ]имя
      | have[ ]you[ ](?:heard|met|seen) ) [ ]{1,2} """
)
_SIGNED = re.compile(
    r"""(?xi) (?:^|[\n.!]) [ \t]{0,8} (?:(?:best|kind|warm|many)[ ])?
      (?: regards | sincerely(?:[ ]yours)? | yours(?:[ ](?:sincerely|truly|faithfully))? | cheers
      | thanks(?:[ ](?:again|a[ ]lot|in[ ]advance))? | thank[ ]you | best(?:[ ]wishes)? | love
      | mit[ ]freundlichen[ ]gr[üu](?:ß|ss)en | viele[ ]gr[üu](?:ß|ss)e | lg | cordialement | bien[ ]à[ ]vous
      | saludos | atentamente | cordiali[ ]saluti | saluti | pozdrawiam | atenciosamente | abra[çc]os
      | с[ ]уважением ) [,.!]? [ \t]{0,4} \n{1,3} (?:[ \t>#*/-]{0,12}\n)? \Z """
)
_SIGNED_REACH = 64
_INDENT = re.compile(r"[ \t>#*/\u2014\u2013-]{0,12}")
_MAILBOX = re.compile(r" ?[<(\[][^\s<>()\[\]@]{1,64}@[^\s<>()\[\]@]{3,80}[>)\]]")
_NAME_START = re.compile(r"(?<![^\s\"'(\[,;:])[^\W\d_]")
_JOINT = re.compile(r"[ \t]{0,3}(?:,|;|&|and\b|und\b|et\b|e\b|y\b)[ \t]{0,3}(?:and\b[ \t]{1,3})?")
_MOST_NAMES = 20
_FORMS = ((_TAG, 2, 0.95, _MOST_NAMES), (_COPYRIGHT, 0, 0.9, _MOST_NAMES), (_INTRODUCTION, 2, 0.9, 1))
"""A form, how far it is believed, the confidence, and how many names may follow it."""


def find(text: str, lines: Sequence[tuple[int, int]]) -> Iterator[NameHit]:
    """Hits on the given lines, in no order; they may overlap."""
    for start, end in lines:
        yield from _labelled(text, start, end)
        for form, trust, confidence, most in _FORMS:
            for match in form.finditer(text, start, end):
                yield from _names(text, match.end(), trust, confidence, most)
        for match in _TITLE.finditer(text, start, end):
            yield from _titled(text, match.end())
        for match in _MAILBOX.finditer(text, start, end):
            yield from _before_mailbox(text, start, match.start())
        if _SIGNED.search(text[max(0, start - _SIGNED_REACH) : start]):
            indent = _INDENT.match(text, start)
            yield from _names(text, indent.end() if indent else start, 2, 0.9, 1)


def _labelled(text: str, start: int, end: int) -> Iterator[NameHit]:
    for match in _SEPARATOR.finditer(text, start, end):
        label = _LABEL.search(text[max(start, match.start() - 42) : match.start()].rstrip("\"'\\"))
        trust = trust_ending(label.group()) if label else None
        if trust is not None:
            at = match.end() + (text[match.end() : match.end() + 1] in ('"', "'", "“"))
            yield from _names(text, at, trust, 0.95 if trust == 2 else 0.85, _MOST_NAMES)


def _names(text: str, at: int, trust: int, confidence: float, most: int) -> Iterator[NameHit]:
    """The name at `at` and those joined to it by commas and conjunctions."""
    for _ in range(most):
        span = name_at(text, at, trust)
        if span is None:
            return
        yield NameHit(*span, "person", confidence)
        mailbox = _MAILBOX.match(text, span[1])
        joint = _JOINT.match(text, mailbox.end() if mailbox else span[1])
        if joint is None:
            return
        at, trust = joint.end(), 0


def _titled(text: str, at: int) -> Iterator[NameHit]:
    first = text[at : at + 1]
    if first.isupper() or first > "\u058f":
        span = name_at(text, at, 2)
        if span is not None:
            yield NameHit(*span, "person", 0.95)


def _before_mailbox(text: str, start: int, end: int) -> Iterator[NameHit]:
    """The longest name that ends where the address begins."""
    for word in _NAME_START.finditer(text, max(start, end - 64), end):
        span = name_at(text, word.start(), 2)
        if span is not None and 0 <= end - span[1] <= 2:
            yield NameHit(*span, "person", 0.9)
            return
