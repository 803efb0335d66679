from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from evaluation.humaneval.extract import answered_program, completed_program
from evaluation.humaneval.problems import load_problems
from evaluation.humaneval.prompts import Form, is_complete, prompt_ids
from training.base import BaseModel
from winnow.models.chat import ChatEncoder

PROBLEM = load_problems()[2]


@pytest.fixture(scope="session")
def tokenizer(tiny_base: BaseModel) -> Tokenizer:
    return Tokenizer.from_file(str(Path(tiny_base.path) / "tokenizer.json"))


@pytest.fixture(scope="session")
def encoder(tiny_base: BaseModel) -> ChatEncoder:
    return ChatEncoder.from_files(Path(tiny_base.path) / "tokenizer.json", Path(tiny_base.template))


def test_a_completion_goes_on_from_the_docstring(encoder: ChatEncoder, tokenizer: Tokenizer) -> None:
    text = tokenizer.decode(prompt_ids(PROBLEM, "completion", encoder, tokenizer), skip_special_tokens=False)
    assert text == PROBLEM.prompt.rstrip()
    assert text.endswith('"""')


def test_a_chat_asks_and_leaves_the_turn_to_the_model(encoder: ChatEncoder, tokenizer: Tokenizer) -> None:
    text = tokenizer.decode(prompt_ids(PROBLEM, "chat", encoder, tokenizer), skip_special_tokens=False)
    assert text.startswith("<|im_start|>user\n")
    assert text.endswith("```<|im_end|>\n<|im_start|>assistant\n")
    assert PROBLEM.prompt.rstrip() in text


ENDED = {
    "completion": [
        "\n    return 1\n\n\ndef g",
        "\n    return 1\n#",
        "\n    return 1\nprint(",
        "\n    x\nclass A",
    ],
    "chat": ["```python\ndef f():\n    return 1\n```", "Sure:\n```\nx\n```\n", "```py\nx\n```  "],
}
OPEN = {
    "completion": ["", "\n    return 1\n", "\n    # why\n    if x:\n        print(1)\n"],
    "chat": [
        "",
        "```python\n",
        "```python",
        "```python\ndef f():\n    return 1\n``",
        "text\n```python\ndef f():",
    ],
}


@pytest.mark.parametrize("form", ["completion", "chat"])
def test_what_is_complete_is_known_and_what_is_open_goes_on(form: Form) -> None:
    assert all(is_complete(form, text) for text in ENDED[form])
    assert not any(is_complete(form, text) for text in OPEN[form])


@given(st.text(st.sampled_from("`\n drx#=1:()\"'"), max_size=30), st.sampled_from(ENDED["completion"]))
@settings(deadline=None)
def test_what_follows_a_complete_completion_never_counts(more: str, written: str) -> None:
    assert (
        completed_program(PROBLEM, written + more) == completed_program(PROBLEM, written)
        or more[:1].isalnum()
    )


@given(st.text(max_size=30).filter(lambda t: "\r" not in t))
@settings(deadline=None)
def test_what_follows_a_complete_answer_never_counts(more: str) -> None:
    written = f"```python\ndef {PROBLEM.entry_point}(number):\n    return number % 1.0\n```\n"
    assert answered_program(PROBLEM, written + more) == answered_program(PROBLEM, written)
