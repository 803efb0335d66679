"""The same rows give the same files, wherever their batches end; what does not conform is refused."""

from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_lake import batch, conversation, lake_in

from schemas.raw import RAW
from schemas.rows import SANITIZED
from winnow.core.errors import DataError
from winnow.lake import parts
from winnow.lake.lake import read_rows
from winnow.lake.parts import GROUP_BYTES, GROUP_ROWS, PartWriter, conform, row_bytes

SOURCE = {"source": "s"}


def _row(n: int, size: int) -> dict[str, object]:
    return {
        "row_id": f"{n:032x}",
        "source": "s",
        "source_revision": "r",
        "occurrence": 0,
        "ordinal": n,
        "payload_kind": "text",
        "payload": bytes(size),
        "content_hash": "0" * 64,
    }


def _write(root: Path, rows: list[dict[str, object]], cuts: list[int], stem: str) -> list[bytes]:
    zone = lake_in(root).zone("restricted")
    writer = PartWriter(zone, "c", stem, RAW, {"winnow.stage": "ingest"})
    edges = [0, *sorted(cuts), len(rows)]
    for start, end in pairwise(edges):
        writer.write(conform(batch(RAW, rows[start:end]), RAW, SOURCE))
    return [zone.read_bytes(file.path) for file in writer.close()]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 5_000), min_size=0, max_size=12))
def test_batches_do_not_show_in_the_files(tmp_path: Path, cuts: list[int]) -> None:
    rows = [_row(n, 3_000 if n % 7 else 0) for n in range(5_000)]
    whole = _write(tmp_path, rows, [], "whole")
    assert _write(tmp_path, rows, cuts, "cut") == whole


def test_row_groups_are_bounded_and_a_giant_row_stands_alone(tmp_path: Path) -> None:
    rows = [_row(n, 10) for n in range(GROUP_ROWS + 5)]
    rows[7] = _row(7, GROUP_BYTES + 1)
    data = _write(tmp_path, rows, [], "p")
    meta = pq.ParquetFile(pa.BufferReader(data[0])).metadata
    sizes = [meta.row_group(g).num_rows for g in range(meta.num_row_groups)]
    assert sizes == [7, 1, GROUP_ROWS + 5 - 8]


def test_files_rotate_and_read_back_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "FILE_BYTES", 20_000)
    zone = lake_in(tmp_path).zone("restricted")
    writer = PartWriter(zone, "c", "p", RAW, {})
    rows = [_row(n, 10) for n in range(3 * GROUP_ROWS)]
    writer.write(conform(batch(RAW, rows), RAW, SOURCE))
    files = writer.close()
    assert len(files) > 1
    assert sum(file.rows for file in files) == len(rows)
    assert all(zone.read_bytes(f.path) and f.size == len(zone.read_bytes(f.path)) for f in files)
    names = list(RAW.names)
    read = [r for f in files for b in read_rows(zone, f, names, SOURCE, RAW, 500) for r in b.to_pylist()]
    assert [r["ordinal"] for r in read] == list(range(len(rows)))
    assert all(r["source"] == "s" for r in read)


def test_no_rows_make_one_file_without_any(tmp_path: Path) -> None:
    zone = lake_in(tmp_path).zone("restricted")
    files = PartWriter(zone, "c", "p", SANITIZED, {}).close()
    assert [file.rows for file in files] == [0]


@given(st.lists(st.lists(st.tuples(st.text(), st.none() | st.text()), max_size=3), max_size=8))
def test_row_bytes_counts_nested_text(rows: list[list[tuple[str, str | None]]]) -> None:
    kind = pa.list_(pa.struct([pa.field("a", pa.string()), pa.field("b", pa.string())]))
    column = pa.array([[{"a": a, "b": b} for a, b in row] for row in rows], kind)
    wanted = [sum(len((a + (b or "")).encode()) for a, b in row) for row in rows]
    assert row_bytes(column).tolist() == wanted
    assert row_bytes(column[1:]).tolist() == wanted[1:]


def _without(name: str) -> pa.RecordBatch:
    rows = batch(SANITIZED, [conversation("s", "k", "text")])
    return rows.select([n for n in rows.schema.names if n != name])


def test_an_unknown_column_is_refused_by_name() -> None:
    rows = _without("meta").append_column("metta", pa.array(["x"]))
    with pytest.raises(DataError, match=r"no column `metta`. Did you mean `meta`\?"):
        conform(rows, SANITIZED, SOURCE)


def test_a_missing_column_is_null_where_it_may_be() -> None:
    assert conform(_without("meta"), SANITIZED, SOURCE).column("meta").null_count == 1
    with pytest.raises(DataError, match="`kind` is missing and may not be null"):
        conform(_without("kind"), SANITIZED, SOURCE)


def test_a_null_and_a_misfit_are_refused_without_their_value() -> None:
    null = _without("kind").append_column("kind", pa.nulls(1, pa.string()))
    with pytest.raises(DataError, match="`kind` holds 1 nulls"):
        conform(null, SANITIZED, SOURCE)
    rows = batch(RAW, [_row(0, 1)])
    at = rows.schema.names.index("ordinal")
    misfit = rows.set_column(at, "ordinal", pa.array(["sk-secret"]))
    with pytest.raises(DataError) as caught:
        conform(misfit, RAW, SOURCE)
    assert "`ordinal`" in str(caught.value)
    assert "sk-secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_row_of_another_source_is_refused() -> None:
    with pytest.raises(DataError, match="partition source=s carries another source"):
        conform(batch(SANITIZED, [conversation("other", "k", "text")]), SANITIZED, SOURCE)


def test_wide_text_types_are_cast_to_the_contract() -> None:
    rows = batch(SANITIZED, [conversation("s", "k", "text")])
    at = rows.schema.names.index("license")
    wide = rows.set_column(at, "license", rows.column("license").cast(pa.large_string()))
    assert conform(wide, SANITIZED, SOURCE).schema.equals(SANITIZED.file_schema())
