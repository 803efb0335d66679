from collections import Counter
from pathlib import Path

import pytest
from small_lake import grow, grown, lake_in, sample

from winnow.lake.explanation import LAYERS
from winnow.lake.funnel import FunnelLine, funnel
from winnow.lake.lake import Lake


def total(lines: list[FunnelLine], stage: str, *decisions: str) -> int:
    return sum(line.rows for line in lines if line.stage == stage and line.decision in decisions)


def rows_in(lake: Lake, table: str, source: str | None = None) -> int:
    return sum(b.num_rows for b in lake.scan(table, [source] if source else None, ["source"]))


@pytest.mark.parametrize("source", [None, "alpha", "beta"])
def test_each_stage_accounts_for_every_row_and_hands_on_what_it_kept(
    tmp_path: Path, source: str | None
) -> None:
    lake = grown(tmp_path)
    lines = funnel(lake, source)
    stages = [stage for stage in LAYERS if stage != "preference"]  # which has none to tell of here
    for stage, after in zip(stages, [*stages[1:], None], strict=True):
        assert total(lines, stage, "in") == total(lines, stage, "kept", "drop", "park")
        assert total(lines, stage, "kept") == rows_in(lake, LAYERS[stage], source)
        if after:
            assert total(lines, after, "in") == total(lines, stage, "kept")
    assert list(dict.fromkeys(line.stage for line in lines)) == stages


def test_a_rule_has_its_line_and_a_stage_starts_with_its_totals(tmp_path: Path) -> None:
    lines = [line for line in funnel(grown(tmp_path)) if line.stage == "dedup"]
    assert [(line.decision, line.rule) for line in lines] == [
        ("in", ""),
        ("kept", ""),
        ("drop", "exact_copy"),
    ]
    assert lines[2].rows == 5
    assert lines[0].layer == "deduped"


def test_tokens_are_summed_where_all_are_known_and_null_where_one_is_not(tmp_path: Path) -> None:
    tokens = {(line.stage, line.decision): line.tokens for line in funnel(grown(tmp_path))}
    assert tokens["sanitize", "kept"] == 14 * 7
    assert tokens["sanitize", "redact"] == 2 * 7
    assert tokens["quality", "kept"] is None


def test_sources_add_up(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    parts: Counter[tuple[str, str, str]] = Counter()
    for source in ("alpha", "beta"):
        for line in funnel(lake, source):
            parts[line.stage, line.decision, line.rule] += line.rows
    whole = {(line.stage, line.decision, line.rule): line.rows for line in funnel(lake)}
    assert dict(parts) == whole


def test_the_funnel_follows_the_lake(tmp_path: Path) -> None:
    lake, rows = grown(tmp_path), sample()
    grow(lake, {**rows, "beta": []})
    assert total(funnel(lake, "beta"), "ingest", "in") == 0
    assert total(funnel(lake), "ingest", "in") == len(rows["alpha"])


def test_an_empty_lake_has_an_empty_funnel(tmp_path: Path) -> None:
    assert funnel(lake_in(tmp_path)) == []


def test_without_the_restricted_zone_the_open_counts_are_taken_as_they_are(tmp_path: Path) -> None:
    before = funnel(grown(tmp_path))
    (tmp_path / "lake_raw").rename(tmp_path / "elsewhere")
    assert funnel(lake_in(tmp_path)) == before
    assert not (tmp_path / "lake_raw").exists()
