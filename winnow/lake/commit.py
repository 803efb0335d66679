"""Commits to a Delta log: whole partitions replaced in one transaction by files already in place."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable, Schema
from deltalake.exceptions import CommitFailedError
from deltalake.transaction import AddAction, CommitProperties, PostCommitHookProperties

from schemas.contract import Contract
from winnow.core.errors import RunError
from winnow.lake.faults import named_faults
from winnow.lake.head import (
    FileRef,
    PartitionState,
    TableHead,
    delta_table,
    foreign,
    head_of,
    other_columns,
    read_head,
)
from winnow.lake.names import folder, is_marker, marker_name, parse_part
from winnow.lake.zone import Zone

INCOMING = "_incoming-"
"""Prefix of a copied file that has no final name yet; no log ever names one."""
_FOREVER = {"delta.logRetentionDuration": "interval 36500 days", "delta.enableExpiredLogCleanup": "false"}
_ATTEMPTS = 20
_RETRIES = 100
_HOOKS = PostCommitHookProperties(create_checkpoint=True, cleanup_expired_logs=False)


@dataclass(frozen=True)
class Slice:
    """New content of one partition: its values in partition order, and files in place under the table."""

    values: tuple[str, ...]
    files: tuple[FileRef, ...]

    @property
    def key(self) -> str:
        return "/".join(self.values)


def open_or_create(zone: Zone, contract: Contract) -> DeltaTable:
    """The table, made empty when there is none.

    Raises DataError when the folder holds files that are not ours, or the log has other columns.
    """
    opened = delta_table(zone, contract.table)
    if opened is None:
        opened = _create(zone, contract)
    stored = Schema.from_arrow(contract.arrow_schema())
    if opened.schema() != stored:
        raise other_columns(zone, contract)
    return opened


def _create(zone: Zone, contract: Contract) -> DeltaTable:
    for entry in zone.list(contract.table):
        name = entry.path.rpartition("/")[2]
        inside = entry.path.removeprefix(f"{contract.table}/")
        if not (inside.startswith("_") or name.startswith("_") or is_marker(name) or parse_part(name)):
            raise foreign(zone, contract, inside)
    zone.ensure()
    with named_faults(zone.settings, f"creating {contract.table}"):
        try:
            return DeltaTable.create(
                zone.uri(contract.table),
                Schema.from_arrow(contract.arrow_schema()),
                mode="ignore",
                partition_by=list(contract.partition_by),
                configuration=_FOREVER,
                storage_options=zone.settings.delta_options(),
            )
        except Exception:
            opened = delta_table(zone, contract.table)  # another process was quicker
            if opened is None:
                raise
            return opened


def replace_partitions(
    zone: Zone,
    contract: Contract,
    slices: Sequence[Slice],
    metadata: Mapping[str, str],
    settled: Callable[[TableHead], TableHead | None],
) -> TableHead:
    """Replaces whole partitions in one commit, and returns the head that holds them.

    `settled` sees the head before each attempt: it returns the head to be content with it (another writer
    published the same), None to go on, or raises ConflictError. A commit that lost a race is tried again.
    """
    for attempt in range(_ATTEMPTS):
        opened = open_or_create(zone, contract)
        head = head_of(zone, contract, opened)
        if (done := settled(head)) is not None:
            return done
        bare = [piece for piece in slices if piece.key not in head.partitions]
        try:
            if bare:
                _append_markers(zone, contract, opened, bare)
                if (done := settled(_refreshed(zone, contract, opened))) is not None:
                    return done
            return _overwrite(zone, contract, opened, slices, metadata)
        except _LostRaceError:
            time.sleep(random.uniform(0, 0.05 * (attempt + 1)))  # noqa: S311 spreads writers
    raise RunError(f"{contract.table}: {_ATTEMPTS} commits lost the race to other writers. Run it again.")


class _LostRaceError(Exception):
    pass


def _overwrite(
    zone: Zone, contract: Contract, opened: DeltaTable, slices: Sequence[Slice], metadata: Mapping[str, str]
) -> TableHead:
    actions = [_add(contract, piece, file) for piece in slices for file in piece.files]
    filters = _filters(contract, slices)
    _transact(zone, contract, opened, actions, "overwrite", metadata, filters)
    return _head_holding(zone, contract, opened, slices)


def _head_holding(zone: Zone, contract: Contract, opened: DeltaTable, slices: Sequence[Slice]) -> TableHead:
    """The newest head that holds what was just committed; deltalake does not tell which version that is."""
    head = _refreshed(zone, contract, opened)
    while any(head.files_of(piece.key) != piece.files for piece in slices):
        assert head.version, "a commit that went through is in the log"
        head = read_head(zone, contract, head.version - 1)
    return head


def _refreshed(zone: Zone, contract: Contract, opened: DeltaTable) -> TableHead:
    with named_faults(zone.settings, f"reading the log of {contract.table}"):
        opened.update_incremental()
    return head_of(zone, contract, opened)


def _filters(contract: Contract, slices: Sequence[Slice]) -> list[tuple[str, str, Any]]:
    if len(slices) == 1:
        return [(c, "=", v) for c, v in zip(contract.partition_by, slices[0].values, strict=True)]
    assert len(contract.partition_by) == 1, "several partitions at once need a single partition column"
    return [(contract.partition_by[0], "in", [piece.values[0] for piece in slices])]


def _append_markers(zone: Zone, contract: Contract, opened: DeltaTable, slices: Sequence[Slice]) -> None:
    # Two first writers both land, because neither removes a file of the other: so each first writer appends
    # an empty file, and of any two the one that opens the table later has seen the other's.
    actions = []
    for piece in slices:
        path = f"{contract.table}/{folder(contract.partition_by, piece.values)}/{marker_name()}"
        size = write_empty(zone, contract, path)
        actions.append(_add(contract, piece, FileRef(path, size, 0)))
    _transact(zone, contract, opened, actions, "append", {}, None)


def _transact(
    zone: Zone,
    contract: Contract,
    opened: DeltaTable,
    actions: list[AddAction],
    mode: str,
    metadata: Mapping[str, str],
    filters: list[tuple[str, str, Any]] | None,
) -> None:
    properties = CommitProperties(custom_metadata=dict(metadata), max_commit_retries=_RETRIES)
    with named_faults(zone.settings, f"committing to {contract.table}"):
        try:
            opened.create_write_transaction(
                actions,
                mode,
                Schema.from_arrow(contract.arrow_schema()),
                partition_by=list(contract.partition_by),
                partition_filters=filters,
                commit_properties=properties,
                post_commithook_properties=_HOOKS,
            )
        except CommitFailedError as error:
            raise _LostRaceError from error  # an append fails too when another writer removed what it saw


def write_empty(zone: Zone, contract: Contract, path: str) -> int:
    """Writes a data file without rows; returns its size in bytes."""
    sink = pa.BufferOutputStream()
    pq.write_table(contract.file_schema().empty_table(), sink, compression="zstd")
    data = sink.getvalue().to_pybytes()
    zone.put(path, data)
    return len(data)


def _add(contract: Contract, piece: Slice, file: FileRef) -> AddAction:
    return AddAction(
        path=file.path.removeprefix(f"{contract.table}/"),
        size=file.size,
        partition_values=dict(zip(contract.partition_by, piece.values, strict=True)),
        modification_time=int(time.time() * 1000),
        data_change=True,
        stats=f'{{"numRecords":{file.rows}}}',
    )


def same_state(one: PartitionState | None, other: PartitionState | None) -> bool:
    """Whether two heads show the same publication of a partition, or none at all."""
    return (one.files if one else ()) == (other.files if other else ())
