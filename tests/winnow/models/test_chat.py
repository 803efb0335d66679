import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from training.base import TEMPLATE
from winnow.core.errors import ConfigError, DataError
from winnow.models.chat import ChatEncoder

CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<filename>"]


def bpe() -> Tokenizer:
    """A byte-level BPE with merges, learned from this file, so that tokens do straddle words and newlines."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator([Path(__file__).read_text(), TEMPLATE.read_text()] * 3, trainer)
    tokenizer.add_special_tokens([AddedToken(word, special=True, normalized=False) for word in CONTROL])
    return tokenizer


TOKENIZER = bpe()
TEMPLATE_TEXT = TEMPLATE.read_text(encoding="utf-8")
ENCODER = ChatEncoder(TOKENIZER, TEMPLATE_TEXT)
END = TOKENIZER.token_to_id("<|im_end|>")
TOOLS = json.dumps([{"type": "function", "function": {"name": "weather", "parameters": {"a": "<b> & é"}}}])
CALL = {"id": "1", "name": "weather", "arguments": '{"city":"Oslo",  "days":1.0}'}
CONVERSATIONS: dict[str, tuple[list[dict[str, Any]], str | None]] = {
    "code": ([{"role": "assistant", "content": "def f(x):\n    return x\n"}], None),
    "sft": (
        [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Two  and two?\n"},
            {"role": "assistant", "content": "4"},
            {"role": "user", "content": "And é three?"},
            {"role": "assistant", "content": "Seven – that is 7."},
        ],
        None,
    ),
    "tool": (
        [
            {"role": "user", "content": "Weather?"},
            {"role": "assistant", "content": None, "reasoning": "I ask.", "tool_calls": [CALL, CALL]},
            {"role": "tool", "content": '{"c": 3}', "tool_call_id": "1", "name": "weather"},
            {"role": "assistant", "content": "3 degrees", "tool_calls": []},
        ],
        TOOLS,
    ),
    "agent": (
        [
            {"role": "system", "content": "You have tools."},
            {"role": "user", "content": "Go."},
            {"role": "assistant", "content": "I look.", "tool_calls": [CALL]},
            {"role": "tool", "content": None, "tool_call_id": "1"},
        ],
        TOOLS,
    ),
}


def trained_text(messages: list[dict[str, Any]], tools: str | None) -> str:
    encoded = ENCODER.encode(messages, tools)
    ids = [token for token, trained in zip(encoded.ids, encoded.trained, strict=True) if trained]
    return str(TOKENIZER.decode(ids, skip_special_tokens=False))


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_ids_mask_and_text_are_those_of_transformers(kind: str) -> None:
    from transformers import PreTrainedTokenizerFast

    messages, tools = CONVERSATIONS[kind]
    reference = PreTrainedTokenizerFast(tokenizer_object=bpe(), clean_up_tokenization_spaces=False)
    arguments = {"chat_template": TEMPLATE_TEXT, "tools": json.loads(tools) if tools else None}
    expected = reference.apply_chat_template(messages, return_assistant_tokens_mask=True, **arguments)
    encoded = ENCODER.encode(messages, tools)
    assert list(encoded.ids) == expected["input_ids"]
    assert list(map(int, encoded.trained)) == expected["assistant_masks"]
    assert ENCODER.render(messages, tools) == reference.apply_chat_template(
        messages, tokenize=False, **arguments
    )


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_every_kind_has_something_to_learn_and_each_turn_learns_to_stop(kind: str) -> None:
    messages, tools = CONVERSATIONS[kind]
    turns = sum(m["role"] == "assistant" for m in messages)
    encoded = ENCODER.encode(messages, tools)
    stops = [t for i, t in zip(encoded.ids, encoded.trained, strict=True) if i == END]
    assert sum(stops) == turns
    assert len(stops) == len(messages) + bool(tools and messages[0]["role"] != "system")


def test_tool_calls_are_hermes_and_keep_their_arguments_to_the_letter() -> None:
    messages, tools = CONVERSATIONS["tool"]
    call = '<tool_call>\n{"name": "weather", "arguments": {"city":"Oslo",  "days":1.0}}\n</tool_call>'
    assert (
        trained_text(messages, tools)
        == f"<think>\nI ask.\n</think>\n{call}\n{call}<|im_end|>3 degrees<|im_end|>"
    )
    assert '{"a": "<b> & é"}' in ENCODER.render(messages, tools)


hostile = st.lists(
    st.sampled_from([*CONTROL, "<|im_", "end|>", "\n", " ", "user", "\ufdd0", "\ufdd1", "\ufdd3", "é", "}}"])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    max_size=12,
).map("".join)


@given(hostile, hostile)
def test_no_text_can_end_a_turn_or_be_lost(asked: str, answer: str) -> None:
    messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]
    encoded = ENCODER.encode(messages)
    assert encoded.ids.count(END) == 2
    assert [t for i, t in zip(encoded.ids, encoded.trained, strict=True) if i == END] == [False, True]
    kept = "".join("\ufffd" if c in "\ufdd0\ufdd1\ufdd2\ufdd3" else c for c in answer)
    assert trained_text(messages, None) == kept + "<|im_end|>"


@given(hostile, st.integers(0, 60))
def test_a_limit_gives_a_prefix_and_says_what_was_lost(answer: str, limit: int) -> None:
    messages = [{"role": "user", "content": "x"}, {"role": "assistant", "content": answer}]
    whole, cut = ENCODER.encode(messages), ENCODER.encode(messages, limit=limit)
    assert (cut.ids, cut.trained) == (whole.ids[:limit], whole.trained[:limit])
    assert (cut.length, cut.trainable) == (len(whole.ids), sum(whole.trained))
    assert cut.truncated == (limit < len(whole.ids))
    assert len(cut.labels()) == len(cut.ids)
    assert cut.scored == sum(label != -100 for label in cut.labels()[1:])


def test_a_lone_surrogate_is_replaced() -> None:
    assert "\ufffd" in ENCODER.render([{"role": "user", "content": "a\ud800b"}])


@pytest.mark.parametrize("tools", ["{", '{"a": 1}', "3"])
def test_tools_that_are_no_list_are_refused(tools: str) -> None:
    with pytest.raises(DataError, match="JSON list"):
        ENCODER.encode([{"role": "user", "content": "x"}], tools)


def test_templates_and_tokenizers_that_cannot_be_trusted_are_refused() -> None:
    with pytest.raises(ConfigError, match="generation"):
        ChatEncoder(TOKENIZER, "{{ messages }}")
    with pytest.raises(ConfigError, match="line 1"):
        ChatEncoder(TOKENIZER, "{% generation %}{% if %}{% endgeneration %}")
    prefixed = bpe()
    prefixed.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    with pytest.raises(ConfigError, match="byte-level"):
        ChatEncoder(prefixed, TEMPLATE_TEXT)
