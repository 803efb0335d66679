from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation.gates import decide_all, load_gates, of_passes
from evaluation.humaneval.grade import Graded
from evaluation.humaneval.job import Generation
from evaluation.humaneval.score import ModelScore, compare_scores, score
from evaluation.outcomes import NotRun
from winnow.core.errors import DataError
from winnow.sandbox import unavailable

JobFile = Callable[..., Path]


def scored(name: str, *passed: bool, reason: str = "failed: assertion") -> ModelScore:
    graded = tuple(
        Graded(
            Generation(name, f"HumanEval/{n}", "text", "turn", 3, 0.1), "x", ok, "passed" if ok else reason
        )
        for n, ok in enumerate(passed)
    )
    return ModelScore(name, f"hash of {name}", "v1", graded)


@pytest.mark.skipif(unavailable() is not None, reason=f"no sandbox here: {unavailable()}")
def test_a_job_gives_each_model_its_score_and_both_compare(job_file: JobFile) -> None:
    said: list[str] = []
    found = score(job_file("run", max_items=2), 2, lambda event: said.append(str(event["event"])))
    assert not isinstance(found, NotRun)
    assert list(found) == ["base", "candidate"]
    assert [len(s.graded) for s in found.values()] == [2, 2]
    assert found["base"].evaluation_id != found["candidate"].evaluation_id
    assert said[-1] == "complete"
    passes = compare_scores(found["candidate"], found["base"])
    assert (passes.n, passes.gained, passes.lost) == (2, (), ())
    # A random model solves nothing, and two problems decide nothing; the gate reports it
    assert found["base"].value == 0.0
    outcomes = {"humaneval": of_passes(passes)}
    decision = decide_all(load_gates("tiny"), outcomes, candidate="c", reference="b")
    assert [g.verdict for g in decision.gates] == ["not run", "not run", "inconclusive"]


def test_without_a_sandbox_nothing_is_generated_and_the_remedy_is_told(
    job_file: JobFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = score(job_file("run"), 1)
    assert isinstance(found, NotRun)
    assert "bubblewrap" in found.fix
    assert not (tmp_path / "run").exists()


def test_a_score_is_the_share_passed_with_its_interval() -> None:
    found = scored("base", True, False, True, False)
    assert found.value == 0.5
    low, high = found.interval()
    assert 0 < low < 0.5 < high < 1
    assert found.failures == {"failed: assertion": 2}
    assert found.told() == "2 of 4 passed, interval [0.150, 0.850]; failed: assertion 2"
    assert scored("base", True, True).told() == "2 of 2 passed, interval [0.342, 1.000]"


def test_what_a_program_says_of_itself_is_not_told() -> None:
    for reason, told in {
        "failed: SyntaxError": "failed: SyntaxError",
        "failed: limit: something": "failed",
        "failed: my phone number": "failed",
        "failed: ValueError: my phone number": "failed: ValueError",
        "limit: wall_seconds": "limit: wall_seconds",
        "failed: exit 3": "failed",
    }.items():
        assert scored("base", False, reason=reason).failures == {told: 1}


def test_scores_of_other_problems_do_not_compare() -> None:
    with pytest.raises(DataError, match="Run both on the same"):
        compare_scores(scored("new", True, False), scored("base", True))
