"""A span in the row form leads back to the same characters of the input row, whatever shape that had."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.normalize.json_text import dump_json, parse_json
from winnow.curation.normalize.messages import messages_of, tools_of
from winnow.curation.text import JSON_STRINGS, row_strings
from winnow.curation.trial.pointers import record_places

MARK = "m\u00e4r\u4e2dk"
plain = st.text(st.sampled_from('ab "\\\n\u00e9/~'), max_size=6)
marked = st.builds(lambda a, b: f"{a}{MARK}{b}", plain, plain)
strings = marked | plain
parts = st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": strings}), min_size=1, max_size=3)
arguments = st.dictionaries(plain, strings | st.integers() | st.lists(strings, max_size=2), max_size=3)
functions = st.fixed_dictionaries({"name": st.just("f"), "arguments": arguments | marked})
calls = st.one_of(
    st.fixed_dictionaries({"id": strings, "function": functions}),
    st.builds(lambda name, function: {"id": name, **function}, plain, functions),
)
messages = st.one_of(
    st.fixed_dictionaries({"role": st.just("user"), "content": strings | parts}),
    st.fixed_dictionaries({"role": st.just("assistant"), "content": strings, "reasoning_content": strings}),
    st.fixed_dictionaries(
        {"role": st.just("assistant"), "tool_calls": st.lists(calls, min_size=1, max_size=2)}
    ),
    st.fixed_dictionaries({"role": st.just("assistant"), "function_call": functions}),
    st.fixed_dictionaries({"role": st.just("tool"), "content": strings, "tool_call_id": strings}),
)
tools = st.none() | st.lists(st.fixed_dictionaries({"description": strings}), max_size=2)


def at(value: Any, pointer: str) -> Any:
    for key in pointer.split("/")[1:]:
        key = key.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def row_of(record: dict[str, Any]) -> dict[str, Any]:
    return {"messages": messages_of(record["messages"], set()), "tools": tools_of(record.get("tools"))}


def spans(row: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Where the mark stands in the row form; in JSON text it is never escaped, for `dump_json` writes Unicode."""
    return [
        (path, start, start + len(MARK))
        for path, text in row_strings(row)
        for start in range(len(text))
        if text.startswith(MARK, start)
    ]


def marks(value: Any) -> int:
    """How often the mark stands in the strings of a value, those of its keys left out."""
    if isinstance(value, str):
        return value.count(MARK)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(map(marks, inner))


@given(st.lists(messages, min_size=1, max_size=3), tools)
def test_a_mark_is_found_in_the_string_it_came_in(listed: list[Any], offered: Any):
    record = {"messages": [{"role": "user", "content": "x"}, *listed], "tools": offered}
    parsed = parse_json(json.dumps(record))
    found = [place for span in spans(row_of(parsed)) for place in record_places(parsed, *span)]
    assert [at(record, pointer)[start:end] for pointer, start, end in found] == [MARK] * len(found)
    assert len(set(found)) == len(found) == marks(record)


@given(st.lists(messages, min_size=1, max_size=3), st.booleans())
def test_a_mark_in_messages_that_came_as_text_is_found_in_the_text(listed: list[Any], ascii_only: bool):
    inner = [{"role": "user", "content": "x"}, *listed]
    record = {"messages": json.dumps(inner, ensure_ascii=ascii_only)}
    parsed = parse_json(json.dumps(record))
    found = [place for span in spans(row_of(parsed)) for place in record_places(parsed, *span)]
    assert {pointer for pointer, _, _ in found} <= {"/messages"}
    written = [record["messages"][start:end] for _, start, end in found]
    assert [json.loads(f'"{text}"') for text in written] == [MARK] * marks(inner)


def test_a_span_across_text_parts_is_one_span_in_each():
    record = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": t} for t in ("abc", "", "de")]}]
    }
    assert record_places(record, "/messages/0/content", 1, 6) == [
        ("/messages/0/content/0/text", 1, 3),
        ("/messages/0/content/2/text", 0, 1),
    ]


def test_a_key_of_arguments_has_no_string_of_its_own():
    call = {"id": "c", "function": {"name": "f", "arguments": {"key": 1}}}
    record = {"messages": [{"role": "assistant", "tool_calls": [call]}]}
    assert dump_json({"key": 1})[2:5] == "key"
    assert record_places(record, "/messages/0/tool_calls/0/arguments", 2, 5) == [
        ("/messages/0/tool_calls/0/function/arguments", 2, 5)
    ]
    assert "arguments" in JSON_STRINGS
