"""A rejected candidate opened again, from its manifest and its files: to audit and publish what was written then."""

import re
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from schemas.contract import Contract
from winnow.core.errors import ConfigError, DataError
from winnow.lake.candidate import Candidate, SideSlice
from winnow.lake.contracts import contract_of
from winnow.lake.head import FileRef, PartitionState
from winnow.lake.lake import Lake, read_rows
from winnow.lake.parts import PartWriter
from winnow.lake.rejected import Rejected, show_rejected
from winnow.lake.versions import ContentVersion, version_of

_FILE = re.compile(r"(part|verdicts|side-(?P<side>.+))-\d{5}\.parquet")
_SINCE = ("base", "verdict_version", "accounted", "fan_out")
"""What the manifest of an older version does not tell."""


def reopen(lake: Lake, attempt: str) -> tuple[Rejected, Candidate]:
    """A rejected candidate as it was when its stage had closed it; nothing is written.

    Its files stay where they lie. Reads every row once, to see that they are the ones that the stage wrote.

    Raises:
        DataError: there is no such candidate, its files were altered, it is a slice of a global stage's verdicts,
            or what it was made from, or its partition, has moved since.
    """
    found, manifest = show_rejected(lake, attempt)
    _require_own_partition(found, manifest)
    candidate = _as_written(lake, found, manifest)
    if not _is_published(candidate):
        _require_unmoved(candidate, found, manifest)
    return found, candidate


def _require_own_partition(found: Rejected, manifest: Mapping[str, Any]) -> None:
    again = f"Materialize asset `{found.table}` for source {found.source} instead."
    if found.table.startswith("verdicts_"):
        raise DataError(
            f"{found.attempt} is a part of {found.table}, which is published for all sources at once. "
            f"Materialize asset `{found.table.removeprefix('verdicts_')}_verdicts` instead."
        )
    if not set(_SINCE) <= set(manifest):
        raise DataError(
            f"{found.attempt} was written by an older version, and cannot be opened again. {again}"
        )


def _as_written(lake: Lake, found: Rejected, manifest: Mapping[str, Any]) -> Candidate:
    candidate = Candidate(
        lake,
        contract_of(found.table),
        found.source,
        manifest["stage"],
        manifest["stage_version"],
        manifest["code_version"],
        manifest["inputs"],
        verdict_version=manifest["verdict_version"],
        accounted=manifest["accounted"],
        fan_out=manifest["fan_out"],
    )
    candidate.attempt, candidate.folder = found.attempt, found.path
    candidate.rows_in, candidate.rows = manifest["rows_in"], manifest["rows"]
    for decision, rule, rows, tokens in manifest["counts"]:
        candidate.count(decision, rule, rows, tokens)
    for file in manifest["files"]:
        _place(
            candidate, FileRef(f"{found.path}/{file['path'].rpartition('/')[2]}", file["size"], file["rows"])
        )
    _take_versions(candidate, manifest["data_version"])
    candidate.closed = True
    return candidate


def _place(candidate: Candidate, file: FileRef) -> None:
    """Gives a file to the layer, the verdicts or the side table that its name says it is of."""
    name = _FILE.fullmatch(file.path.rpartition("/")[2])
    if name is None:
        raise _altered(candidate)
    if (table := name["side"]) is not None:
        if table not in candidate.side:
            contract = contract_of(table)
            writer = PartWriter(candidate.zone, candidate.folder, f"side-{table}", contract, {})
            candidate.side[table] = SideSlice(contract, writer, ContentVersion(contract))
        candidate.side[table].files.append(file)
    elif name[1] == "verdicts":
        assert candidate.verdicts is not None
        candidate.verdicts.files.append(file)
    else:
        candidate.files.append(file)


def _take_versions(candidate: Candidate, data_version: str) -> None:
    """Hashes what lies there. Raises DataError where it is not what the stage wrote."""
    layer = version_of(candidate.contract)
    pieces: list[tuple[Contract, list[FileRef], Any]] = [(candidate.contract, candidate.files, layer)]
    slices = [*([candidate.verdicts] if candidate.verdicts else []), *candidate.side.values()]
    pieces += [(piece.contract, piece.files, piece.version) for piece in slices]
    for contract, files, version in pieces:
        names = contract.file_schema().names
        for file in files:
            try:
                for batch in read_rows(candidate.zone, file, names, {}, contract, 512):
                    version.update(batch)
            except (DataError, pa.ArrowInvalid, FileNotFoundError):
                raise _altered(candidate) from None
    candidate.data_version = layer.hexdigest()
    if candidate.data_version != data_version:
        raise _altered(candidate)


def _is_published(candidate: Candidate) -> bool:
    """Whether its very rows are the partition already, as after a crash between commit and clearing away."""
    state = candidate.base
    wanted = (candidate.stage_version, candidate.data_version)
    return state is not None and (state.stage_version, state.data_version) == wanted


def _require_unmoved(candidate: Candidate, found: Rejected, manifest: Mapping[str, Any]) -> None:
    again = f"Materialize asset `{found.table}` for source {found.source} instead."
    if _first_file(candidate.base) != manifest["base"]:
        raise DataError(
            f"{found.attempt} is stale: {found.table}/{found.source} was published again since. {again}"
        )
    for name, version in candidate.inputs.items():
        if (now := _version_now(candidate.lake, name)) is not None and now != version:
            raise DataError(f"{found.attempt} is stale: its input {name} has moved since. {again}")


def _version_now(lake: Lake, name: str) -> str | None:
    """The data version of an input `<table>/<source>`, empty when it is gone; None for what is no table."""
    table, slash, source = name.partition("/")
    try:
        contract_of(table)
    except ConfigError:
        return None
    state = lake.head(table).partitions.get(source) if slash else None
    return state.data_version if state else ""


def _first_file(state: PartitionState | None) -> str | None:
    return state.files[0].path if state else None


def _altered(candidate: Candidate) -> DataError:
    return DataError(
        f"{candidate.attempt} cannot be opened again: its files in {candidate.zone.uri(candidate.folder)} are not "
        f"what its stage wrote. Materialize asset `{candidate.contract.table}` for source {candidate.source} instead."
    )
