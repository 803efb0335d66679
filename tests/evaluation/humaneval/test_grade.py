import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.humaneval import grade as module
from evaluation.humaneval.grade import Graded, grade
from evaluation.humaneval.job import Generation
from evaluation.humaneval.problems import Problem, choose, load_problems
from evaluation.humaneval.prompts import Form
from evaluation.outcomes import NotRun
from winnow.sandbox import Sandbox, unavailable
from winnow.sandbox.calls import CallTest, Verdict, judge_many

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=f"no sandbox here: {unavailable()}")

PROBLEMS = load_problems()
# Whatever is chosen, with the three whose tests call a helper of the prompt
CHOSEN = [
    *choose(PROBLEMS, 9, 1),
    *(p for p in PROBLEMS if p.task_id in ("HumanEval/32", "HumanEval/38", "HumanEval/50")),
]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(2) as running:
        yield running


def wrote(problem: Problem, text: str) -> Generation:
    return Generation("base", problem.task_id, text, "complete", 9, 0.1)


def reasons(graded: Sequence[Graded] | NotRun) -> list[str]:
    assert not isinstance(graded, NotRun)
    return [g.reason for g in graded]


@pytest.mark.parametrize("form", ["completion", "chat"])
def test_the_canonical_solution_passes_in_either_form(sandbox: Sandbox, form: Form) -> None:
    def text(problem: Problem) -> str:
        if form == "completion":
            return f"\n{problem.canonical_solution}\n\nprint({problem.entry_point})"
        return f"So:\n```python\n{problem.prompt}{problem.canonical_solution}```\nIt works."

    graded = grade(sandbox, CHOSEN, [wrote(p, text(p)) for p in CHOSEN], form, 10)
    assert reasons(graded) == ["passed"] * len(CHOSEN)
    assert not isinstance(graded, NotRun)
    assert [(g.generation.task_id, g.value) for g in graded] == [(p.task_id, 1.0) for p in CHOSEN]


WRONG = {
    "\n    return None": "failed: assertion",
    "\n    return (": "failed: SyntaxError",
    "\n    raise ValueError('said')": "failed: ValueError",
    "\n    import os; os._exit(0)": "failed: exit 0",
    "\n    while True: pass": "limit: ",
    "": "failed: ",
}


def test_what_is_wrong_fails_and_says_how(sandbox: Sandbox) -> None:
    generations = [wrote(PROBLEMS[0], text) for text in WRONG]
    graded = grade(sandbox, PROBLEMS, generations, "completion", 2)
    assert not isinstance(graded, NotRun)
    assert [g.value for g in graded] == [0.0] * len(WRONG)
    for one, told in zip(graded, WRONG.values(), strict=True):
        assert one.reason.startswith(told)
        assert one.program.startswith(PROBLEMS[0].prompt.rstrip())


def test_a_sandbox_that_cannot_work_is_no_failure_of_the_model() -> None:
    # Not below `tmp_path`, which the uid of a box may not enter
    bound = Path(tempfile.mkdtemp())
    bound.chmod(0o755)
    with Sandbox(1, read_only=[bound]) as broken:
        bound.rmdir()
        found = grade(broken, PROBLEMS, [wrote(PROBLEMS[0], "\n    return None")], "completion", 2)
    assert isinstance(found, NotRun)
    assert found.fix.startswith("1 of 1 programs have no verdict after 2 tries (HumanEval/0: ")


def test_a_sandbox_that_failed_once_is_asked_again_for_those_programs_alone(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def once_broken(boxes: Sandbox, tests: Sequence[CallTest]) -> Iterator[Verdict]:
        asked.append(len(tests))
        for place, verdict in enumerate(judge_many(boxes, tests)):
            lost = len(asked) == 1 and place == 1
            yield replace(verdict, passed=False, reason="sandbox: gone") if lost else verdict

    monkeypatch.setattr(module, "judge_many", once_broken)
    generations = [wrote(p, "\n" + p.canonical_solution) for p in CHOSEN[:3]]
    assert reasons(grade(sandbox, CHOSEN, generations, "completion", 10)) == ["passed"] * 3
    assert asked == [3, 1]


def test_nothing_to_grade_asks_for_no_box(sandbox: Sandbox) -> None:
    assert grade(sandbox, PROBLEMS, [], "chat", 1) == ()
