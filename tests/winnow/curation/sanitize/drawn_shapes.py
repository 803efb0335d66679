"""Values that fit a regular expression, drawn at random: what a detector of a known shape has to find."""

import random
import re
import string
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

_CATEGORIES = {
    ops.CATEGORY_DIGIT: string.digits,
    ops.CATEGORY_WORD: string.ascii_letters + string.digits + "_",
    ops.CATEGORY_SPACE: " ",
}
_SPREAD = 24
"""How much longer than its shortest a repeated part is drawn at most."""


def draw(regex: str, rng: random.Random) -> str:
    """A text that `regex` matches; look-around is skipped."""
    return _sequence(parser.parse(regex), rng)


def _sequence(parsed: object, rng: random.Random) -> str:
    return "".join(_one(kind, argument, rng) for kind, argument in parsed)  # type: ignore[attr-defined]


def _one(kind: object, argument: object, rng: random.Random) -> str:
    if kind is ops.LITERAL:
        return chr(argument)  # type: ignore[arg-type]
    if kind is ops.IN:
        return rng.choice(_members(argument))
    if kind is ops.BRANCH:
        return _sequence(rng.choice(argument[1]), rng)  # type: ignore[index]
    if kind is ops.SUBPATTERN:
        return _sequence(argument[3], rng)  # type: ignore[index]
    if kind in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        low, high, inner = argument  # type: ignore[misc]
        return "".join(_sequence(inner, rng) for _ in range(rng.randint(low, min(high, low + _SPREAD))))
    if kind in (ops.ASSERT, ops.ASSERT_NOT, ops.AT):
        return ""
    raise NotImplementedError(f"{kind} has no drawing")


def _members(parts: object) -> str:
    members = ""
    for kind, argument in parts:  # type: ignore[attr-defined]
        if kind is ops.LITERAL:
            members += chr(argument)
        elif kind is ops.RANGE:
            members += "".join(map(chr, range(argument[0], argument[1] + 1)))
        elif kind is ops.CATEGORY:
            members += _CATEGORIES[argument]
        else:
            raise NotImplementedError(f"{kind} in a class has no drawing")
    return members


assert re.fullmatch(r"a[0-9]{2,}(?:x|y)", draw(r"a[0-9]{2,}(?:x|y)", random.Random(1)))
