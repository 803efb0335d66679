"""Where the strings of a JSON text stand in it, and which character of a string is which of the text."""

import json
import re
from itertools import accumulate

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_UNIT = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)


def string_places(text: str) -> dict[str, tuple[int, int]]:
    r"""The values of a valid JSON text that are strings: JSON Pointer to the span between their quotes.

    >>> string_places('{"a": ["x", {"b/c": "\\n"}]}')
    {'/a/0': (8, 9), '/a/1/b~1c': (21, 23)}
    """
    places: dict[str, tuple[int, int]] = {}
    stack: list[str | int | None] = []
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word == "{":
            stack.append(None)
        elif word == "[":
            stack.append(0)
        elif word in "}]":
            stack.pop()
        elif word == ",":
            at = stack[-1]
            stack[-1] = at + 1 if isinstance(at, int) else None
        elif word[0] == '"' and stack and stack[-1] is None:
            stack[-1] = str(json.loads(word))
        elif word[0] == '"':
            places["".join(f"/{escaped(key)}" for key in stack)] = (token.start() + 1, token.end() - 1)
    return places


def escaped(key: str | int | None) -> str:
    """A key as a JSON Pointer writes it (RFC 6901)."""
    return str(key).replace("~", "~0").replace("/", "~1")


def unit_offsets(body: str) -> list[int]:
    r"""Where each character of a JSON string begins between its quotes, and where the last one ends.

    >>> unit_offsets("a\\u0041\\n")
    [0, 1, 7, 9]
    """
    if "\\" not in body:
        return list(range(len(body) + 1))
    return [0, *accumulate(len(unit) for unit in _UNIT.findall(body))]
