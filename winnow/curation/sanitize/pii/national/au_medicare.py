"""Australian Medicare cards: eight digits, a weighted check digit, the issue, and the person on the card."""

import re

from winnow.curation.sanitize.pii.national_id import national_id

_WEIGHTS = (1, 3, 7, 9, 1, 3, 7, 9)


def is_valid(value: str) -> bool:
    """Whether the ninth digit is the weighted sum of the first eight, modulo ten.

    >>> is_valid("2123 45670 1"), is_valid("2123 45671 1")
    (True, False)
    """
    digits = [int(digit) for digit in re.sub(" ", "", value)]
    return sum(w * d for w, d in zip(_WEIGHTS, digits, strict=False)) % 10 == digits[8] and digits[9] != 0


AU_MEDICARE = national_id(
    "au_medicare",
    "mod10",
    r"[2-6][0-9]{3} ?[0-9]{5} ?[0-9](?: ?[1-9])?",
    "medicare",
    is_valid,
    r"(?i)medicare",
)
