"""Whether generated programs pass their tests, run in the sandbox; where that fails, no program has failed."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.humaneval.job import Generation
from evaluation.humaneval.problems import Problem
from evaluation.humaneval.prompts import PROGRAMS, Form
from evaluation.outcomes import NotRun
from winnow.sandbox import Limits, Sandbox
from winnow.sandbox.calls import CallTest, Verdict, judge_many

TRIES = 2
_NO_VERDICT = ("sandbox", "tests")


@dataclass(frozen=True)
class Graded:
    """A generation and its verdict; `program` is what ran: restricted like the text it comes from."""

    generation: Generation
    program: str
    passed: bool
    reason: str

    @property
    def value(self) -> float:
        """1.0 or 0.0."""
        return float(self.passed)


def grade(
    sandbox: Sandbox,
    problems: Sequence[Problem],
    generations: Sequence[Generation],
    form: Form,
    timeout_seconds: float,
) -> tuple[Graded, ...] | NotRun:
    """The verdict on every generation, in their order, or why there is none.

    A program of which nothing is known, because the sandbox or the tests' own box failed, is run once more. One
    that is still unknown then leaves no score at all: a 0 would be held against the model.
    """
    by_id = {p.task_id: p for p in problems}
    programs = [PROGRAMS[form](by_id[g.task_id], g.text) for g in generations]
    tests = [
        call_test(by_id[g.task_id], program, timeout_seconds)
        for g, program in zip(generations, programs, strict=True)
    ]
    verdicts = _judged(sandbox, tests)
    unknown = [f"{g.task_id}: {v.reason}" for g, v in zip(generations, verdicts, strict=True) if _unknown(v)]
    if unknown:
        return NotRun(
            f"{len(unknown)} of {len(tests)} programs have no verdict after {TRIES} tries ({unknown[0]}). "
            "Run it again."
        )
    return tuple(
        Graded(g, program, v.passed, v.reason)
        for g, program, v in zip(generations, programs, verdicts, strict=True)
    )


def call_test(problem: Problem, program: str, timeout_seconds: float) -> CallTest:
    """The program against the problem's own tests, which may call the helpers of its prompt."""
    return CallTest(
        program=program,
        tests=problem.test,
        entry_point=problem.entry_point,
        helpers=problem.preamble,
        limits=Limits(wall_seconds=timeout_seconds, cpu_seconds=max(1, round(timeout_seconds))),
    )


def _judged(sandbox: Sandbox, tests: Sequence[CallTest]) -> list[Verdict]:
    verdicts = list(judge_many(sandbox, tests))
    for _ in range(TRIES - 1):
        again = [at for at, verdict in enumerate(verdicts) if _unknown(verdict)]
        for at, verdict in zip(again, judge_many(sandbox, [tests[at] for at in again]), strict=True):
            verdicts[at] = verdict
    return verdicts


def _unknown(verdict: Verdict) -> bool:
    return not verdict.passed and verdict.reason.startswith(_NO_VERDICT)
