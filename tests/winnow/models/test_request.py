import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from schemas.rows import MESSAGE, ROLES, TOOL_CALL
from winnow.models.request import Message, ModelRequest, Sampling, ToolCall

TEXT = st.text(max_size=20)
CALL = st.fixed_dictionaries(
    {"id": TEXT, "name": TEXT, "arguments": st.dictionaries(TEXT, st.integers()).map(json.dumps)}
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant"]), "content": TEXT, "reasoning": st.none() | TEXT},
        optional={"tool_calls": st.none() | st.lists(CALL, max_size=2)},
    ),
    min_size=1,
    max_size=4,
)


def test_a_message_is_what_a_row_of_the_lake_holds() -> None:
    assert list(Message.model_fields) == [field.name for field in MESSAGE]
    assert list(ToolCall.model_fields) == [field.name for field in TOOL_CALL]
    for role in ROLES:
        assert Message(role=role, content="x", tool_call_id="t" if role == "tool" else None)


@given(MESSAGES, MESSAGES)
def test_equal_bytes_mean_equal_requests(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> None:
    first, second = ModelRequest(messages=one), ModelRequest(messages=other)  # type: ignore[arg-type]
    assert (first.encoded() == second.encoded()) == (first == second)
    assert ModelRequest.model_validate_json(first.model_dump_json()).encoded() == first.encoded()


@given(MESSAGES)
def test_the_size_bounds_the_text(messages: list[dict[str, Any]]) -> None:
    request = ModelRequest(messages=messages)  # type: ignore[arg-type]
    said = [m["content"] for m in messages] + [
        c["arguments"] for m in messages for c in m.get("tool_calls") or ()
    ]
    assert request.size() >= sum(len(text.encode()) for text in said)


@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": []},
        {"messages": [{"role": "user"}]},
        {"messages": [{"role": "robot", "content": "x"}]},
        {"messages": [{"role": "tool", "content": "x"}]},
        {"messages": [{"role": "user", "content": "x", "extra": 1}]},
        {"messages": [{"role": "assistant", "tool_calls": [{"id": "1", "name": "f", "arguments": "[1]"}]}]},
        {"messages": [{"role": "user", "content": "\ud800"}]},
        {"messages": [{"role": "user", "content": "x"}], "tools": "{}"},
        {"messages": [{"role": "user", "content": "x"}], "tools": "[{}]"},
        {"messages": [{"role": "user", "content": "x"}], "temperature": 1.0},
        {"messages": [{"role": "user", "content": "x"}], "sample": -1},
        {"messages": [{"role": "user", "content": "x"}], "sampling": {"max_tokens": 0}},
        {"messages": [{"role": "user", "content": "x"}], "sampling": {"temperature": True}},
    ],
)
def test_what_no_model_could_answer_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ModelRequest.model_validate(wrong)


def test_a_request_does_not_change() -> None:
    request = ModelRequest(messages=[{"role": "user", "content": "x"}])  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="frozen"):
        request.sampling = Sampling()  # type: ignore[misc]


def test_tools_are_read_in_both_spellings() -> None:
    bare = {"name": "f", "parameters": {"type": "object"}}
    wrapped = [{"type": "function", "function": bare}]
    told = [
        ModelRequest(messages=[{"role": "user", "content": "x"}], tools=json.dumps(tools)).functions()  # type: ignore[arg-type]
        for tools in ([bare], wrapped, [{"name": "f", "input_schema": {"type": "object"}}])
    ]
    assert told[0] == told[1] == told[2] == [{**bare, "description": ""}]
