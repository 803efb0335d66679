"""Small tables of records (checkpoints, scores, the registry), a partition swapped whole at a time."""

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from schemas.contract import Contract
from winnow.core.errors import DataError, RunError, near_miss
from winnow.core.identity import canonical
from winnow.lake.commit import Slice, replace_partitions, same_state
from winnow.lake.head import FileRef, PartitionState, TableHead
from winnow.lake.lake import Lake
from winnow.lake.names import PartName, folder, new_nonce, require_slug
from winnow.lake.parts import PartWriter, conform
from winnow.lake.probe import require_put_if_absent
from winnow.lake.versions import ContentVersion
from winnow.lake.zone import Zone

_ATTEMPTS = 20
Change = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
"""From the rows of a partition to its new rows; called again on newer ones after a lost race."""


class _MovedError(Exception):
    pass


def replace_rows(lake: Lake, contract: Contract, partition: str, rows: pa.Table) -> TableHead:
    """Put records into a partition, each in the place of the one with its key; returns the head with them.

    A record that differs in operational columns only is the same record, and the one that is there stays.
    Writers of one partition wait for each other. Reads the whole partition: for tables that fit in memory.

    Raises:
        DataError: a key stands twice in `rows`, or a row breaks the contract.
        ConfigError: the partition is not a slug.
        RunError: other writers won every race.
    """
    fresh = {_key(contract, row): row for row in rows.to_pylist()}
    if len(fresh) != rows.num_rows:
        raise DataError(
            f"{contract.table}: {rows.num_rows - len(fresh)} rows repeat a key of {contract.key}."
        )

    def change(there: list[dict[str, Any]]) -> list[dict[str, Any]]:
        same = {_content(contract, row): row for row in there}
        merged = {_key(contract, row): row for row in there} | {
            key: same.get(_content(contract, row), row) for key, row in fresh.items()
        }
        return list(merged.values())

    return rewrite(lake, contract, partition, change)


def records(
    lake: Lake, contract: Contract, partition: str, head: TableHead | None = None
) -> list[dict[str, Any]]:
    """All records of a partition in key order; none when it does not exist."""
    pinned = head if head is not None else lake.head(contract.table)
    return [row for batch in lake.scan(contract.table, [partition], head=pinned) for row in batch.to_pylist()]


def rewrite(lake: Lake, contract: Contract, partition: str, change: Change) -> TableHead:
    """Replace a partition by what `change` makes of it, in one commit on exactly the rows that `change` saw.

    Nothing is written when the content stays. What `change` raises goes through, and nothing is written.
    """
    require_slug(partition, f"{contract.table}: {contract.partition_by[0]}")
    require_put_if_absent(lake.settings, lake.zone_of(contract.table))
    for _ in range(_ATTEMPTS):
        head = lake.head(contract.table)
        base = head.partitions.get(partition)
        rows = change(records(lake, contract, partition, head))
        batch = _batch(contract, partition, rows)
        version = ContentVersion(contract)
        version.update(batch)
        if base is not None and base.data_version == version.hexdigest():
            return head
        try:
            return _swap(head.zone, contract, partition, batch, version.hexdigest(), base)
        except _MovedError:
            continue
    raise RunError(
        f"{contract.table}/{partition}: {_ATTEMPTS} writes lost the race to other writers. Run it again."
    )


def _swap(
    zone: Zone,
    contract: Contract,
    partition: str,
    batch: pa.RecordBatch,
    version: str,
    base: PartitionState | None,
) -> TableHead:
    files = tuple(_write(zone, contract, partition, batch, version))

    def settled(head: TableHead) -> TableHead | None:
        if head.files_of(partition) == files:
            return head  # a commit whose answer was lost landed, and was told as a lost race
        if not same_state(head.partitions.get(partition), base):
            raise _MovedError
        return None

    metadata = {"winnow.source": partition, "winnow.stage_version": version, "winnow.data_version": version}
    try:
        return replace_partitions(zone, contract, [Slice((partition,), files)], metadata, settled)
    except _MovedError:
        zone.delete(file.path for file in files)
        raise


def _write(
    zone: Zone, contract: Contract, partition: str, batch: pa.RecordBatch, version: str
) -> list[FileRef]:
    stem = str(PartName(version, version, None, new_nonce()).at(0)).removesuffix("-00000.parquet")
    where = f"{contract.table}/{folder(contract.partition_by, (partition,))}"
    footer = {"winnow.contract": contract.table, "winnow.stage": "records", "winnow.inputs": "{}"}
    writer = PartWriter(zone, where, stem, contract, footer)
    writer.write(batch)
    return writer.close()


def _batch(contract: Contract, partition: str, rows: list[dict[str, Any]]) -> pa.RecordBatch:
    """The rows in key order, cast to the contract and held to its invariants."""
    values = {contract.partition_by[0]: partition}
    complete = [{**row, **values} for row in rows]
    for row in complete:
        for name in row.keys() - set(contract.names):
            raise DataError(f"{contract.table} has no column `{name}`.{near_miss(name, contract.names)}")
        for name in contract.key:
            if row.get(name) is None:
                raise DataError(
                    f"{contract.table}: column `{name}` is null in a record, and is part of its key."
                )
    complete.sort(key=lambda row: _key(contract, row))
    nullable = pa.schema([pa.field(c.name, c.type) for c in contract.columns])
    batch = conform(pa.RecordBatch.from_pylist(complete, schema=nullable), contract, values)
    for broken in _broken(contract, batch):
        raise DataError(f"{contract.table}/{partition}: {broken}.")
    return batch


def _broken(contract: Contract, batch: pa.RecordBatch) -> Iterator[str]:
    import duckdb

    with duckdb.connect(":memory:") as connection:
        connection.register("candidate", pa.Table.from_batches([batch]))
        for name, condition in contract.invariants.items():
            counted = connection.sql(
                f"FROM candidate SELECT count(*) WHERE NOT coalesce(({condition}), false)"
            )
            count = (counted.fetchone() or (0,))[0]
            if count:
                yield f"{count} rows break the invariant `{name}`"


def _content(contract: Contract, row: dict[str, Any]) -> bytes:
    """What a record says, its partition left out."""
    said = [c.name for c in contract.columns if not c.operational and c.name not in contract.partition_by]
    return canonical([row.get(name) for name in said])


def _key(contract: Contract, row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in contract.key)
