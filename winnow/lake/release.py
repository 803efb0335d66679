"""Releases: the exact files of some tables under a name, refused unless they belong together."""

import hashlib
import json
from collections.abc import Iterator, Sequence

import pyarrow as pa

from schemas.contract import Contract
from winnow.core.errors import ConfigError, DataError, near_miss
from winnow.lake.contracts import contract_of
from winnow.lake.explanation import LAYERS, Explanation
from winnow.lake.head import FileRef, PartitionState, TableHead
from winnow.lake.lake import Lake, read_rows
from winnow.lake.lineage import Lineage
from winnow.lake.manifest import (
    FOLDER,
    Release,
    ReleasedFile,
    ReleasedPartition,
    ReleasedTable,
    manifest_path,
    parse_manifest,
)
from winnow.lake.names import require_slug
from winnow.lake.zone import Zone

_CHUNK = 4 << 20
_SHOWN = 8


def build_release(
    lake: Lake,
    name: str | None = None,
    tables: Sequence[str] = ("sft_train",),
    sources: Sequence[str] | None = None,
) -> Release:
    """Pin tables as they are now, all partitions or those of `sources`, and write the manifest.

    A release of that name with the same content is returned as it is. Reads every pinned file once, for its
    SHA-256.

    Raises:
        DataError: a table was never published, or was not built from what lies in the lake now (the message
            names what is stale and the asset to materialize), or the name is taken by other content.
        ConfigError: the name is not a slug, or a table is not in the open zone.
    """
    if name is not None:
        require_slug(name, "Release")
    heads = {table: _published(lake, table) for table in tables}
    lineage = Lineage(lake, heads)
    _refuse_stale(lineage, tables, sources)
    pinned = {table: _pin_table(head, head.select(sources)) for table, head in heads.items()}
    released = sorted({source for table in pinned.values() for source in table.partitions})
    release = Release.of(name, pinned, _pin_explanation(lake, lineage, released))
    return _put(lake.zone("open"), release)


def load_release(lake: Lake, name: str) -> Release:
    """The manifest of a release. Raises DataError when there is none, or when it was altered."""
    zone = lake.zone("open")
    try:
        text = zone.read_bytes(manifest_path(name))
    except FileNotFoundError:
        known = list_releases(lake)
        listed = f"There are {', '.join(known)}." if known else "There is none yet."
        raise DataError(
            f"No release `{name}` in {zone.settings.setting}. {listed}{near_miss(name, known)}"
        ) from None
    return parse_manifest(name, text)


def list_releases(lake: Lake) -> list[str]:
    """Names of all releases, sorted."""
    paths = [e.path for e in lake.zone("open").list(FOLDER) if e.path.endswith(".json")]
    return sorted(path.removeprefix(f"{FOLDER}/").removesuffix(".json") for path in paths)


def scan_release(
    lake: Lake,
    release: Release,
    table: str,
    columns: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
    verify: bool = False,
    batch_rows: int = 512,
) -> Iterator[pa.RecordBatch]:
    """Rows of exactly the pinned files, in the order of the manifest, whatever the table says now.

    The size of each file is checked before it is read, its SHA-256 too with `verify`.

    Raises:
        DataError: a pinned file is gone or altered, or the release does not hold the table or a column.
    """
    contract, pinned = contract_of(table), release.table(table)
    names = list(columns) if columns is not None else [name for name, _, _ in pinned.columns]
    _require_columns(release, contract, names)
    zone = lake.zone_of(table)
    for key, partition in pinned.partitions.items():
        constants = dict(zip(contract.partition_by, key.split("/"), strict=True))
        if sources is not None and not {key, key.rpartition("/")[2]} & set(sources):
            continue
        for file in partition.files:
            _check_file(zone, release, file, verify)
            if file.rows:
                yield from read_rows(
                    zone, FileRef(file.path, file.size, file.rows), names, constants, contract, batch_rows
                )


def _published(lake: Lake, table: str) -> TableHead:
    if contract_of(table).zone != "open":
        raise ConfigError(
            f"`{table}` is in the restricted zone and cannot be released. Release a layer after it."
        )
    head = lake.head(table)
    if not head.partitions:
        raise DataError(f"Release refused: {table} was never published. Materialize {table} first.")
    return head


def _refuse_stale(lineage: Lineage, tables: Sequence[str], sources: Sequence[str] | None) -> None:
    stale = lineage.stale(tables, sources)
    if stale:
        more = f" (and {len(stale) - _SHOWN} more)" if len(stale) > _SHOWN else ""
        raise DataError(f"Release refused: {'; '.join(map(str, stale[:_SHOWN]))}{more}.")


def _pin_explanation(lake: Lake, lineage: Lineage, sources: list[str]) -> dict[str, ReleasedTable]:
    """Verdicts and counts of the released sources, in every layer that the walk saw and the two before."""
    behind = {s for s, t in LAYERS.items() if t in lineage.visited or lake.zone_of(t).name == "restricted"}
    pinned: dict[str, ReleasedTable] = {}
    for head in Explanation(lake, lineage.head).tables():
        stage = head.table.removeprefix("verdicts_")
        states = [s for s in head.select(sources) if {stage, s.values[0]} & behind]
        if states:
            pinned[head.table] = _pin_table(head, states)
    return pinned


def _pin_table(head: TableHead, states: Sequence[PartitionState]) -> ReleasedTable:
    assert head.version is not None
    return ReleasedTable(
        delta_version=head.version,
        columns=tuple((c.name, str(c.type), c.nullable) for c in head.contract.columns),
        partitions={"/".join(s.values): _pin_partition(head.zone, s) for s in states},
    )


def _pin_partition(zone: Zone, state: PartitionState) -> ReleasedPartition:
    return ReleasedPartition(
        stage_version=state.stage_version,
        data_version=state.data_version,
        verdict_version=state.verdict_version,
        rows=state.rows,
        files=tuple(
            ReleasedFile(path=f.path, size=f.size, sha256=_sha256(zone, f.path), rows=f.rows)
            for f in state.files
        ),
    )


def _put(zone: Zone, release: Release) -> Release:
    text = json.dumps(release.model_dump(mode="json"), sort_keys=True, indent=1).encode()
    # looked for first: a store that ignores put-if-absent would lose the one that is there
    if not zone.exists(manifest_path(release.name)) and zone.put_if_absent(manifest_path(release.name), text):
        return release
    there = parse_manifest(release.name, zone.read_bytes(manifest_path(release.name)))
    if there.content_hash == release.content_hash:
        return there
    raise DataError(
        f"Release {release.name} exists with other content ({there.content_hash[:12]}, not "
        f"{release.content_hash[:12]}). Give this one another name."
    )


def _require_columns(release: Release, contract: Contract, names: Sequence[str]) -> None:
    held = {name for name, _, _ in release.table(contract.table).columns}
    for name in names:
        if name not in held or name not in contract.names:
            raise DataError(
                f"Release {release.name} has no column `{name}` in {contract.table} that can be read."
                f"{near_miss(name, held)}"
            )


def _check_file(zone: Zone, release: Release, file: ReleasedFile, verify: bool) -> None:
    try:
        with zone.open_input(file.path) as opened:
            size = opened.size()
        found = f"{size} bytes" if size != file.size else ""
        if not found and verify and _sha256(zone, file.path) != file.sha256:
            found = "other bytes"
    except FileNotFoundError:
        found = "nothing"
    if found:
        raise DataError(
            f"Release {release.name} pins {zone.uri(file.path)} at {file.size} bytes, but {found} lies "
            "there. Restore the file, or build a new release."
        )


def _sha256(zone: Zone, path: str) -> str:
    sha = hashlib.sha256()
    with zone.open_input(path) as opened:
        while piece := opened.read(_CHUNK):
            sha.update(piece)
    return sha.hexdigest()
