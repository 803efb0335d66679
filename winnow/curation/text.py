"""The strings of a row: its text, and every string with the JSON Pointer that leads to it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_MESSAGE_STRINGS = ("reasoning", "content", "tool_call_id", "name")
_CALL_STRINGS = ("id", "name", "arguments")
_ROW_STRINGS = ("tools", "language", "license", "meta")
JSON_STRINGS = frozenset({"arguments", "tools", "meta"})
"""Last path segments whose string is itself JSON text."""


def row_text(row: Mapping[str, Any]) -> str:
    r"""The decoded text of a row's messages, parts joined by newlines.

    In message order: reasoning, content, then the name and arguments of each tool call; absent and empty
    parts are left out.

    >>> row_text({"messages": [{"content": "add"}, {"reasoning": "sum", "content": None}]})
    'add\nsum'
    """
    return "\n".join(text for _, text in text_strings(row))


def text_strings(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The non-empty parts of `row_text`, in its order, each with its path."""
    for index, message in enumerate(row["messages"]):
        for name in ("reasoning", "content"):
            if message.get(name):
                yield f"/messages/{index}/{name}", message[name]
        for number, call in enumerate(message.get("tool_calls") or ()):
            for name in ("name", "arguments"):
                if call.get(name):
                    yield f"/messages/{index}/tool_calls/{number}/{name}", call[name]


def batch_texts(batch: pa.RecordBatch) -> list[str]:
    """`row_text` of every row of a batch in the row form, without building the rows."""
    messages: Any = batch.column("messages")
    flat = messages.flatten()
    content = pc.struct_field(flat, "content").to_pylist()
    reasoning = pc.struct_field(flat, "reasoning").to_pylist()
    calls = _call_parts(pc.struct_field(flat, "tool_calls"))
    texts: list[str] = []
    at = 0
    for length in pc.list_value_length(messages).to_pylist():
        end = at + (length or 0)
        if end - at == 1 and not reasoning[at] and not calls.get(at):
            texts.append(content[at] or "")
        else:
            groups = ((reasoning[i], content[i], *calls.get(i, ())) for i in range(at, end))
            texts.append("\n".join(part for group in groups for part in group if part))
        at = end
    return texts


def _call_parts(tool_calls: Any) -> dict[int, list[str]]:
    """Names and arguments of the tool calls, by the index of their message; absent without calls."""
    counts = pc.fill_null(pc.list_value_length(tool_calls), 0)
    if not pc.sum(counts).as_py():
        return {}
    flat = tool_calls.flatten()
    names = pc.struct_field(flat, "name").to_pylist()
    arguments = pc.struct_field(flat, "arguments").to_pylist()
    parts: dict[int, list[str]] = {}
    at = 0
    for index, count in enumerate(counts.to_pylist()):
        if count:
            parts[index] = [p for i in range(at, at + count) for p in (names[i], arguments[i])]
            at += count
    return parts


def row_strings(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every non-empty string of a row that its author wrote, with its path; not ids, hashes and closed sets.

    >>> list(row_strings({"messages": [{"role": "user", "content": "hi"}], "license": "MIT"}))
    [('/messages/0/content', 'hi'), ('/license', 'MIT')]
    """
    for index, message in enumerate(row["messages"]):
        for name in _MESSAGE_STRINGS:
            if message.get(name):
                yield f"/messages/{index}/{name}", message[name]
        for number, call in enumerate(message.get("tool_calls") or ()):
            for name in _CALL_STRINGS:
                if call.get(name):
                    yield f"/messages/{index}/tool_calls/{number}/{name}", call[name]
    for name in _ROW_STRINGS:
        if row.get(name):
            yield f"/{name}", row[name]


def map_row_strings(row: Mapping[str, Any], change: Callable[[str, str], str]) -> dict[str, Any]:
    """A copy of the row in which every string of `row_strings` became `change(path, string)`."""
    messages = []
    for index, message in enumerate(row["messages"]):
        copy = dict(message)
        _change(copy, _MESSAGE_STRINGS, f"/messages/{index}", change)
        if copy.get("tool_calls"):
            copy["tool_calls"] = [dict(call) for call in copy["tool_calls"]]
            for number, call in enumerate(copy["tool_calls"]):
                _change(call, _CALL_STRINGS, f"/messages/{index}/tool_calls/{number}", change)
        messages.append(copy)
    changed = {**row, "messages": messages}
    _change(changed, _ROW_STRINGS, "", change)
    return changed


def _change(
    holder: dict[str, Any], names: tuple[str, ...], path: str, change: Callable[[str, str], str]
) -> None:
    for name in names:
        if holder.get(name):
            holder[name] = change(f"{path}/{name}", holder[name])
