from typing import Any

import pyarrow as pa
import pytest

from schemas.rows import MESSAGE
from winnow.curation.dedup.conversation import canonical_rows

SCHEMA = pa.schema([("messages", pa.list_(MESSAGE)), ("tools", pa.string())])
USER = {"role": "user", "content": "add 1 and 2"}


def keys(*rows: list[dict[str, Any]], tools: str | None = None) -> list[bytes]:
    batch = pa.RecordBatch.from_pylist([{"messages": m, "tools": tools} for m in rows], schema=SCHEMA)
    return [key for key, _ in canonical_rows(batch)]


def said(content: str | None, **other: Any) -> list[dict[str, Any]]:
    return [USER, {"role": "assistant", "content": content, **other}]


def called(arguments: str, call_id: str = "c1", name: str = "add") -> list[dict[str, Any]]:
    call = {"id": call_id, "name": name, "arguments": arguments}
    return [
        *said(None, tool_calls=[call]),
        {"role": "tool", "content": "3", "tool_call_id": call_id},
    ]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (said("é\nx"), said("e\u0301\r\nx")),
        (said("a\rb"), said("a\nb")),
        (said(None), said("")),
        (said("x", tool_calls=None), said("x", tool_calls=[])),
        (called('{"a": 1, "b": [2]}'), called('{"b":[2],"a":1}')),
        (called('{"a": "\\u00e9"}'), called('{"a": "é"}')),
        (called("{}", "call_x"), called("{}", "call_y")),
    ],
)
def test_conversations_that_say_the_same_have_one_key(a: Any, b: Any) -> None:
    first, second = keys(a, b)
    assert first == second
    assert len(first) == 32


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (said("a b"), said("a  b")),
        (said("Ab"), said("ab")),
        (said("x"), said("x", reasoning="x")),
        (said("x"), said("x", name="bob")),
        (said("x"), [{"role": "system", "content": "add 1 and 2"}, said("x")[1]]),
        (said("ab"), [*said("a"), {"role": "assistant", "content": "b"}]),
        (called('{"a": 1}'), called('{"a": 2}')),
        (called('{"a": 1}'), called('{"a": "1"}')),
        (called("{broken"), called("{broken}")),
        (called("{}", name="sub"), called("{}")),
    ],
)
def test_conversations_that_differ_have_two_keys(a: Any, b: Any) -> None:
    first, second = keys(a, b)
    assert first != second


def test_which_result_answers_which_call_counts_but_not_the_ids() -> None:
    def two(first: str, second: str, answered: str) -> list[dict[str, Any]]:
        calls = [{"id": i, "name": "f", "arguments": "{}"} for i in (first, second)]
        return [*said(None, tool_calls=calls), {"role": "tool", "content": "3", "tool_call_id": answered}]

    same, renamed, other = keys(two("a", "b", "a"), two("b", "a", "b"), two("a", "b", "b"))
    assert same == renamed
    assert same != other


def test_the_tools_offered_count() -> None:
    assert keys(USER_ONLY) != keys(USER_ONLY, tools='[{"name":"f"}]')
    assert keys(USER_ONLY, tools='{"a":1,"b":2}') == keys(USER_ONLY, tools='{"b": 2, "a": 1}')


USER_ONLY = [USER]


def test_rows_of_a_slice_keep_their_own_messages() -> None:
    rows = [said("one"), [USER], called("{}"), said("two")]
    batch = pa.RecordBatch.from_pylist([{"messages": m, "tools": None} for m in rows], schema=SCHEMA)
    texts = [text for _, text in canonical_rows(batch.slice(1, 3))]
    assert texts == ["add 1 and 2", "add 1 and 2\nadd\n{}\n3", "add 1 and 2\ntwo"]
