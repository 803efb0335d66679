"""JSON as it is written: numbers keep their digits, a repeated key is seen, and depth has a limit."""

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from winnow.curation.normalize.rules import MAX_DEPTH, ParkError


@dataclass(frozen=True, slots=True)
class Number:
    """A number as its literal: 5,000 digits and `1.10` come out as they went in."""

    literal: str


def parse_json(text: str, max_depth: int = MAX_DEPTH) -> Any:
    """The value of a JSON text, numbers as Number.

    Raises ParkError: malformed-json (NaN and Infinity are not JSON), duplicate-json-key, too-deep.
    """
    try:
        value = json.loads(
            text, parse_int=Number, parse_float=Number, parse_constant=_refused, object_pairs_hook=_object
        )
    except RecursionError:
        raise ParkError("too-deep") from None
    except ValueError:
        raise ParkError("malformed-json") from None
    # Counting opening brackets is cheap, and only many of them can be deep.
    if text.count("{") + text.count("[") > max_depth and _is_deeper(value, max_depth):
        raise ParkError("too-deep")
    return value


def _refused(constant: str) -> NoReturn:
    raise ValueError(constant)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ParkError("duplicate-json-key")
    return value


def _is_deeper(value: Any, limit: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def dump_json(value: Any) -> str:
    """Compact JSON text of a parsed value, keys in their order.

    >>> dump_json(parse_json('{"b": 1.10, "a": [1e999, null]}'))
    '{"b":1.10,"a":[1e999,null]}'
    """
    if isinstance(value, Number):
        return value.literal
    if isinstance(value, dict):
        return "{" + ",".join(f"{dump_json(key)}:{dump_json(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def is_json_object(text: str) -> bool:
    """Whether a text is the JSON text of an object."""
    try:
        return isinstance(parse_json(text), dict)
    except ParkError:
        return False
