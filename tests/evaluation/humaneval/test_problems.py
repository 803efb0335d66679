import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.humaneval.problems import Problem, choose, load_problems, problems_file, problems_hash
from winnow.core.errors import ConfigError

PROBLEMS = load_problems()


def test_there_are_164_problems_each_with_a_function_and_tests() -> None:
    assert [p.task_id for p in PROBLEMS] == [f"HumanEval/{i}" for i in range(164)]
    for problem in PROBLEMS:
        compile(problem.prompt + problem.canonical_solution, problem.task_id, "exec")
        assert "def check(candidate)" in problem.test


def test_the_preamble_is_the_prompt_before_the_function_asked_for() -> None:
    helpers = {p.task_id for p in PROBLEMS if "def " in p.preamble}
    assert helpers == {f"HumanEval/{i}" for i in (10, 32, 38, 50)}
    for problem in PROBLEMS:
        assert problem.prompt.startswith(problem.preamble)
        assert problem.prompt[len(problem.preamble) :].startswith(f"def {problem.entry_point}(")
        compile(problem.preamble, problem.task_id, "exec")


@given(st.integers(1, 164), st.integers(1, 164), st.integers(0, 9), st.randoms())
@settings(deadline=None)
def test_the_choice_depends_on_the_seed_alone_and_grows(one: int, two: int, seed: int, rng: object) -> None:
    few, many = sorted((one, two))
    small, large = choose(PROBLEMS, few, seed), choose(PROBLEMS, many, seed)
    assert (len(small), len(large)) == (few, many)
    assert set(small) <= set(large)
    turned = choose(PROBLEMS[::-1], few, seed)
    assert turned == small[::-1]
    assert problems_hash(turned) == problems_hash(small)
    assert (problems_hash(small) == problems_hash(large)) == (few == many)


def test_another_seed_chooses_others_and_no_limit_chooses_all() -> None:
    assert choose(PROBLEMS, 20, 0) != choose(PROBLEMS, 20, 1)
    assert choose(PROBLEMS, None, 3) == PROBLEMS


def test_a_changed_problem_changes_the_hash() -> None:
    other = [Problem(**{**vars(PROBLEMS[0]), "test": PROBLEMS[0].test + "\n"}), *PROBLEMS[1:]]
    assert problems_hash(other) != problems_hash(PROBLEMS)


def test_a_file_that_is_not_the_pinned_one_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "HumanEval.jsonl.gz"
    other.write_bytes(gzip.compress(gzip.decompress(problems_file().read_bytes())[:-1]))
    with pytest.raises(ConfigError, match=r"SHA-256 is .*b796127e635a67f9… is needed.*pip install"):
        load_problems(other)
    with pytest.raises(ConfigError, match=r"none\.gz: No such file"):
        load_problems(tmp_path / "none.gz")
