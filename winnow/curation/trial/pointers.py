"""From a span in the row form back to the string of the input row that it was read from.

Text becomes `/text`. In messages, a content that was split into parts, a call in either of its forms, and what
came as a JSON value where the row form holds JSON text are followed back to the very string. A span in a key or
number of such a value has no string of its own: its pointer names the value, its offsets count in the value's
compact JSON text.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any

from winnow.curation.normalize.json_text import dump_json, parse_json
from winnow.curation.trial.json_strings import string_places, unit_offsets

Place = tuple[str, int, int]
"""JSON Pointer, start and end in code points, half-open."""


def text_places(path: str, start: int, end: int) -> list[Place]:
    """A span in the row that a text became.

    >>> text_places("/messages/0/content", 2, 5)
    [('/text', 2, 5)]
    """
    return [("/text" if path == "/messages/0/content" else path, start, end)]


def record_places(value: Mapping[str, Any], path: str, start: int, end: int) -> list[Place]:
    """A span in the row that a parsed record with messages became; more than one where it crosses parts."""
    parts = path.split("/")[1:]
    if parts[0] == "messages":
        return _in_messages(value["messages"], parts[1:], start, end)
    if parts[0] == "tools" and not isinstance(value.get("tools"), str):
        return _in_value("/tools", value.get("tools"), start, end)
    return [(path, start, end)]


def _in_messages(messages: Any, parts: list[str], start: int, end: int) -> list[Place]:
    if not isinstance(messages, str):
        places = _in_message(messages[int(parts[0])], parts[1:], start, end)
        return [(f"/messages/{parts[0]}{pointer}", s, e) for pointer, s, e in places]
    inner = _in_message(parse_json(messages)[int(parts[0])], parts[1:], start, end)
    known = string_places(messages)
    return [_encoded(messages, known.get(f"/{parts[0]}{pointer}"), s, e) for pointer, s, e in inner]


def _encoded(text: str, place: tuple[int, int] | None, start: int, end: int) -> Place:
    """A span of a string as a span of the JSON text that holds it; the whole text where it has no place there."""
    if place is None:
        return ("/messages", 0, len(text))
    offsets = unit_offsets(text[place[0] : place[1]])
    return ("/messages", place[0] + offsets[start], place[0] + offsets[end])


def _in_message(message: Mapping[str, Any], parts: list[str], start: int, end: int) -> list[Place]:
    """Places within a message, pointers from the message on."""
    field = parts[0]
    if field == "content" and isinstance(message.get("content"), list):
        return list(_in_parts(message["content"], start, end))
    if field == "reasoning" and message.get("reasoning") is None:
        return [("/reasoning_content", start, end)]
    if field == "tool_calls":
        return _in_call(message, int(parts[1]), parts[2], start, end)
    return [(f"/{field}", start, end)]


def _in_parts(parts: list[Mapping[str, Any]], start: int, end: int) -> Iterator[Place]:
    """`normalize` joins text parts by newlines."""
    at = 0
    for number, part in enumerate(parts):
        length = len(part["text"])
        if max(start, at) < min(end, at + length):
            yield (f"/content/{number}/text", max(start - at, 0), min(end - at, length))
        at += length + 1


def _in_call(message: Mapping[str, Any], number: int, field: str, start: int, end: int) -> list[Place]:
    if message.get("tool_calls"):
        call, pointer = message["tool_calls"][number], f"/tool_calls/{number}"
        if field != "id" and call.get("function") is not None:
            call, pointer = call["function"], f"{pointer}/function"
    else:
        call, pointer = message["function_call"], "/function_call"
    if isinstance(call.get(field), str):
        return [(f"{pointer}/{field}", start, end)]
    return _in_value(f"{pointer}/{field}", call.get(field), start, end)


def _in_value(pointer: str, value: Any, start: int, end: int) -> list[Place]:
    """A span in the compact JSON text of a value, in the strings of the value that it touches."""
    text = dump_json(value)
    found = []
    for inner, (first, last) in string_places(text).items():
        if start < last and end > first:
            offsets = unit_offsets(text[first:last])
            begin = bisect_right(offsets, max(start - first, 0)) - 1
            stop = bisect_right(offsets, min(end, last) - first - 1)
            found.append((pointer + inner, begin, stop))
    return found or [(pointer, start, end)]
