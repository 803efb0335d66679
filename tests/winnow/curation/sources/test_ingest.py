import json
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reading import collect, ingest, source

from winnow.core.errors import ConfigError
from winnow.curation.sources import ReadSettings, read, source_version

records = st.lists(
    st.fixed_dictionaries({"id": st.integers(0, 9) | st.text(max_size=3), "text": st.text(max_size=20)}),
    max_size=40,
)


def write(folder: Path, rows: list[object], name: str = "a.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows")


@given(records, st.integers(1, 7), st.integers(1, 2000), st.sampled_from([None, "id"]))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_ids_are_unique_and_the_same_whatever_the_batches(
    folder: Path, rows: list[object], batch_rows: int, batch_bytes: int, key: str | None
):
    entry = source("jsonl", write(folder, rows), key=key)
    whole = ingest(entry)
    pieces = ingest(entry, batch_rows=batch_rows, batch_bytes=batch_bytes)
    assert len(set(whole.ids)) == len(rows)
    assert pieces.rows == whole.rows
    assert pieces.verdicts == whole.verdicts
    assert max(pieces.batches, default=0) <= batch_rows


@given(records, st.randoms(use_true_random=False))
def test_a_record_more_changes_no_other_id(folder: Path, rows: list[object], chance: random.Random):
    before = set(ingest(source("jsonl", write(folder, rows))).ids)
    more = list(rows)
    more.insert(chance.randint(0, len(rows)), {"text": "one that is new " * 2})
    after = set(ingest(source("jsonl", write(folder, more))).ids)
    assert before < after
    assert len(after - before) == 1


@given(records, st.integers(1, 20), st.randoms(use_true_random=False))
def test_a_cap_takes_the_same_rows_in_any_order_of_the_file(
    folder: Path, rows: list[object], cap: int, chance: random.Random
):
    shuffled = list(rows)
    chance.shuffle(shuffled)
    one = ingest(source("jsonl", write(folder, rows), cap=cap))
    other = ingest(source("jsonl", write(folder, shuffled), cap=cap))
    assert sorted(one.ids) == sorted(other.ids)
    assert len(one.rows) == min(cap, len(rows))
    assert one.rules.get(("drop", "source-cap"), 0) == len(rows) - len(one.rows)


def test_a_cap_counts_what_passed_the_filters_and_ids_know_neither(tmp_path: Path):
    path = write(tmp_path, [{"id": i, "n": i % 2} for i in range(100)])
    conditions = ({"field": "n", "op": "==", "value": 1},)
    whole = ingest(source("jsonl", path, key="id"))
    chosen = ingest(source("jsonl", path, key="id", filters=conditions, cap=20))
    assert len(chosen.rows) == 20
    assert chosen.rules == {("drop", "source-filter"): 50, ("drop", "source-cap"): 30}
    assert {row["row_id"]: row["key"] for row in chosen.rows}.items() <= dict(
        zip(whole.ids, whole.column("key"), strict=True)
    ).items()
    assert len({v["row_id"] for v in chosen.verdicts} | set(chosen.ids)) == 100


def test_a_capped_source_too_large_to_hold_gives_the_same(tmp_path: Path):
    entry = source("jsonl", write(tmp_path, [{"id": i % 70} for i in range(100)]), key="id", cap=30)
    held = ingest(entry)
    again = ingest(entry, held_bytes=1000)
    assert (again.rows, again.verdicts) == (held.rows, held.verdicts)


def test_a_filter_leaves_what_it_cannot_read_to_normalize(tmp_path: Path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"n": 1}\nnot json\n[1]\n{"n": 2}\n')
    result = ingest(source("jsonl", path, filters=({"field": "n", "op": "==", "value": 2},)))
    assert result.column("payload") == [b"not json", b"[1]", b'{"n": 2}']


def test_batches_stay_small_and_a_large_record_has_its_own(tmp_path: Path):
    texts = ["x" * 400, "y" * 3000, *["z" * 400] * 5]
    outputs = list(
        read(source("jsonl", write(tmp_path, [{"t": t} for t in texts])), ReadSettings(batch_bytes=2000))
    )
    assert [o.rows_in for o in outputs] == [1, 1, 2, 2, 1]
    assert len(collect(outputs).rows) == 7


def test_the_revision_stands_in_every_row(tmp_path: Path):
    path = write(tmp_path, [{"a": 1}])
    assert ingest(source("jsonl", path, revision="v7")).column("source_revision") == ["v7"]
    (derived,) = ingest(source("jsonl", path)).column("source_revision")
    write(tmp_path, [{"a": 2}])
    assert derived.startswith("content-")
    assert ingest(source("jsonl", path)).column("source_revision") != [derived]


def test_the_version_moves_with_content_and_entry_and_not_with_the_name(tmp_path: Path):
    path = write(tmp_path, [{"a": 1}])
    entry = source("jsonl", path)
    version = source_version(entry)
    assert source_version(source("jsonl", path, name="Other")) == version
    assert source_version(entry, ReadSettings(batch_rows=3)) == version
    assert source_version(entry, ReadSettings(max_record_bytes=9)) != version
    assert source_version(source("jsonl", path, cap=9)) != version
    assert source_version(source("jsonl", path, licence="MIT")) != version
    write(tmp_path, [{"a": 2}])
    assert source_version(entry) != version


@pytest.mark.parametrize("kind", ["python_distributions", "docstring_functions"])
def test_the_version_of_installed_code_is_stable(kind: str):
    entry = source(kind, "typer")
    assert source_version(entry) == source_version(entry)
    assert source_version(entry) != source_version(source(kind, "rich"))


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_missing_path_is_a_config_error_in_both_verbs(kind: str, tmp_path: Path):
    entry = source(kind, tmp_path / "nothing")
    with pytest.raises(ConfigError, match="source `some-source`, `location`: got"):
        ingest(entry)
    with pytest.raises(ConfigError, match="source `some-source`, `location`: got"):
        source_version(entry)


def test_the_licence_of_the_entry_stands_in_where_a_record_has_none(tmp_path: Path):
    assert ingest(source("jsonl", write(tmp_path, [{}]), licence="CC0-1.0")).column("license") == ["CC0-1.0"]
    assert set(ingest(source("python_distributions", "typer", licence="X")).column("license")) == {"MIT"}
