from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from schemas.rows import MESSAGE
from winnow.curation.text import batch_texts, map_row_strings, row_strings, row_text

words = st.one_of(st.none(), st.text(alphabet="ab\n\u00e9", max_size=4))
calls = st.lists(st.fixed_dictionaries({"id": words, "name": words, "arguments": words}), max_size=2)
messages = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.just("user"),
            "content": words,
            "reasoning": words,
            "tool_calls": st.one_of(st.none(), calls),
            "tool_call_id": words,
            "name": words,
        }
    ),
    min_size=1,
    max_size=3,
)
rows = st.fixed_dictionaries({"messages": messages, "tools": words, "meta": words})


def as_batch(rows: list[dict[str, Any]]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(rows, schema=pa.schema([("messages", pa.list_(MESSAGE))]))


@given(st.lists(rows, max_size=5), st.integers(0, 3))
def test_batch_texts_are_the_row_texts_of_any_slice(rows: list[dict[str, Any]], start: int) -> None:
    sliced = as_batch(rows).slice(start)
    assert batch_texts(sliced) == [row_text(row) for row in rows[start:]]


def test_the_order_of_parts_is_reasoning_content_calls() -> None:
    call = {"id": "c1", "name": "f", "arguments": '{"a": 1}'}
    row = {"messages": [{"reasoning": "think", "content": "say", "tool_calls": [call], "name": "n"}]}
    assert row_text(row) == 'think\nsay\nf\n{"a": 1}'


@given(rows)
def test_every_path_leads_to_its_string(row: dict[str, Any]) -> None:
    for path, text in row_strings(row):
        at: Any = row
        for part in path.split("/")[1:]:
            at = at[int(part)] if isinstance(at, list) else at[part]
        assert at == text


@given(rows)
def test_a_change_reaches_every_string_and_leaves_the_row_alone(row: dict[str, Any]) -> None:
    before = list(row_strings(row))
    changed = map_row_strings(row, lambda path, text: f"<{path}>")
    assert list(row_strings(changed)) == [(path, f"<{path}>") for path, _ in before]
    assert list(row_strings(row)) == before
