"""The lake: pinned heads and streamed rows of every table, in both zones."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.contract import Contract
from winnow.core.errors import DataError, near_miss
from winnow.lake.candidate import Candidate, TokenOf
from winnow.lake.contracts import contract_of
from winnow.lake.faults import named_faults
from winnow.lake.head import FileRef, PartitionState, TableHead, other_columns, read_head
from winnow.lake.settings import LakeSettings, ZoneName
from winnow.lake.zone import Zone

Complete = Callable[[pa.RecordBatch, int], pa.RecordBatch]

__all__ = ["FileRef", "Lake", "PartitionState", "TableHead"]


class Lake:
    """Both zones of a lake. Picklable; opens nothing until used.

    A reader resolves a head once and passes it on: what it then reads never changes under it.
    """

    def __init__(self, settings: LakeSettings) -> None:
        self.settings = settings

    @classmethod
    def open(cls, settings: LakeSettings | None = None) -> Self:
        """The lake of these settings, by default the one that the environment names."""
        return cls(settings or LakeSettings.from_env())

    def __reduce__(self) -> tuple[type, tuple[LakeSettings]]:
        return (type(self), (self.settings,))

    @cached_property
    def _zones(self) -> dict[str, Zone]:
        return {"open": Zone(self.settings.open), "restricted": Zone(self.settings.restricted)}

    def zone(self, name: ZoneName) -> Zone:
        return self._zones[name]

    def zone_of(self, table: str) -> Zone:
        """The zone that a table's contract puts it in."""
        return self._zones[contract_of(table).zone]

    def head(self, table: str, version: int | None = None) -> TableHead:
        """The table at a version, the newest when None; `.version` is None while it does not exist.

        Raises DataError when something else wrote into it, or the version is not there; ConfigError when
        `schemas/` declares no such table.
        """
        contract = contract_of(table)
        return read_head(self._zones[contract.zone], contract, version)

    def published(self, table: str, source: str, stage_version: str) -> PartitionState | None:
        """The partition when it already holds this stage version, so that nothing need be done; else None."""
        state = self.head(table).partitions.get(source)
        return state if state is not None and state.stage_version == stage_version else None

    def scan(
        self,
        table: str,
        sources: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        head: TableHead | None = None,
        batch_rows: int = 512,
    ) -> Iterator[pa.RecordBatch]:
        """Rows in file order, at most `batch_rows` a batch, one row group in memory at a time.

        Columns come in the order asked for, by default all in contract order, partition columns included.
        A source without a partition yields nothing. Raises DataError when a file of the head is gone.
        """
        head = head or self.head(table)
        names = list(columns) if columns is not None else list(head.contract.names)
        for name in names:
            if name not in head.contract.names:
                raise DataError(f"{table} has no column `{name}`.{near_miss(name, head.contract.names)}")
        for state in head.select(sources):
            constants = dict(zip(head.contract.partition_by, state.values, strict=True))
            for file in state.files:
                if file.rows:
                    yield from read_rows(head.zone, file, names, constants, head.contract, batch_rows)

    def candidate(
        self,
        contract: Contract,
        source: str,
        stage: str,
        stage_version: str,
        code_version: str,
        inputs: Mapping[str, str],
        *,
        verdict_version: int | None = None,
        accounted: bool = True,
        fan_out: bool = False,
        token_of: TokenOf | None = None,
    ) -> Candidate:
        """A new attempt at a partition, to be used as a context manager.

        `inputs` names the data version of each input partition by `<table>/<source>`. `verdict_version` is
        given when the verdicts were published before (a global stage). With `accounted=False` the rows have
        neither verdicts nor counts. `fan_out` says that the stage splits rows: kept rows count through their
        `parent_row_id`. `token_of` gives the tokens of each kept row.
        """
        return Candidate(
            self,
            contract,
            source,
            stage,
            stage_version,
            code_version,
            inputs,
            verdict_version=verdict_version,
            accounted=accounted,
            fan_out=fan_out,
            token_of=token_of,
        )

    def empty_partition(self, table: str, source: str) -> bool:
        """Publishes a partition without rows, for a source that was removed; False when that is done."""
        from winnow.lake.publish import publish_empty

        return publish_empty(self, table, source)


def read_rows(
    zone: Zone,
    file: FileRef,
    names: Sequence[str],
    constants: Mapping[str, str],
    contract: Contract,
    batch_rows: int,
) -> Iterator[pa.RecordBatch]:
    """Rows of one file in the contract's types, with the partition columns as constants.

    Raises DataError for a file that is gone, or that lacks a column.
    """
    schema = pa.schema([contract.arrow_schema().field(name) for name in names])
    stored = [name for name in names if name not in constants]
    try:
        with zone.open_input(file.path) as opened:
            complete = _completer(schema, constants)
            yield from _row_groups(zone, opened, file, contract, stored, complete, batch_rows)
    except FileNotFoundError as error:
        raise DataError(
            f"{zone.uri(file.path)} is gone, but the log of {contract.table} names it. "
            "Read a newer version, or restore the file."
        ) from error


def _row_groups(
    zone: Zone,
    opened: Any,
    file: FileRef,
    contract: Contract,
    stored: list[str],
    complete: Complete,
    batch_rows: int,
) -> Iterator[pa.RecordBatch]:
    doing = f"reading {file.path}"
    with named_faults(zone.settings, doing):
        # pre_buffer would hold every row group read so far; a memory map counts as memory of the process
        parquet = pq.ParquetFile(opened, memory_map=False, pre_buffer=False)
    if not set(stored) <= set(parquet.schema_arrow.names):
        raise other_columns(zone, contract)
    for group in range(parquet.num_row_groups):
        with named_faults(zone.settings, doing):
            rows = parquet.read_row_group(group, columns=stored, use_threads=False)
        count = parquet.metadata.row_group(group).num_rows
        for start in range(0, count, batch_rows):
            size = min(batch_rows, count - start)
            piece = rows.slice(start, size).combine_chunks().to_batches()
            yield complete(piece[0] if piece else pa.record_batch([], names=[]), size)


def _completer(
    schema: pa.Schema, constants: Mapping[str, str]
) -> Callable[[pa.RecordBatch, int], pa.RecordBatch]:
    def complete(batch: pa.RecordBatch, size: int) -> pa.RecordBatch:
        columns = [
            pa.repeat(pa.scalar(constants[field.name], field.type), size)
            if field.name in constants
            else batch.column(field.name).cast(field.type)
            for field in schema
        ]
        return pa.RecordBatch.from_arrays(columns, schema=schema)

    return complete
