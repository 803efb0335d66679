"""A success whose body is not what the protocol says is malformed, whatever it is; nothing else is raised."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_servers import answer

from winnow.models import anthropic_protocol, openai_protocol
from winnow.models.answer import Answer

PARSE = {"anthropic": anthropic_protocol.parse, "openai": openai_protocol.parse}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)
FAULTS = (ValueError, AttributeError, KeyError, TypeError)
"""What the caller takes for a malformed body."""


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in inner for place in places(child, (*path, key)))]


@pytest.mark.parametrize("protocol", PARSE)
@given(data=st.data())
def test_one_value_replaced_by_anything(protocol: str, data: st.DataObject) -> None:
    body = answer(protocol, {"model": "m", "tools": [1], "logprobs": True}, "hi")
    *path, last = data.draw(st.sampled_from(places(body)[1:]))
    holder = body
    for key in path:
        holder = holder[key]
    holder[last] = data.draw(JSON)
    try:
        parsed = PARSE[protocol](json.loads(json.dumps(body)))
    except FAULTS:
        return
    assert isinstance(parsed, Answer)
    assert isinstance(parsed.text, str)
    assert isinstance(parsed.finish_reason, str)


@pytest.mark.parametrize("protocol", PARSE)
@given(JSON)
def test_any_json_at_all(protocol: str, body: Any) -> None:
    with pytest.raises(FAULTS):
        PARSE[protocol](body)


@pytest.mark.parametrize(
    "value", ["private text", 10**400, True, None], ids=["text", "huge", "truth", "none"]
)
def test_a_log_probability_that_is_no_number_is_malformed_and_not_quoted(value: Any) -> None:
    body = answer("openai", {"model": "m", "logprobs": True}, "hi")
    body["choices"][0]["logprobs"]["content"][0]["logprob"] = value
    with pytest.raises(ValueError, match=r"^`logprob` is") as told:
        openai_protocol.parse(body)
    assert "private" not in str(told.value)


@pytest.mark.parametrize(("protocol", "field"), [("anthropic", "usage"), ("openai", "usage")])
def test_a_server_that_counts_no_tokens_is_read(protocol: str, field: str) -> None:
    body = answer(protocol, {"model": "m"}, "hi")
    del body[field]
    parsed = PARSE[protocol](body)
    assert (parsed.text, parsed.tokens_in, parsed.tokens_out) == ("you said hi", None, None)


@pytest.mark.parametrize(
    ("protocol", "field"), [("anthropic", "output_tokens"), ("openai", "completion_tokens")]
)
def test_a_number_of_tokens_that_no_table_holds_is_none(protocol: str, field: str) -> None:
    body = answer(protocol, {"model": "m"}, "hi")
    body["usage"][field] = 2**63
    assert PARSE[protocol](body).tokens_out is None


def test_tokens_of_anthropics_caches_are_part_of_the_prompt() -> None:
    body = answer("anthropic", {"model": "m"}, "one two three")
    body["usage"] |= {"cache_creation_input_tokens": 5}
    parsed = anthropic_protocol.parse(body)
    assert (parsed.tokens_in, parsed.tokens_cached) == (3 + 2 + 5, 2)
