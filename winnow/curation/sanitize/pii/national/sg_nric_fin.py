"""Identity numbers of Singapore (NRIC, FIN): a letter for the century or status, seven digits, a check letter."""

from winnow.curation.sanitize.pii.national_id import national_id

_WEIGHTS = (2, 7, 6, 5, 4, 3, 2)
_SERIES = {
    "S": (0, "JZIHGFEDCBA"),
    "T": (4, "JZIHGFEDCBA"),
    "F": (0, "XWUTRQPNMLK"),
    "G": (4, "XWUTRQPNMLK"),
    "M": (3, "KLJNPQRTUWX"),
}
"""By the first letter: what is added to the weighted sum, and the check letters by its remainder."""


def is_valid(value: str) -> bool:
    """Whether the check letter is right.

    >>> is_valid("S1234567D"), is_valid("S1234567A")
    (True, False)
    """
    number = value.upper()
    added, letters = _SERIES[number[0]]
    total = added + sum(weight * int(digit) for weight, digit in zip(_WEIGHTS, number[1:8], strict=True))
    place = total % 11 if number[0] != "M" else 10 - total % 11
    return letters[place] == number[8]


SG_NRIC_FIN = national_id(
    "sg_nric_fin",
    "mod11",
    r"[STFGM][0-9]{7}[A-Z]",
    "nric fin singpass identity_card ic_number ic_no passport",
    is_valid,
    r"[STFGM][0-9]{7}[A-Z]",
)
