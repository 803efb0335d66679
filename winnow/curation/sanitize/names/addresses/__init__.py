"""Postal addresses of many countries, by street, postcode or label."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.names.addresses import asian, labelled, numbered, streets
from winnow.curation.sanitize.names.hit import NameHit

_DIGIT = re.compile(r"\d")
_ORGANISATIONS = re.compile(
    r"""(?x) 51[ ]Franklin[ ]St | 59[ ]Temple[ ]Pl | 675[ ]Mass | 171[ ]Second[ ]St | 444[ ]Castro[ ]St
      | 543[ ]Howard[ ]St | 559[ ]Nathan[ ]Abbott | 31[ ]Milk[ ]St | 548[ ]Market[ ]St"""
)
"""What licences print: the addresses of the Free Software Foundation and of Creative Commons."""


def find(text: str) -> Iterator[NameHit]:
    """Hits in no order; they may overlap."""
    if _DIGIT.search(text) is None:
        return
    for form in (numbered, streets, labelled, asian):
        for start, end, confidence in form.find(text):
            if _ORGANISATIONS.match(text, start) is None:
                yield NameHit(start, end, "address", confidence)
