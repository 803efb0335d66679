import json
from typing import Any

import pytest

from winnow.curation.normalize.json_text import parse_json
from winnow.curation.normalize.messages import messages_of, tools_of
from winnow.curation.normalize.rules import ParkError

USER = {"role": "user", "content": "w?"}


def convert(*messages: Any) -> tuple[list[dict[str, Any]], set[str]]:
    flags: set[str] = set()
    return messages_of(parse_json(json.dumps(messages)), flags), flags


def call(arguments: Any, **more: Any) -> dict[str, Any]:
    return {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}, **more}


def test_plain_turns_come_out_as_they_are():
    messages, flags = convert(
        {"role": "system", "content": ""}, USER, {"role": "assistant", "content": " a\r\n"}
    )
    assert [(m["role"], m["content"]) for m in messages] == [
        ("system", ""),
        ("user", "w?"),
        ("assistant", " a\r\n"),
    ]
    assert not flags


def test_a_call_without_content_is_kept_with_its_arguments_as_they_are():
    arguments = '{"b": 1.10,  "a": "\\u00e9"}'
    (_, assistant, tool), flags = convert(
        USER,
        {"role": "assistant", "content": None, "tool_calls": [call(arguments)]},
        {"role": "tool", "tool_call_id": "c", "content": "12C"},
    )
    assert assistant["content"] is None
    assert assistant["tool_calls"] == [{"id": "c", "name": "f", "arguments": arguments}]
    assert (tool["role"], tool["tool_call_id"]) == ("tool", "c")
    assert not flags


def test_arguments_as_an_object_become_text_and_say_so():
    (message,), flags = convert({"role": "assistant", "tool_calls": [call({"b": 1, "a": [2.50]})]})
    assert message["tool_calls"][0]["arguments"] == '{"b":1,"a":[2.5]}'
    assert flags == {"arguments-as-text"}


@pytest.mark.parametrize("arguments", ['{"p": "C:\\path"}', '"{\\"a\\": 1}"', "", "[1]"])
def test_arguments_that_are_no_object_are_kept_and_flagged(arguments: str):
    (message,), flags = convert({"role": "assistant", "tool_calls": [call(arguments)]})
    assert message["tool_calls"][0]["arguments"] == arguments
    assert flags == {"arguments-not-object"}


def test_older_forms_are_mapped_and_flagged():
    messages, flags = convert(
        {"role": "developer", "content": "be good"},
        {"role": "assistant", "content": "", "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "[]"},
    )
    assert [m["role"] for m in messages] == ["system", "assistant", "tool"]
    assert messages[1]["tool_calls"] == [{"id": None, "name": "f", "arguments": "{}"}]
    assert messages[2]["name"] == "f"
    assert flags == {"role-mapped"}


def test_the_row_form_itself_is_read_back():
    row = {
        "role": "assistant",
        "content": None,
        "reasoning": "hm",
        "tool_calls": [{"id": "c", "name": "f", "arguments": "{}"}],
        "tool_call_id": None,
        "name": None,
    }
    assert convert(row) == ([row], set())


def test_text_parts_are_joined_and_a_single_one_is_exact():
    text = {"type": "text", "text": "a"}
    assert convert({"role": "user", "content": [text]}) == convert({"role": "user", "content": "a"})
    (message,), flags = convert({"role": "user", "content": [text, {"type": "text", "text": "b"}]})
    assert message["content"] == "a\nb"
    assert flags == {"parts-joined"}


def test_what_has_no_place_is_flagged_and_null_padding_is_not():
    _, flags = convert({**USER, "weight": 0, "audio": None})
    assert flags == {"unmapped-field"}
    _, flags = convert(
        {**USER, "audio": None, "tool_calls": None, "name": None}, {"role": "assistant", "content": "a"}
    )
    assert not flags


def test_a_list_may_come_as_json_text():
    flags: set[str] = set()
    assert messages_of(json.dumps([USER]), flags)[0]["content"] == "w?"


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        ([], "empty-messages"),
        ("[]", "empty-messages"),
        ("not json", "field-type"),
        ({"role": "user"}, "field-type"),
        ([None], "field-type"),
        ([{"content": "a"}], "missing-field"),
        ([{"role": "user"}], "missing-field"),
        ([{"role": "assistant", "content": None}], "missing-field"),
        ([{"role": "assistant", "content": None, "tool_calls": []}], "missing-field"),
        ([{"role": 5, "content": "a"}], "field-type"),
        ([{"role": "User", "content": "a"}], "unknown-role"),
        ([{"role": "user", "content": 5}], "field-type"),
        ([{"role": "user", "content": {"text": "a"}}], "field-type"),
        ([{"role": "user", "content": ["a"]}], "field-type"),
        (
            [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}],
            "non-text-content",
        ),
        ([{"role": "user", "content": [{"type": "text"}]}], "missing-field"),
        ([{"role": "user", "content": " \n"}, {"role": "assistant", "content": ""}], "empty"),
        ([{"role": "user", "content": []}], "empty"),
        ([{"role": "user", "content": "a\0"}], "nul-byte"),
        ([{"role": "user", "content": "\ud83d"}], "lone-surrogate"),
        ([{"role": "user", "content": "a", "name": "\ude00\ud83d"}], "lone-surrogate"),
        ([{"role": "user", "content": "a", "name": 5}], "field-type"),
        ([{"role": "assistant", "tool_calls": {}}], "field-type"),
        ([{"role": "assistant", "tool_calls": [None]}], "field-type"),
        ([{"role": "assistant", "tool_calls": [{"function": 1}]}], "field-type"),
        ([{"role": "assistant", "tool_calls": [{"type": "custom", "name": "f"}]}], "field-type"),
        ([{"role": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}]}], "missing-field"),
        (
            [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": [1]}}]}],
            "field-type",
        ),
        ([{"role": "assistant", "tool_calls": [call({"a": "\ud83d"})]}], "lone-surrogate"),
        ([{"role": "assistant", "tool_calls": [call("{}")], "function_call": {"name": "f"}}], "field-type"),
        ([{"role": "assistant", "function_call": "f"}], "field-type"),
    ],
)
def test_what_cannot_be_a_conversation_is_parked_under_its_rule(messages: Any, rule: str):
    with pytest.raises(ParkError) as error:
        messages_of(parse_json(json.dumps(messages)), set())
    assert error.value.rule == rule


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ([], "[]"),
        ('[{"name":  "a"}]', '[{"name":  "a"}]'),
        ([{"name": "a", "n": 1}, {"z": "é"}], '[{"name":"a","n":1},{"z":"é"}]'),
    ],
)
def test_tools_are_json_text(value: Any, expected: str | None):
    assert tools_of(parse_json(json.dumps(value))) == expected


@pytest.mark.parametrize("value", [5, True, "not json", '"text"', "5"])
def test_tools_of_another_type_are_parked(value: Any):
    with pytest.raises(ParkError) as error:
        tools_of(parse_json(json.dumps(value)))
    assert error.value.rule == "field-type"


def test_a_second_name_beside_the_function_is_not_left_out_in_silence():
    (message,), flags = convert({"role": "assistant", "tool_calls": [call("{}", name="other")]})
    assert message["tool_calls"][0]["name"] == "f"
    assert flags == {"unmapped-field"}
