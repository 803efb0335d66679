"""Makes an audited candidate the head of its partition."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.contract import Contract
from schemas.verdicts import STAGE_COUNTS
from winnow.core.errors import ConflictError
from winnow.core.identity import digest
from winnow.lake.audit import audit
from winnow.lake.candidate import Candidate, SideSlice
from winnow.lake.commit import INCOMING, Slice, open_or_create, replace_partitions, same_state
from winnow.lake.contracts import contract_of
from winnow.lake.crash import reach
from winnow.lake.head import FileRef, PartitionState, TableHead
from winnow.lake.lake import Lake
from winnow.lake.names import GLOBAL, PartName, folder, new_nonce
from winnow.lake.probe import require_put_if_absent
from winnow.lake.rejected import audit_error, reject
from winnow.lake.versions import ContentVersion
from winnow.lake.zone import Zone


@dataclass(frozen=True)
class Published:
    """The state of the partition afterwards; `written` is False when it was there already."""

    state: PartitionState
    verdict_version: int | None
    written: bool


def publish(lake: Lake, candidate: Candidate) -> Published:
    """Copies the candidate's files, then commits its verdicts, counts and side tables, and last the layer.

    Readers see all of it or nothing: they take verdicts at the version that the layer's files name. A crash
    at any moment leaves the old state and files that no log names. Raises AuditError when the candidate fails
    its audit, ConflictError when another writer has published other content since the candidate was begun.
    """
    report = candidate.report or audit(candidate)
    if not report.passed:
        raise audit_error(candidate, report, reject(candidate, report))
    try:
        return publish_audited(lake, candidate)
    except ConflictError:
        candidate.discard()
        raise


def publish_audited(lake: Lake, candidate: Candidate) -> Published:
    """`publish` for a candidate that was audited just now, and that passed or was accepted by a person.

    On ConflictError its files stay.
    """
    assert candidate.report is not None, "audit the candidate first"
    assert candidate.report.passed or candidate.acceptance, "what failed its audit needs an acceptance"
    zone = lake.zone_of(candidate.contract.table)
    require_put_if_absent(lake.settings, zone)
    head = lake.head(candidate.contract.table)
    if (there := _already(candidate, head)) is not None:
        candidate.discard()
        return Published(there, there.verdict_version, written=False)
    if head.version is None:
        open_or_create(zone, candidate.contract)
    incoming = _copy_layer(zone, candidate)
    reach("copied")
    verdict_version = _commit_slices(lake, candidate)
    reach("before-layer-commit")
    state, written = _commit_layer(zone, candidate, incoming, verdict_version)
    reach("layer-committed")
    candidate.discard()
    return Published(state, state.verdict_version, written)


def publish_empty(lake: Lake, table: str, source: str) -> bool:
    """See `Lake.empty_partition`."""
    state = lake.head(table).partitions.get(source)
    version = digest(["empty", table, source])
    if state is None or state.stage_version == version:
        return False
    stage = state.footer()["winnow.stage"]
    judged_globally = GLOBAL in lake.head(f"verdicts_{stage}").partitions
    accounted = state.verdict_version is not None
    with lake.candidate(
        contract_of(table),
        source,
        stage,
        version,
        "0",
        {},
        verdict_version=state.verdict_version if judged_globally else None,
        accounted=accounted,
    ) as candidate:
        candidate.close()
    return publish(lake, candidate).written


def _already(candidate: Candidate, head: TableHead) -> PartitionState | None:
    """The published state that makes this candidate superfluous. Raises ConflictError when stale."""
    state = head.partitions.get(candidate.source)
    if state is None and candidate.base is None:
        return None
    if state is not None and state.stage_version == candidate.stage_version:
        if state.data_version == candidate.data_version or same_state(state, candidate.base):
            return state
        raise _conflict(candidate, "the same inputs gave it other rows")
    if same_state(state, candidate.base):
        return None
    raise _conflict(candidate, "it built on other inputs")


def _conflict(candidate: Candidate, why: str) -> ConflictError:
    return ConflictError(
        f"Another writer published {candidate.contract.table}/{candidate.source} meanwhile, and {why}. "
        "Nothing was lost; run it again to build on what is there now."
    )


def _copy_layer(zone: Zone, candidate: Candidate) -> list[FileRef]:
    """The layer's files in their final folder, without their final name, which tells the verdict version."""
    where = _folder(candidate.contract, (candidate.source,))
    return [
        _copied(zone, candidate, file, f"{where}/{INCOMING}{candidate.attempt}-{n:05d}.parquet")
        for n, file in enumerate(candidate.files)
    ]


def _copied(zone: Zone, candidate: Candidate, file: FileRef, target: str) -> FileRef:
    size = zone.copy_from(candidate.zone, file.path, target)
    return FileRef(target, size, file.rows)


def _commit_slices(lake: Lake, candidate: Candidate) -> int | None:
    """Commits what comes along with the layer; the version of the verdicts that the layer will name."""
    verdict_version = candidate.verdict_version
    if candidate.owns_verdicts and candidate.verdicts is not None:
        verdict_version = _commit_slice(lake, candidate, candidate.verdicts)
    reach("verdicts-committed")
    if candidate.accounted:
        _commit_counts(lake, candidate)
    reach("counts-committed")
    for piece in candidate.side.values():
        _commit_slice(lake, candidate, piece)
    return verdict_version


def _commit_slice(lake: Lake, candidate: Candidate, piece: SideSlice) -> int:
    zone = lake.zone_of(piece.contract.table)
    data_version = piece.version.hexdigest()
    head = lake.head(piece.contract.table)
    if _holds(head, candidate.source, candidate.stage_version, data_version):
        assert head.version is not None
        return head.version
    if head.version is None:
        open_or_create(zone, piece.contract)
    name = PartName(candidate.stage_version, data_version, None, new_nonce())
    where = _folder(piece.contract, (candidate.source,))
    files = [_copied(zone, candidate, file, f"{where}/{name.at(n)}") for n, file in enumerate(piece.files)]
    return _replace(zone, piece.contract, candidate, Slice((candidate.source,), tuple(files)), name)


def _commit_counts(lake: Lake, candidate: Candidate) -> None:
    zone = lake.zone_of(STAGE_COUNTS.table)
    values = (candidate.stage, candidate.source)
    rows = _count_rows(candidate)
    version = ContentVersion(STAGE_COUNTS)
    version.update(rows.combine_chunks().to_batches()[0])
    name = PartName(candidate.stage_version, version.hexdigest(), None, new_nonce())
    head = lake.head(STAGE_COUNTS.table)
    if _holds(head, "/".join(values), name.stage_version, name.data_version):
        return
    if head.version is None:
        open_or_create(zone, STAGE_COUNTS)
    sink = io.BytesIO()
    pq.write_table(rows.replace_schema_metadata(candidate.footer(STAGE_COUNTS)), sink, compression="zstd")
    path = f"{_folder(STAGE_COUNTS, values)}/{name.at(0)}"
    zone.put(path, sink.getvalue())
    file = FileRef(path, sink.tell(), rows.num_rows)
    _replace(zone, STAGE_COUNTS, candidate, Slice(values, (file,)), name)


def _count_rows(candidate: Candidate) -> pa.Table:
    listed = [
        {
            "stage_version": candidate.stage_version,
            "decision": decision,
            "rule": rule,
            "rows": n,
            "tokens": tokens,
        }
        for (decision, rule), (n, tokens) in candidate.counts.items()
    ]
    return pa.Table.from_pylist(listed, schema=STAGE_COUNTS.file_schema())


def _replace(zone: Zone, contract: Contract, candidate: Candidate, piece: Slice, name: PartName) -> int:
    def settled(head: TableHead) -> TableHead | None:
        return head if _holds(head, piece.key, name.stage_version, name.data_version) else None

    head = replace_partitions(zone, contract, [piece], _metadata(candidate, name.data_version, None), settled)
    assert head.version is not None
    return head.version


def _commit_layer(
    zone: Zone, candidate: Candidate, incoming: Sequence[FileRef], verdict_version: int | None
) -> tuple[PartitionState, bool]:
    name = PartName(candidate.stage_version, candidate.data_version, verdict_version, candidate.attempt)
    where = _folder(candidate.contract, (candidate.source,))
    files = tuple(FileRef(f"{where}/{name.at(n)}", file.size, file.rows) for n, file in enumerate(incoming))
    for file, final in zip(incoming, files, strict=True):
        zone.rename(file.path, final.path)

    def settled(head: TableHead) -> TableHead | None:
        return head if _already(candidate, head) is not None else None

    metadata = _metadata(candidate, candidate.data_version, verdict_version)
    try:
        head = replace_partitions(
            zone, candidate.contract, [Slice((candidate.source,), files)], metadata, settled
        )
        state = head.partitions[candidate.source]
    except ConflictError:
        zone.delete([file.path for file in files])
        raise
    written = state.files == files
    if not written:
        zone.delete([file.path for file in files])
    return state, written


def _holds(head: TableHead, key: str, stage_version: str, data_version: str) -> bool:
    state = head.partitions.get(key)
    return state is not None and (state.stage_version, state.data_version) == (stage_version, data_version)


def _metadata(candidate: Candidate, data_version: str, verdict_version: int | None) -> dict[str, str]:
    found = {
        "winnow.source": candidate.source,
        "winnow.stage_version": candidate.stage_version,
        "winnow.data_version": data_version,
        "winnow.verdict_version": None if verdict_version is None else str(verdict_version),
        "winnow.acceptance": candidate.acceptance,
    }
    return {key: value for key, value in found.items() if value is not None}


def _folder(contract: Contract, values: Sequence[str]) -> str:
    return f"{contract.table}/{folder(contract.partition_by, values)}"
