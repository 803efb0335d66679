"""The sample is the same however often it is drawn, and what was judged is not asked again."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from planted_findings import PATH, SECRET, plant, text_of
from small_lake import lake_in

from winnow.core.errors import DataError
from winnow.curation.text import row_strings
from winnow.lake.judgements import (
    Finding,
    Judgement,
    Sample,
    Tally,
    judging_key,
    known_places,
    place_of,
    record,
)
from winnow.lake.lake import Lake
from winnow.lake.views import connect

BOTH = ("drop", "redact")


@contextmanager
def sample(
    lake: Lake,
    per_detector: int = 3,
    decisions: tuple[str, ...] = BOTH,
    seed: int = 0,
    detector: str | None = None,
) -> Iterator[Sample]:
    with connect(lake, restricted=True, why="test") as sql:
        yield Sample(sql, per_detector, decisions, seed, detector)


def left(lake: Lake, *arguments: object) -> list[Finding]:
    with sample(lake, *arguments) as drawn:
        return drawn.left()


def judge(lake: Lake, finding: Finding, said: str, who: str = "ada") -> None:
    record(lake, [Judgement(finding, "0" * 64, said)], who)


def tallies(lake: Lake, *arguments: object) -> list[Tally]:
    with sample(lake, *arguments) as drawn:
        return drawn.tallies()


def test_each_detector_gives_its_part_of_the_sample(lake: Lake) -> None:
    plant(lake)
    assert [f.rule for f in left(lake)] == ["email_address/d"] * 3 + ["token/d"] * 3
    assert tallies(lake) == [
        Tally("email_address", "d", 8, 0, 0, 0, 3),
        Tally("token", "d", 4, 0, 0, 0, 3),
    ]
    assert {f.decision for f in left(lake, 3, ("drop",))} == {"drop"}
    assert {f.rule for f in left(lake, 3, BOTH, 0, "token/d")} == {"token/d"}


def test_a_larger_sample_goes_on_with_the_smaller_one(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    plant(lake)
    few, many = left(lake, 2), left(lake, 5)
    assert set(few) < set(many)
    assert left(lake, 2) == few
    assert any(left(lake, 2, BOTH, seed) != few for seed in range(1, 6))


def test_what_was_judged_counts_and_is_not_left(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    plant(lake)
    first, second, third, *rest = left(lake)
    for finding, said in ((first, "right"), (second, "wrong"), (third, "unsure")):
        judge(lake, finding, said)
    assert left(lake) == rest
    assert tallies(lake)[0] == Tally("email_address", "d", 8, 1, 1, 1, 0)
    assert tallies(lake, 1)[0] == Tally("email_address", "d", 8, 1, 1, 1, 0)


def test_the_latest_judgement_counts_whoever_gave_it(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    plant(lake)
    finding = left(lake)[0]
    for who, said in (("ada", "right"), ("bob", "wrong"), ("ada", "unsure")):
        judge(lake, finding, said, who)
    assert tallies(lake)[0] == Tally("email_address", "d", 8, 0, 0, 1, 2)
    with connect(lake) as sql:
        assert sql.execute("FROM judgements SELECT who, judged ORDER BY who").fetchall() == [
            ("ada", "unsure"),
            ("bob", "wrong"),
        ]


def test_it_is_shown_in_its_text(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    rows = {row["row_id"]: n for n, row in enumerate(plant(lake))}
    with sample(lake) as drawn:
        shown = list(drawn.shown(judging_key(lake), row_strings))
    assert len(shown) == 6
    for one in shown:
        number = rows[one.finding.row_id]
        assert (one.text, one.text[one.start : one.end]) == (text_of(number), SECRET.format(number))
        assert one.content_hash not in {row for row in rows}
    assert len({one.content_hash for one in shown}) == 6


def test_a_place_that_is_no_longer_in_its_row_is_passed_over(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    plant(lake)
    with sample(lake) as drawn:
        assert list(drawn.shown(b"key", lambda row: [(PATH, "short")])) == []
        assert list(drawn.shown(b"key", lambda row: [])) == []


def test_content_is_named_by_a_keyed_hash(tmp_path: Path) -> None:
    """The plain hash of a short text is a dictionary away from it, and judgements are open to all."""
    lake = lake_in(tmp_path)
    rows = plant(lake)
    with sample(lake, 20) as drawn:
        shown = list(drawn.shown(judging_key(lake), row_strings))
    record(lake, [Judgement(one.finding, one.content_hash, "right") for one in shown], "ada")
    plain = {row["content_hash"] for row in rows}
    kept = {row["content_hash"] for batch in lake.scan("judgements") for row in batch.to_pylist()}
    assert len(kept) == len(rows)
    assert not kept & plain


def test_a_judgement_goes_with_its_finding(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    plant(lake)
    finding = left(lake)[0]
    moved = replace(finding, start=finding.start + 1)
    judge(lake, moved, "right")
    assert tallies(lake)[0].right == 0
    assert place_of(finding) in known_places(lake, [finding.row_id])
    assert place_of(moved) not in known_places(lake, [finding.row_id])


def test_two_persons_at_once_lose_nothing(lake: Lake) -> None:
    plant(lake)
    findings = left(lake, 4)
    for who in ("ada", "bob"):
        record(lake, [Judgement(f, "0" * 64, "right") for f in findings], who)
    rows = [row for batch in lake.scan("judgements") for row in batch.to_pylist()]
    assert len(rows) == 2 * len(findings)


def test_a_detector_that_found_nothing_is_told(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    plant(lake)
    with pytest.raises(DataError, match=r"No detector `tokn/d` found anything. Did you mean `token/d`\?"):
        left(lake, 3, BOTH, 0, "tokn/d")


def test_an_answer_that_is_none_is_refused(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    plant(lake)
    with pytest.raises(DataError, match="the answer is known"):
        judge(lake, left(lake)[0], "perhaps")
