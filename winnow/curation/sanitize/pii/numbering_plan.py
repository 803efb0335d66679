"""What the numbering plans say, by libphonenumber's tables, which are loaded at the first number."""

import re
from functools import cache
from typing import Any

_REGION_WORDS = """
US GB FR DE ES IT NL BE CH AT SE FI DK NO PL PT CZ SK IE HU RO GR CY HR BG RS UA RU TR IL IN PK CN JP KR SG PH MY TH
ID VN AU NZ ZA NG KE EG BR MX AR CL CO IS
"""
_REGIONS = tuple(_REGION_WORDS.split())
"""Whose national writing is believed where nothing else is known."""
_SERVICES = (
    "fixed_line",
    "mobile",
    "toll_free",
    "premium_rate",
    "shared_cost",
    "voip",
    "personal_number",
    "uan",
)

_FICTION = re.compile(
    r"(?:1?[2-9][0-9]{2})?55501[0-9]{2}"  # North America
    r"|(?:44|0)?(?:1632960|7700900|2079460|8081570|9098790|3069990)[0-9]{3}|(?:44|0)?(?:11[3-8]|121|131|141|151|161)496"
    r"0[0-9]{3}"  # United Kingdom
    r"|(?:61|0)?(?:[2378]5550|[2378]7010)[0-9]{4}|(?:61|0)?491570[0-9]{3}"  # Australia
)


def valid_abroad(written: str) -> bool:
    """Whether a number with its country code is in the plan of that country."""
    import phonenumbers

    number = _parsed(written)
    return number is not None and bool(phonenumbers.is_valid_number(number))


def possible_abroad(written: str) -> bool:
    """Whether a number with its country code has a length that the country uses."""
    import phonenumbers

    number = _parsed(written)
    return number is not None and bool(phonenumbers.is_possible_number(number))


def valid_at_home(digits: str, trunk: bool = False) -> bool:
    """Whether the digits are in the plan of a larger country, as dialled there.

    With `trunk` they have to begin with the prefix that leads out of a town (0, in Russia 8), or the country has none
    because its numbers begin with 0 themselves.

    >>> valid_at_home("2125550423"), valid_at_home("2125550423", trunk=True), valid_at_home("0184176118", trunk=True)
    (True, False, True)
    """
    return _at_home(trunk).fullmatch(digits) is not None


def is_fiction(digits: str) -> bool:
    """Whether a regulator keeps the number free for films and manuals.

    >>> is_fiction("12125550123"), is_fiction("12125550423")
    (True, False)
    """
    return bool(_FICTION.fullmatch(digits))


def _parsed(written: str) -> Any:
    import phonenumbers

    try:
        return phonenumbers.parse(written, None)
    except phonenumbers.NumberParseException:
        return None


@cache
def _at_home(trunk: bool) -> re.Pattern[str]:
    from phonenumbers import PhoneMetadata

    plans = []
    for region in _REGIONS:
        plan = PhoneMetadata.metadata_for_region(region)
        if plan is None:
            continue
        services = [getattr(plan, service) for service in _SERVICES]
        numbers = "|".join(s.national_number_pattern for s in services if s and s.national_number_pattern)
        prefix = plan.national_prefix or ""
        if not trunk:
            plans.append(f"(?:{prefix})?(?:{numbers})")
        elif prefix[:1] in ("0", "8"):
            plans.append(f"{prefix}(?:{numbers})")
        elif region == "IT":
            plans.append(f"(?=0)(?:{numbers})")
    return re.compile("|".join(plans), re.ASCII)
