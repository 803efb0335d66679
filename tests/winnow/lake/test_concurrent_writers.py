"""Six processes at once: no lost update, no doubled rows, and verdicts that fit their layer."""

from collections import Counter

import pytest
from writers import ROWS, race, sanitized_candidate

from winnow.core.errors import ConflictError
from winnow.core.identity import digest
from winnow.lake.audit import audit
from winnow.lake.lake import Lake
from winnow.lake.publish import publish
from winnow.lake.verdicts import read_verdicts

WRITERS = 6


def _rows_of(lake: Lake, source: str) -> list[str]:
    return [r for b in lake.scan("sanitized", [source], ["row_id"]) for r in b["row_id"].to_pylist()]


def test_writers_of_different_partitions_all_land(lake: Lake, lake_env: dict[str, str]) -> None:
    for n in range(WRITERS):
        publish(lake, sanitized_candidate(lake, f"s{n}", "before", rows=5))
    found = race(lake_env, [(f"s{n}", "after") for n in range(WRITERS)])
    assert Counter(outcome for _, _, outcome, _ in found) == {"written": WRITERS}
    head = lake.head("sanitized")
    assert {s.stage_version for s in head.partitions.values()} == {digest("after")}
    assert head.rows == WRITERS * ROWS
    for n in range(WRITERS):
        assert len(set(_rows_of(lake, f"s{n}"))) == ROWS
        assert read_verdicts(lake, "sanitize", f"s{n}").read_all().num_rows == 2
        counted = [r for b in lake.scan("stage_counts", [f"sanitize/s{n}"]) for r in b.to_pylist()]
        assert {r["stage_version"] for r in counted} == {digest("after")}


def test_of_first_writers_with_other_content_one_wins(lake: Lake, lake_env: dict[str, str]) -> None:
    found = race(lake_env, [("s", f"v{n}") for n in range(WRITERS)])
    assert Counter(outcome for _, _, outcome, _ in found) == {"written": 1, "conflict": WRITERS - 1}
    winner = next(version for _, version, outcome, _ in found if outcome == "written")
    assert lake.head("sanitized").partitions["s"].stage_version == digest(winner)
    rows = _rows_of(lake, "s")
    assert len(rows) == len(set(rows)) == ROWS
    texts = [r["messages"][0]["content"] for b in lake.scan("sanitized", ["s"]) for r in b.to_pylist()]
    assert all(text.startswith(f"{winner} says") for text in texts)


def test_first_writers_of_the_same_content_agree(lake: Lake, lake_env: dict[str, str]) -> None:
    found = race(lake_env, [("s", "same")] * WRITERS)
    assert Counter(outcome for _, _, outcome, _ in found)["written"] == 1
    assert {outcome for _, _, outcome, _ in found} == {"written", "there"}
    rows = _rows_of(lake, "s")
    assert len(rows) == len(set(rows)) == ROWS


def test_overwriters_of_one_partition_never_mix(lake: Lake, lake_env: dict[str, str]) -> None:
    publish(lake, sanitized_candidate(lake, "s", "before"))
    found = race(lake_env, [("s", f"v{n}") for n in range(WRITERS)])
    assert Counter(outcome for _, _, outcome, _ in found) == {"written": 1, "conflict": WRITERS - 1}
    rows = _rows_of(lake, "s")
    assert len(rows) == len(set(rows)) == ROWS
    assert list(lake.zone("restricted").list()) == []
    assert not [e.path for e in lake.zone("open").list("sanitized") if "_incoming" in e.path]


def test_a_writer_that_began_before_the_head_changed_is_refused(lake: Lake) -> None:
    publish(lake, sanitized_candidate(lake, "s", "v1"))
    late = sanitized_candidate(lake, "s", "v2")
    publish(lake, sanitized_candidate(lake, "s", "v3"))
    assert audit(late).passed
    with pytest.raises(ConflictError, match="Another writer published sanitized/s meanwhile"):
        publish(lake, late)
    assert lake.head("sanitized").partitions["s"].stage_version == digest("v3")
    assert list(lake.zone("restricted").list()) == []
