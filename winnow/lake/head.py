"""One version of a table: its partitions, their states and files, read from the Delta log alone."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable
from deltalake.exceptions import TableNotFoundError

from schemas.contract import Contract
from winnow.core.errors import DataError
from winnow.lake.faults import named_faults
from winnow.lake.names import PartName, folder, is_marker, parse_part
from winnow.lake.zone import Zone


@dataclass(frozen=True)
class FileRef:
    """A data file: path relative to the zone's root, bytes, rows."""

    path: str
    size: int
    rows: int


@dataclass(frozen=True)
class PartitionState:
    """What a partition holds at one version. Equal `data_version` means equal content."""

    source: str
    values: tuple[str, ...]
    stage_version: str
    data_version: str
    verdict_version: int | None
    rows: int
    files: tuple[FileRef, ...]
    zone: Zone = field(repr=False, compare=False)

    def inputs(self) -> dict[str, str]:
        """Data versions of the partitions it was built from, by `<table>/<source>`; read from a footer."""
        return dict(json.loads(self.footer().get("winnow.inputs", "{}")))

    def footer(self) -> dict[str, str]:
        """Our key-value metadata of the first file: winnow.inputs, .stage, .code_version, .contract."""
        first = self.files[0]
        with (
            self.zone.open_input(first.path) as file,
            named_faults(self.zone.settings, f"reading {first.path}"),
        ):
            metadata = pq.ParquetFile(file, memory_map=False).schema_arrow.metadata or {}
        return {k.decode(): v.decode() for k, v in metadata.items() if k.startswith(b"winnow.")}


@dataclass(frozen=True)
class TableHead:
    """A table pinned to one version; `version` is None while the table does not exist.

    `partitions` is keyed by the partition values joined with `/`: the source, or `stage/source` for
    stage_counts, in sorted order. `markers` are partitions with a first writer but no published state.
    """

    contract: Contract
    zone: Zone = field(repr=False, compare=False)
    version: int | None
    partitions: dict[str, PartitionState]
    markers: frozenset[str] = frozenset()

    @property
    def table(self) -> str:
        return self.contract.table

    @property
    def rows(self) -> int:
        return sum(state.rows for state in self.partitions.values())

    def files_of(self, key: str) -> tuple[FileRef, ...]:
        """The files of a partition, none when it has no state."""
        return self.partitions[key].files if key in self.partitions else ()

    def select(self, sources: Iterable[str] | None) -> list[PartitionState]:
        """States of the named sources (or full keys), all when None; one without a partition is left out."""
        if sources is None:
            return list(self.partitions.values())
        wanted = set(sources)
        return [state for key, state in self.partitions.items() if {key, state.source} & wanted]


def delta_table(zone: Zone, table: str, version: int | None = None) -> DeltaTable | None:
    """The Delta table, or None when there is none; raises DataError for a version that is not there."""
    with named_faults(zone.settings, f"reading the log of {table}"):
        try:
            return DeltaTable(zone.uri(table), version=version, storage_options=zone.settings.delta_options())
        except TableNotFoundError:
            zone.check()
            return None
        except Exception as error:
            if version is not None and ("version" in str(error).lower() or "not found" in str(error).lower()):
                latest = delta_table(zone, table)
                if latest is not None and version > latest.version():
                    raise DataError(
                        f"{table} has no version {version}; the newest is {latest.version()}."
                    ) from error
            raise


def read_head(zone: Zone, contract: Contract, version: int | None = None) -> TableHead:
    """The table at a version, the newest when None. Raises DataError when something else wrote into it."""
    opened = delta_table(zone, contract.table, version)
    if opened is None:
        return TableHead(contract, zone, None, {})
    return head_of(zone, contract, opened)


def head_of(zone: Zone, contract: Contract, opened: DeltaTable) -> TableHead:
    """The head of a table that is already open."""
    columns = list(opened.metadata().partition_columns)
    if tuple(columns) != contract.partition_by:
        raise foreign(zone, contract, f"partitioned by {columns}")
    actions: list[dict[str, Any]] = pa.table(opened.get_add_actions(flatten=True)).to_pylist()
    files: dict[tuple[str, ...], dict[PartName, FileRef]] = {}
    markers: set[str] = set()
    for action in actions:
        values = tuple(str(action[f"partition.{column}"]) for column in columns)
        where, _, name = str(action["path"]).rpartition("/")
        if where == folder(columns, values) and is_marker(name):
            markers.add("/".join(values))
            continue
        part = parse_part(name)
        if part is None or where != folder(columns, values):
            raise foreign(zone, contract, action["path"])
        path = f"{contract.table}/{action['path']}"
        files.setdefault(values, {})[part] = FileRef(path, action["size_bytes"], action["num_records"])
    states = {"/".join(values): _state(zone, contract, values, files[values]) for values in sorted(files)}
    return TableHead(contract, zone, opened.version(), states, frozenset(markers - set(states)))


def _state(
    zone: Zone, contract: Contract, values: tuple[str, ...], files: dict[PartName, FileRef]
) -> PartitionState:
    parts = sorted(files, key=lambda part: part.number)
    first = parts[0]
    for part in parts:
        if replace(part, number=first.number) != first:
            raise foreign(zone, contract, files[part].path)
    return PartitionState(
        source=values[-1],
        values=values,
        stage_version=first.stage_version,
        data_version=first.data_version,
        verdict_version=first.verdict_version,
        rows=sum(file.rows for file in files.values()),
        files=tuple(files[part] for part in parts),
        zone=zone,
    )


def other_columns(zone: Zone, contract: Contract) -> DataError:
    """The error for a table of another contract, as an earlier version of Winnow may have left it."""
    return DataError(
        f"Table {contract.table} in {zone.settings.setting} has other columns than schemas/ declares. "
        f"Move {zone.uri(contract.table)} away and build it again, or restore the contract."
    )


def foreign(zone: Zone, contract: Contract, what: str) -> DataError:
    """The error for a table that holds what Winnow did not write."""
    root = zone.settings.setting
    return DataError(
        f"Table {contract.table} in {root} was written by something else ({what}). "
        f"Move {zone.uri(contract.table)} away, or set {root.partition('=')[0]} to another place."
    )
