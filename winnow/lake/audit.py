"""Judges a candidate by the files it wrote, before anyone may read them."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from schemas.contract import Contract
from winnow.lake.candidate import Candidate, CountKey, SideSlice
from winnow.lake.contracts import contract_of
from winnow.lake.faults import named_faults
from winnow.lake.head import FileRef, TableHead
from winnow.lake.lake import read_rows
from winnow.lake.names import SLUG, SPILL

_BATCH = 512
_MEMORY = "512MB"


@dataclass(frozen=True)
class AuditReport:
    """What the audit found; `failures` is empty when it passed, and never quotes text of a row."""

    passed: bool
    failures: tuple[str, ...]
    counts: dict[CountKey, tuple[int, int | None]]
    overridable: dict[str, str] = field(default_factory=dict)
    """Those of the failures that a person may override: name of the invariant to the failure."""

    @property
    def final(self) -> tuple[str, ...]:
        """The failures that nobody may override."""
        return tuple(f for f in self.failures if f not in self.overridable.values())


def audit(candidate: Candidate) -> AuditReport:
    """Reads every file of a closed candidate and holds it against its contracts and its account.

    Checked: footers against the contract, nulls, invariants, unique keys; for an accounted candidate also
    rows in = kept + dropped + parked, no row both kept and dropped, and each verdict a row that came in. Rows are
    accounted for unless something fails that nobody may override.
    Memory: one batch of rows, and the keys, which DuckDB spills to its temporary folder.
    """
    assert candidate.closed, "close the candidate before its audit"
    with _spill_folder(candidate) as spill, _connection(spill) as connection:
        overridable: dict[str, str] = {}
        failures = list(_audit_files(connection, candidate, candidate.contract, candidate.files, overridable))
        for piece in candidate.side.values():
            failures += _audit_files(connection, candidate, piece.contract, piece.files)
        if candidate.verdicts is not None:
            judged = candidate.verdicts
            failures += _audit_files(connection, candidate, judged.contract, judged.files)
            if len(failures) == len(overridable):
                failures += _audit_account(connection, candidate, judged)
    candidate.report = AuditReport(not failures, tuple(failures), candidate.counts, overridable)
    return candidate.report


def _audit_files(
    connection: duckdb.DuckDBPyConnection,
    candidate: Candidate,
    contract: Contract,
    files: Sequence[FileRef],
    overridable: dict[str, str] | None = None,
) -> Iterator[str]:
    """Every failure of files of one contract; those that may be overridden are noted in `overridable` too."""
    wrong = [message for file in files for message in _footer_faults(candidate, contract, file)]
    yield from wrong
    if wrong:
        return
    connection.register("candidate_rows", _reader(candidate, contract, files, contract.names))
    for name, failure in _value_faults(connection, contract):
        if overridable is not None and name in contract.overridable:
            overridable[name] = failure
        yield failure
    connection.register("candidate_rows", _reader(candidate, contract, files, contract.key))
    yield from _key_faults(connection, contract)
    connection.unregister("candidate_rows")


def _key_faults(connection: duckdb.DuckDBPyConnection, contract: Contract) -> Iterator[str]:
    key = ", ".join(contract.key)
    quoted = ", ".join(f'"{name}"' for name in contract.key)
    repeats = connection.execute(
        f"SELECT {quoted}, count(*) FROM candidate_rows GROUP BY ALL HAVING count(*) > 1 "  # noqa: S608
        "ORDER BY ALL LIMIT 4"
    ).fetchall()
    if repeats:
        shown = "; ".join("/".join(map(str, values)) for values in repeats)
        yield f"{contract.table}: key ({key}) is not unique: {shown} times"


def _footer_faults(candidate: Candidate, contract: Contract, file: FileRef) -> Iterator[str]:
    name = file.path.rpartition("/")[2]
    with (
        candidate.zone.open_input(file.path) as opened,
        named_faults(candidate.zone.settings, f"reading {file.path}"),
    ):
        try:
            parquet = pq.ParquetFile(opened, memory_map=False)
        except pa.ArrowInvalid:
            yield f"{contract.table}: {name} is not a Parquet file"
            return
        schema, rows = parquet.schema_arrow, parquet.metadata.num_rows
    yield from _schema_faults(contract, schema, name)
    if rows != file.rows:
        yield f"{contract.table}: {name} holds {rows} rows, and {file.rows} were written"
    stored = {k.decode(): v.decode() for k, v in (schema.metadata or {}).items()}
    for key, value in candidate.footer(contract).items():
        if stored.get(key) != value:
            yield f"{contract.table}: {name} carries another {key} than the candidate"


def _schema_faults(contract: Contract, schema: Any, name: str) -> Iterator[str]:
    wanted = contract.file_schema()
    for column in wanted:
        if column.name not in schema.names:
            yield f"{contract.table}: {name} lacks column `{column.name}`"
        elif schema.field(column.name).type != column.type:
            yield (
                f"{contract.table}: {name} has column `{column.name}` as {schema.field(column.name).type}, "
                f"and the contract says {column.type}"
            )
        elif schema.field(column.name).nullable != column.nullable:
            yield f"{contract.table}: {name} and the contract differ in whether `{column.name}` may be null"
    for extra in sorted(set(schema.names) - set(wanted.names)):
        yield f"{contract.table}: {name} has a column `{extra}` that the contract does not know"
    if set(schema.names) == set(wanted.names) and schema.names != wanted.names:
        yield f"{contract.table}: {name} has its columns in another order than the contract"


def _value_faults(connection: duckdb.DuckDBPyConnection, contract: Contract) -> Iterator[tuple[str, str]]:
    """Name of the invariant, empty for a null, and the failure."""
    nulls = [c.name for c in contract.columns if not c.nullable]
    checks = [("", f"column `{name}` is null", f'"{name}" IS NULL') for name in nulls]
    checks += [
        (name, f"not true: {name}", f"NOT coalesce(({condition}), false)")
        for name, condition in contract.invariants.items()
    ]
    asked = ", ".join(f"count(*) FILTER (WHERE {condition})" for _, _, condition in checks)
    found = connection.execute(f"SELECT {asked} FROM candidate_rows").fetchone() or ()  # noqa: S608
    for (name, check, _), count in zip(checks, found, strict=True):
        if count:
            yield name, f"{contract.table}: {check}: {count} rows"


def _audit_account(
    connection: duckdb.DuckDBPyConnection, candidate: Candidate, judged: SideSlice
) -> Iterator[str]:
    kept_columns = ["row_id", *(["parent_row_id"] if candidate.fan_out else [])]
    _load(connection, "kept", _reader(candidate, candidate.contract, candidate.files, kept_columns))
    owner = "coalesce(parent_row_id, row_id)" if candidate.fan_out else "row_id"
    connection.execute(
        f"CREATE TEMP TABLE kept_as AS SELECT DISTINCT {owner} AS row_id FROM kept"  # noqa: S608
    )
    _load(connection, "judged", _reader(candidate, judged.contract, judged.files, ["row_id", "decision"]))
    connection.execute("CREATE TEMP VIEW gone AS FROM judged WHERE decision IN ('drop', 'park')")
    yield from _balance(connection, candidate)
    yield from _listed(
        connection,
        "rows both kept and dropped or parked",
        "SELECT row_id FROM gone WHERE row_id IN (FROM kept_as) OR row_id IN (SELECT row_id FROM kept)",
    )
    yield from _listed(
        connection,
        "rows judged keep or redact that were not kept",
        "SELECT row_id FROM judged ANTI JOIN kept_as USING (row_id) WHERE decision IN ('keep', 'redact')",
    )
    yield from _strangers(connection, candidate)


def _balance(connection: duckdb.DuckDBPyConnection, candidate: Candidate) -> Iterator[str]:
    found = connection.execute(
        "SELECT (SELECT count(*) FROM kept_as), "
        "count(*) FILTER (WHERE decision = 'drop'), count(*) FILTER (WHERE decision = 'park') FROM judged"
    ).fetchone()
    assert found is not None
    kept, dropped, parked = found
    if candidate.rows_in != kept + dropped + parked:
        yield (
            f"{candidate.contract.table}: {candidate.rows_in} rows in, but "
            f"{kept} kept + {dropped} dropped + {parked} parked = {kept + dropped + parked}"
        )


def _strangers(connection: duckdb.DuckDBPyConnection, candidate: Candidate) -> Iterator[str]:
    came_in = list(_input_rows(candidate))
    if not came_in:
        return
    batches = (
        batch
        for head in came_in
        for batch in candidate.lake.scan(head.table, [candidate.source], ["row_id"], head)
    )
    schema = pa.schema([pa.field("row_id", pa.string(), nullable=False)])
    _load(connection, "came_in", pa.RecordBatchReader.from_batches(schema, batches))
    count = connection.execute("SELECT count(*) FROM came_in").fetchone()
    assert count is not None
    if count[0] != candidate.rows_in:
        yield f"{candidate.contract.table}: {candidate.rows_in} rows in, but its input holds {count[0]}"
    for what, table in (("verdicts on rows", "judged"), ("kept rows", "kept_as")):
        strangers = f"SELECT row_id FROM {table} ANTI JOIN came_in USING (row_id)"  # noqa: S608
        yield from _listed(connection, f"{what} that did not come in", strangers)


def _input_rows(candidate: Candidate) -> Iterator[TableHead]:
    """Heads of the tables of rows that the candidate names as input and that still hold what it read."""
    for key, version in candidate.inputs.items():
        table, _, source = key.partition("/")
        if source != candidate.source or not SLUG.fullmatch(table) or table.startswith("verdicts_"):
            continue
        if "row_id" not in contract_of(table).names:
            continue
        head = candidate.lake.head(table)
        if source in head.partitions and head.partitions[source].data_version == version:
            yield head


def _listed(connection: duckdb.DuckDBPyConnection, what: str, query: str) -> Iterator[str]:
    found = connection.execute(f"SELECT count(*), min(row_id) FROM ({query})").fetchone()  # noqa: S608
    assert found is not None
    if found[0]:
        yield f"{found[0]} {what}, e.g. {found[1]}"


def _load(connection: duckdb.DuckDBPyConnection, table: str, reader: Any) -> None:
    connection.register(f"{table}_stream", reader)
    connection.execute(f"CREATE TEMP TABLE {table} AS SELECT * FROM {table}_stream")  # noqa: S608
    connection.unregister(f"{table}_stream")


def _reader(candidate: Candidate, contract: Contract, files: Sequence[FileRef], names: Sequence[str]) -> Any:
    schema = pa.schema([contract.arrow_schema().field(name).with_nullable(True) for name in names])
    batches = (
        batch.cast(schema)
        for file in files
        if file.rows
        for batch in read_rows(candidate.zone, file, list(names), candidate.values, contract, _BATCH)
    )
    return pa.RecordBatchReader.from_batches(schema, batches)


def _spill_folder(candidate: Candidate) -> "tempfile.TemporaryDirectory[str]":
    """A folder of its own, for DuckDB names its spill files alike in every process; keys are all they hold."""
    if candidate.zone.settings.is_s3:
        return tempfile.TemporaryDirectory(prefix="winnow-audit-")
    parent = Path(candidate.zone.uri(SPILL))
    with named_faults(candidate.zone.settings, "making a folder to spill to"):
        candidate.zone.ensure()
        parent.mkdir(exist_ok=True)
        return tempfile.TemporaryDirectory(prefix="winnow-audit-", dir=parent)


def _connection(spill: str) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        config={
            "memory_limit": _MEMORY,
            "threads": 2,
            "preserve_insertion_order": "false",
            "temp_directory": spill,
        }
    )
