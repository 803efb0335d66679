import ast
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.humaneval.extract import (
    STOPS,
    answered_program,
    completed_program,
    cut,
    extract_code,
    fenced_blocks,
)
from evaluation.humaneval.problems import Problem, load_problems

PROBLEMS = load_problems()
PROMPT = 'import math\n\n\ndef half(x: float) -> float:\n    """Half of x."""\n'
PROBLEM = Problem("t/1", PROMPT, "half", "    return x / 2\n", "")
WHOLE = 'def half(x):\n    """Half."""\n    return x / 2\n'


def result(program: str, x: float = 5) -> object:
    """What the program's function returns; all programs here are this file's own."""
    names: dict[str, object] = {}
    exec(compile(program, "program", "exec"), names)
    half = names["half"]
    return half(x) if callable(half) else None


ANSWERS = {
    "a fenced block": f"```python\n{WHOLE}```",
    "text around it": f"Sure, here it is:\n\n```python\n{WHOLE}```\n\nThis **halves** `x`.",
    "no language": f"```\n{WHOLE}```",
    "tildes": f"~~~python\n{WHOLE}~~~",
    "a fence that nothing closes": f"Here:\n```python\n{WHOLE}",
    "no fence": WHOLE,
    "no fence, text around it": f"Here is the function:\n\n{WHOLE}\nIt divides by two, as you asked.",
    "an import first, no fence": f"import os\n\n{WHOLE}",
    "another block first": f"```bash\npip install numpy\n```\nThen:\n```python\n{WHOLE}```",
    "another function first": f"```python\ndef third(x):\n    return x / 3\n```\n```python\n{WHOLE}```",
    "two solutions: the first counts": f"```python\n{WHOLE}```\nor\n```python\n{WHOLE.replace('2', '4')}```",
    "the second fence names a language": f"```python\ndef third(x):\n    return 0\n```python\n{WHOLE}```",
    "an indented block": textwrap.indent(f"```python\n{WHOLE}```", "   "),
    "missing import": "```python\ndef half(x):\n    return math.ldexp(x, -1)\n```",
    "a future import": f"```python\nfrom __future__ import annotations\n{WHOLE}```",
    "a body alone": "```python\nreturn x / 2\n```",
    "an indented body alone": "    return x / 2",
    "a body of several lines": "```python\n    y = x\n    if y:\n        y /= 2\n    return y\n```",
    "asserts that fail beside it": f"```python\n{WHOLE}\nassert half(2) == 7\nprint(half(None))\n```",
    "a main block": f'```python\n{WHOLE}\nif __name__ == "program" or half("a"):\n    half(None)\n```',
    "a decorator and a constant": "```python\nTWO = 2\n\n@lambda f: f\ndef half(x):\n    return x / TWO\n```",
    "the prompt again, whole": f"```python\n{PROMPT}    return x / 2\n```",
    "windows line ends": f"```python\n{WHOLE}```".replace("\n", "\r\n"),
    "two statements on a line": f"```python\n{WHOLE}half; TWO = 2\n```",
    "form feed": f"```python\nA = 1\n\x0c\n{WHOLE}\nprint(half(None))\n```",
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_that_holds_the_function_gives_a_program_that_has_it(answer: str) -> None:
    assert result(answered_program(PROBLEM, answer)) == 2.5


@pytest.mark.parametrize(
    "answer", ["", "I cannot do that.", "```python\ndef third(x):\n    return x / 3\n```", "```python\n```"]
)
def test_an_answer_without_the_function_gives_none(answer: str) -> None:
    with pytest.raises((SyntaxError, KeyError)):
        result(answered_program(PROBLEM, answer))


def test_helpers_of_the_prompt_stay_where_the_function_is_written_anew() -> None:
    problem = next(p for p in PROBLEMS if p.task_id == "HumanEval/32")
    program = answered_program(problem, "```python\ndef find_zero(xs):\n    return poly(xs, 1)\n```")
    names = {n.name for n in ast.parse(program).body if isinstance(n, ast.FunctionDef)}
    assert names == {"poly", "find_zero"}
    assert program.startswith("import math")


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.task_id)
def test_a_canonical_answer_comes_through_whole(problem: Problem) -> None:
    solved = problem.prompt + problem.canonical_solution
    want = functions(solved)
    assert functions(completed_program(problem, "\n" + problem.canonical_solution)) == want
    assert functions(answered_program(problem, f"Here:\n```python\n{solved}\n```\nDone.")) == want
    assert functions(answered_program(problem, solved)) == want
    assert functions(answered_program(problem, f"```python\n{problem.canonical_solution}```")) == want


def functions(program: str) -> dict[str, str]:
    """What the functions of a program do, as syntax without positions; the last of a name counts."""
    return {n.name: ast.dump(n) for n in ast.parse(program).body if isinstance(n, ast.FunctionDef)}


lines = st.lists(
    st.sampled_from(["    return 1", "def f():", "# a", "if x:", "class A:", "print(1)", "", "  x"])
)


@given(lines.map("\n".join))
@settings(deadline=None)
def test_what_is_cut_holds_no_stop_and_cutting_again_cuts_nothing(text: str) -> None:
    short = cut(text)
    assert text.startswith(short)
    assert not any(stop in short for stop in STOPS)
    assert cut(short) == short


code = st.sampled_from(
    [WHOLE, "def half(x):\n    return [x][0] / 2\n", "X = 1\n\ndef half(x):\n    return x * 0.5\n"]
)
prose = st.text(st.characters(exclude_characters="`~\r", exclude_categories=["Cs", "Cc"]), max_size=40)


@given(code, prose, prose, st.sampled_from(["", "python", "py", "Python3 title"]))
@settings(deadline=None)
def test_text_around_a_block_changes_nothing(source: str, before: str, after: str, language: str) -> None:
    assert extract_code(f"{before}\n```{language}\n{source}```\n{after}", "half") == source


@given(
    st.lists(st.text(st.characters(exclude_characters="`~\r\n", exclude_categories=["Cs"])).filter(str.strip))
)
@settings(deadline=None)
def test_every_block_is_found_in_order(texts: list[str]) -> None:
    answer = "\n".join(f"So:\n```\n{text}\n```" for text in texts)
    assert fenced_blocks(answer) == [f"{text}\n" for text in texts]


@given(st.text(max_size=200) | lines.map("\n".join))
@settings(deadline=None)
def test_any_answer_gives_a_program(answer: str) -> None:
    assert answered_program(PROBLEM, answer).startswith(("import math", "from __future__", PROMPT[:5]))
    assert completed_program(PROBLEM, answer).startswith(PROMPT.rstrip())


def test_an_answer_too_deep_to_parse_is_taken_as_it_is() -> None:
    deep = "x = " + "(" * 5000 + "\n" + WHOLE
    assert deep in answered_program(PROBLEM, f"```python\n{deep}```")
    assert "-" * 9000 in answered_program(PROBLEM, "```python\nx = " + "-" * 9000 + "1\n```")
