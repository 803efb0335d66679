"""Check digits by python-stdnum, which is imported at the first number that needs it."""

import importlib
from collections.abc import Callable


def stdnum(module: str, **options: bool) -> Callable[[str], bool]:
    """Whether the module `stdnum.<module>` finds a number valid, form and check digits.

    >>> stdnum("nl.bsn")("111222333"), stdnum("nl.bsn")("111222334")
    (True, False)
    """

    def is_valid(number: str) -> bool:
        return bool(importlib.import_module(f"stdnum.{module}").is_valid(number, **options))

    return is_valid


def luhn(digits: str) -> bool:
    """Whether the sum of Luhn's algorithm over ASCII digits ends in zero.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    odd = sum(map(int, digits[-1::-2]))
    even = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (odd + even) % 10 == 0
