"""What the numbering plans say, by libphonenumber's tables, which are loaded at the first number."""

import re
from collections.abc import Sequence

REGIONS = (
    *(
        "US",
        "GB",
        "FR",
        "DE",
        "ES",
        "IT",
        "NL",
        "BE",
        "CH",
        "AT",
        "SE",
        "FI",
        "DK",
        "NO",
        "PL",
        "PT",
        "CZ",
        "IE",
    ),
    *(
        "RU",
        "UA",
        "TR",
        "IL",
        "IN",
        "CN",
        "JP",
        "KR",
        "SG",
        "PH",
        "AU",
        "NZ",
        "ZA",
        "BR",
        "MX",
        "AR",
        "ID",
        "MY",
    ),
)
"""Whose national writing is believed where nothing else is known."""

_FICTION = re.compile(
    r"(?:1?[2-9][0-9]{2})?55501[0-9]{2}"  # North America
    r"|(?:44|0)?(?:1632960|7700900|20794609|8081570|9098790|3069990)[0-9]{3}|(?:44|0)?(?:11[3-8]|121|131|141|151|161)496"
    r"0[0-9]{3}"  # United Kingdom
    r"|(?:61|0)?(?:[2378]5550|[2378]7010)[0-9]{4}|(?:61|0)?491570[0-9]{3}"  # Australia
)


def valid_abroad(written: str) -> bool:
    """Whether a number with its country code is in the plan of that country."""
    return _valid(written, None)


def valid_in(digits: str, regions: Sequence[str] = REGIONS) -> bool:
    """Whether a number without a country code is in the plan of one of the regions."""
    return any(_valid(digits, region) for region in regions)


def is_fiction(digits: str) -> bool:
    """Whether a regulator keeps the number free for films and manuals.

    >>> is_fiction("12125550123"), is_fiction("12125550423")
    (True, False)
    """
    return bool(_FICTION.fullmatch(digits))


def _valid(written: str, region: str | None) -> bool:
    import phonenumbers

    try:
        number = phonenumbers.parse(written, region)
    except phonenumbers.NumberParseException:
        return False
    return bool(phonenumbers.is_valid_number(number))
