"""How a problem is put to a model, and when what it writes is complete."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from evaluation.humaneval.extract import STOPS, answered_program, completed_program, fenced_blocks
from evaluation.humaneval.problems import Problem
from winnow.models.chat import ChatEncoder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Form = Literal["completion", "chat"]

ASK = (
    "Complete this Python function. Answer with the whole function, imports included, in one code block.\n\n"
    "```python\n{prompt}\n```"
)


def prompt_ids(problem: Problem, form: Form, encoder: ChatEncoder, tokenizer: "Tokenizer") -> list[int]:
    """The tokens that the model goes on from.

    `completion`: the problem as it is; white space at its end would split the token that comes next.
    `chat`: a question, up to the start of the assistant's turn.
    """
    text = problem.prompt.rstrip()
    if form == "completion":
        return list(tokenizer.encode(text, add_special_tokens=False).ids)
    return encoder.encode_prompt([{"role": "user", "content": ASK.format(prompt=text)}])


def is_complete(form: Form, written: str) -> bool:
    """Whether nothing that could follow would count: the function has ended, or its code block is closed."""
    if form == "completion":
        return any(stop in written for stop in STOPS)
    return written.rstrip(" ").endswith(("\n```", "\n```\n")) and bool(fenced_blocks(written))


PROGRAMS: Mapping[Form, Callable[[Problem, str], str]] = {
    "completion": completed_program,
    "chat": answered_program,
}
"""Of each form, the program to run from the problem and what the model wrote."""
