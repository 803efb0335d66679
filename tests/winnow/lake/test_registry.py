from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from small_lake import lake_in

from winnow.core.errors import ConflictError
from winnow.lake.lake import Lake
from winnow.lake.registry import Contender, aliases, history, record_decision, swap

ONE, TWO, THREE = (Contender(f"checkpoint-{n}", "r-1") for n in (1, 2, 3))


def named(lake: Lake, model: str = "m") -> dict[str, str]:
    return {name: alias.checkpoint_id for name, alias in aliases(lake, model).items()}


def promote(lake: Lake, expected: str | None, new: Contender) -> dict[str, str]:
    found = swap(
        lake, "m", expected, new, {"verdict": "promote", "new": new.checkpoint_id}, decided_by="gate"
    )
    return {name: alias.checkpoint_id for name, alias in found.items()}


def test_nobody_is_champion_at_first(tmp_path: Path) -> None:
    assert named(lake_in(tmp_path)) == {}
    assert history(lake_in(tmp_path), "m") == []


def test_a_champion_becomes_previous_and_each_alias_keeps_its_decision(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    assert promote(lake, None, ONE) == {"champion": "checkpoint-1"}
    assert promote(lake, "checkpoint-1", TWO) == {"champion": "checkpoint-2", "previous": "checkpoint-1"}
    assert promote(lake, "checkpoint-2", THREE) == {"champion": "checkpoint-3", "previous": "checkpoint-2"}
    now = aliases(lake, "m")
    assert (now["champion"].sequence, now["previous"].sequence) == (3, 2)
    assert [(d.sequence, d.checkpoint_id, d.moved_champion) for d in history(lake, "m")] == [
        (1, "checkpoint-1", True),
        (2, "checkpoint-2", True),
        (3, "checkpoint-3", True),
    ]
    assert history(lake, "m")[1].decision == {"verdict": "promote", "new": "checkpoint-2"}


def test_a_decision_against_another_champion_moves_nothing(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    promote(lake, None, ONE)
    version = lake.head("registry").version
    for wrong in (None, "checkpoint-2"):
        with pytest.raises(ConflictError, match="Champion of m is checkpoint-1, not"):
            promote(lake, wrong, THREE)
    assert lake.head("registry").version == version
    with pytest.raises(ConflictError, match="Champion of other is nobody, not checkpoint-1"):
        swap(lake, "other", "checkpoint-1", TWO, {})


def test_the_same_swap_again_changes_nothing(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    promote(lake, None, ONE)
    promote(lake, "checkpoint-1", TWO)
    version = lake.head("registry").version
    assert promote(lake, "checkpoint-1", TWO) == {"champion": "checkpoint-2", "previous": "checkpoint-1"}
    assert lake.head("registry").version == version


def test_going_back_is_a_decision_of_its_own(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    promote(lake, None, ONE)
    promote(lake, "checkpoint-1", TWO)
    assert promote(lake, "checkpoint-2", ONE) == {"champion": "checkpoint-1", "previous": "checkpoint-2"}
    assert [d.checkpoint_id for d in history(lake, "m")] == ["checkpoint-1", "checkpoint-2", "checkpoint-1"]


def test_a_rejection_is_kept_once_and_moves_nothing(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    promote(lake, None, ONE)
    for _ in range(2):
        record_decision(lake, "m", TWO, {"verdict": "reject"}, decided_by="gate")
    assert named(lake) == {"champion": "checkpoint-1"}
    assert [(d.checkpoint_id, d.moved_champion) for d in history(lake, "m")] == [
        ("checkpoint-1", True),
        ("checkpoint-2", False),
    ]


def test_of_six_first_promotions_one_wins(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)

    def attempt(number: int) -> str | None:
        try:
            return promote(lake, None, Contender(f"checkpoint-{number}", "r-1"))["champion"]
        except ConflictError:
            return None

    with ThreadPoolExecutor(6) as pool:
        won = [name for name in pool.map(attempt, range(6)) if name]
    assert len(won) == 1
    assert named(lake) == {"champion": won[0]}
    assert [d.checkpoint_id for d in history(lake, "m")] == won


def test_decisions_of_many_writers_are_numbered_without_gaps(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda n: record_decision(lake, "m", ONE, {"n": n}), range(5)))
    assert [d.sequence for d in history(lake, "m")] == [1, 2, 3, 4, 5]
    assert {d.decision["n"] for d in history(lake, "m")} == set(range(5))
