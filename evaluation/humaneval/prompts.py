"""How a problem is put to a model, and when what it writes is complete."""

from collections.abc import Callable, Mapping
from typing import Literal

from evaluation.humaneval.extract import STOPS, answered_program, completed_program, fenced_blocks
from evaluation.humaneval.problems import Problem
from winnow.models.chat import ChatEncoder

Form = Literal["completion", "chat"]

ASK = (
    "Complete this Python function. Answer with the whole function, imports included, in one code block.\n\n"
    "```python\n{prompt}\n```"
)


def prompt_text(problem: Problem, form: Form, encoder: ChatEncoder) -> str:
    """The text that the model goes on from.

    `completion`: the problem as it is; white space at its end would split the token that comes next.
    `chat`: a question, up to the start of the assistant's turn.
    """
    text = problem.prompt.rstrip()
    if form == "completion":
        return text
    return encoder.render([{"role": "user", "content": ASK.format(prompt=text)}], prompt=True)


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
