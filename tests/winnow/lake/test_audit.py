"""Each check of the audit finds its own fault, and nothing else does."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_lake import Row, batch, conversation

from schemas.contract import Contract
from schemas.rows import CONVERSATIONS, SANITIZED
from schemas.verdicts import verdicts_contract
from winnow.core.errors import AuditError
from winnow.core.identity import digest
from winnow.core.stage import StageOutput, Verdict, verdict_batch
from winnow.lake.audit import audit
from winnow.lake.candidate import Candidate
from winnow.lake.head import FileRef, TableHead
from winnow.lake.lake import Lake
from winnow.lake.publish import publish

ROWS = [conversation("s", f"k{n}", f"text {n}") for n in range(5)]


def _candidate(
    lake: Lake,
    kept: Sequence[Row],
    verdicts: Sequence[Verdict] = (),
    rows_in: int | None = None,
    inputs: dict[str, str] | None = None,
    fan_out: bool = False,
    contract: Contract = SANITIZED,
    stage: str = "sanitize",
) -> Candidate:
    with lake.candidate(contract, "s", stage, digest("v"), "1", inputs or {}, fan_out=fan_out) as candidate:
        output = StageOutput(
            len(kept) if rows_in is None else rows_in, batch(contract, kept), verdict_batch(verdicts)
        )
        candidate.write(output)
    return candidate


def _verdict(row: Row, decision: str = "drop") -> Verdict:
    return Verdict(row["row_id"], "s", decision, "rule")


def _failures(candidate: Candidate) -> str:
    report = audit(candidate)
    assert report.passed == (not report.failures)
    return "; ".join(report.failures)


def _replace_file(candidate: Candidate, table: pa.Table, metadata: bool = True) -> None:
    """Puts another file in the place of the candidate's only one, as a faulty writer would have left it."""
    if metadata:
        table = table.replace_schema_metadata(candidate.footer(candidate.contract))
    path = candidate.files[0].path
    with candidate.zone.open_output(path) as file:
        pq.write_table(table, file)
    size = len(candidate.zone.read_bytes(path))
    candidate.files = [FileRef(path, size, table.num_rows)]


def _stored(candidate: Candidate) -> pa.Table:
    return pq.read_table(pa.BufferReader(candidate.zone.read_bytes(candidate.files[0].path)))


def test_a_sound_candidate_passes(lake: Lake) -> None:
    candidate = _candidate(
        lake, ROWS[2:], [_verdict(ROWS[0]), _verdict(ROWS[1], "park"), _verdict(ROWS[2], "redact")], 5
    )
    assert _failures(candidate) == ""
    assert candidate.counts == {
        ("drop", "rule"): (1, None),
        ("in", ""): (5, None),
        ("keep", ""): (2, None),
        ("park", "rule"): (1, None),
        ("redact", "rule"): (1, None),
    }


def test_an_empty_candidate_passes(lake: Lake) -> None:
    assert _failures(_candidate(lake, [])) == ""


@pytest.mark.parametrize(
    ("column", "value", "failure"),
    [
        ("kind", "novel", "not true: kind is known: 1 rows"),
        ("row_id", "not-a-hash", "not true: row_id is 32 hex digits: 1 rows"),
        ("messages", [], "not true: a row has a message: 1 rows"),
    ],
)
def test_an_invariant_that_one_row_breaks(lake: Lake, column: str, value: Any, failure: str) -> None:
    assert failure in _failures(_candidate(lake, [{**ROWS[0], column: value}, *ROWS[1:]]))


def test_a_key_that_is_not_unique(lake: Lake) -> None:
    failures = _failures(_candidate(lake, [*ROWS, ROWS[0]]))
    assert f"key (row_id) is not unique: {ROWS[0]['row_id']}/2 times" in failures


def test_two_verdicts_on_one_row(lake: Lake) -> None:
    verdicts = [_verdict(ROWS[0]), _verdict(ROWS[0], "park")]
    assert "verdicts_sanitize: key (row_id) is not unique" in _failures(
        _candidate(lake, ROWS[1:], verdicts, 5)
    )


def test_an_unknown_decision(lake: Lake) -> None:
    failures = _failures(_candidate(lake, ROWS[1:], [_verdict(ROWS[0], "perhaps")], 5))
    assert "verdicts_sanitize: not true: decision is known: 1 rows" in failures


@pytest.mark.parametrize(("rows_in", "total"), [(6, 5), (4, 5)])
def test_rows_that_came_in_and_are_not_accounted_for(lake: Lake, rows_in: int, total: int) -> None:
    failures = _failures(_candidate(lake, ROWS[1:], [_verdict(ROWS[0])], rows_in))
    assert f"sanitized: {rows_in} rows in, but 4 kept + 1 dropped + 0 parked = {total}" in failures


def test_a_row_both_kept_and_dropped(lake: Lake) -> None:
    failures = _failures(_candidate(lake, ROWS, [_verdict(ROWS[0])], 6))
    assert f"1 rows both kept and dropped or parked, e.g. {ROWS[0]['row_id']}" in failures


def test_a_redacted_row_that_was_not_kept(lake: Lake) -> None:
    failures = _failures(_candidate(lake, ROWS[1:], [_verdict(ROWS[0], "redact")], 4))
    assert "1 rows judged keep or redact that were not kept" in failures


def _with_input(lake: Lake) -> dict[str, str]:
    publish(lake, _candidate(lake, ROWS, contract=CONVERSATIONS, stage="normalize"))
    return {"conversations/s": lake.head("conversations").partitions["s"].data_version}


def test_a_verdict_on_a_row_that_did_not_come_in(lake: Lake) -> None:
    inputs = _with_input(lake)
    stranger = conversation("s", "stranger", "who")
    failures = _failures(_candidate(lake, ROWS[1:], [_verdict(stranger)], 5, inputs))
    assert f"1 verdicts on rows that did not come in, e.g. {stranger['row_id']}" in failures


def test_a_kept_row_that_did_not_come_in(lake: Lake) -> None:
    inputs = _with_input(lake)
    failures = _failures(_candidate(lake, [conversation("s", "stranger", "who"), *ROWS[1:]], inputs=inputs))
    assert "1 kept rows that did not come in" in failures


def test_rows_of_the_input_that_were_never_read(lake: Lake) -> None:
    failures = _failures(_candidate(lake, ROWS[1:], inputs=_with_input(lake)))
    assert "sanitized: 4 rows in, but its input holds 5" in failures


def test_an_input_that_moves_during_the_audit_is_read_as_it_was(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = _candidate(lake, ROWS, inputs=_with_input(lake))
    with lake.candidate(CONVERSATIONS, "s", "normalize", digest("v2"), "1", {}) as newer:
        newer.write(StageOutput(1, batch(CONVERSATIONS, ROWS[:1]), verdict_batch([])))
    head, moved = lake.head, []

    def moving(table: str, version: int | None = None) -> TableHead:
        found = head(table, version)
        if not moved:
            moved.append(table)
            publish(lake, newer)
        return found

    monkeypatch.setattr(lake, "head", moving)
    assert audit(candidate).failures == ()
    assert moved == ["conversations"]


def test_children_count_through_their_parent(lake: Lake) -> None:
    children = [
        {**conversation("s", f"c{n}", f"turn {n}"), "parent_row_id": ROWS[0]["row_id"]} for n in range(3)
    ]
    kept = [*children, *ROWS[1:]]
    assert _failures(_candidate(lake, kept, rows_in=5, inputs=_with_input(lake), fan_out=True)) == ""
    assert "5 rows in, but 7 kept" in _failures(_candidate(lake, kept, rows_in=5))
    both = _candidate(lake, kept, [_verdict(ROWS[0])], rows_in=6, fan_out=True)
    assert "1 rows both kept and dropped or parked" in _failures(both)


def test_a_null_where_none_may_be(lake: Lake) -> None:
    candidate = _candidate(lake, ROWS)
    stored = _stored(candidate)
    at = stored.schema.names.index("kind")
    nulls = pa.array([None, *stored.column("kind").to_pylist()[1:]], pa.string())
    _replace_file(candidate, stored.set_column(at, pa.field("kind", pa.string()), nulls))
    assert "may be null" in _failures(candidate)
    loose = replace(SANITIZED, columns=tuple(replace(c, nullable=True) for c in SANITIZED.columns))
    candidate.contract = loose
    assert "may be null" in _failures(candidate)


def test_the_values_are_held_against_the_contract_and_not_the_footer(lake: Lake) -> None:
    import duckdb

    from winnow.lake.audit import _value_faults

    with duckdb.connect() as connection:
        connection.register(
            "candidate_rows", pa.table({"row_id": pa.array([None, "a"]), "decision": ["drop"] * 2})
        )
        small = replace(
            verdicts_contract("sanitize"),
            columns=tuple(
                c for c in verdicts_contract("sanitize").columns if c.name in ("row_id", "decision")
            ),
        )
        assert list(_value_faults(connection, small)) == [
            ("", "verdicts_sanitize: column `row_id` is null: 1 rows")
        ]


def test_a_footer_of_another_type(lake: Lake) -> None:
    candidate = _candidate(lake, ROWS)
    stored = _stored(candidate)
    at = stored.schema.names.index("kind")
    field = pa.field("kind", pa.large_string(), nullable=False)
    _replace_file(candidate, stored.set_column(at, field, stored.column("kind").cast(pa.large_string())))
    assert "column `kind` as large_string, and the contract says string" in _failures(candidate)


def test_a_footer_that_lacks_a_column_or_has_one_more(lake: Lake) -> None:
    candidate = _candidate(lake, ROWS)
    stored = _stored(candidate)
    _replace_file(candidate, stored.drop_columns(["meta"]).append_column("metta", stored.column("meta")))
    failures = _failures(candidate)
    assert "lacks column `meta`" in failures
    assert "has a column `metta` that the contract does not know" in failures


def test_a_footer_in_another_order(lake: Lake) -> None:
    candidate = _candidate(lake, ROWS)
    _replace_file(candidate, _stored(candidate).select(list(reversed(SANITIZED.file_schema().names))))
    assert "columns in another order" in _failures(candidate)


def test_a_footer_without_its_inputs(lake: Lake) -> None:
    candidate = _candidate(lake, ROWS)
    _replace_file(candidate, _stored(candidate).replace_schema_metadata(None), metadata=False)
    assert "carries another winnow.inputs than the candidate" in _failures(candidate)


def test_a_file_with_other_rows_than_were_written(lake: Lake) -> None:
    candidate = _candidate(lake, ROWS)
    written = candidate.files[0]
    _replace_file(candidate, _stored(candidate).slice(1))
    candidate.files = [replace(candidate.files[0], rows=written.rows)]
    assert "holds 4 rows, and 5 were written" in _failures(candidate)


def test_a_torn_file(lake: Lake) -> None:
    candidate = _candidate(lake, ROWS)
    data = candidate.zone.read_bytes(candidate.files[0].path)
    candidate.zone.put(candidate.files[0].path, data[:-10])
    assert "is not a Parquet file" in _failures(candidate)


def test_a_failed_candidate_is_never_published(lake: Lake) -> None:
    publish(lake, _candidate(lake, ROWS))
    before = lake.head("sanitized").partitions["s"]
    broken = _candidate(lake, [{**ROWS[0], "kind": "novel"}])
    broken.stage_version = digest("v2")
    with pytest.raises(AuditError, match=r"failed its audit: .*kind is known"):
        publish(lake, broken)
    assert lake.head("sanitized").partitions["s"] == before
    assert not list(lake.zone("restricted").list("_candidates"))
