"""Verdicts of a stage that judges all sources at once, and the reading of any stage's verdicts."""

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.contract import Contract
from schemas.verdicts import verdicts_contract
from winnow.core.errors import ConflictError, DataError
from winnow.core.identity import DataVersion, digest
from winnow.core.stage import VERDICT_SCHEMA
from winnow.lake.audit import audit
from winnow.lake.candidate import Candidate
from winnow.lake.commit import Slice, open_or_create, replace_partitions
from winnow.lake.crash import reach
from winnow.lake.explanation import LAYERS
from winnow.lake.head import FileRef, TableHead
from winnow.lake.lake import Lake
from winnow.lake.names import GLOBAL, PartName, folder, new_nonce
from winnow.lake.probe import require_put_if_absent
from winnow.lake.rejected import audit_error, reject
from winnow.lake.versions import removed_version
from winnow.lake.zone import Zone

_GONE = ("drop", "park")


def publish_global_verdicts(
    lake: Lake,
    stage: str,
    slices: Mapping[str, Iterable[pa.RecordBatch]],
    slice_inputs: Mapping[str, str],
    stage_version: str,
    inputs: Mapping[str, str],
    code_version: str = "0",
    base: TableHead | None = None,
) -> TableHead:
    """Audits and publishes the verdicts of a global stage in one commit; returns the head that holds them.

    `slices` are the verdicts of each source and `slice_inputs` the data version of its rows that were
    judged; a source that has a slice in the table but is not among them gets an empty one. A slice whose
    content and input did not change keeps its files. The reserved partition `_global` carries `stage_version`
    and the data versions of all `inputs`. `base` is the head that the work began from; without it, the head
    now. Raises AuditError when a slice fails its audit, ConflictError when another writer was quicker.
    """
    contract = verdicts_contract(stage)
    zone = lake.zone_of(contract.table)
    require_put_if_absent(lake.settings, zone)
    base = base or lake.head(contract.table)
    there = lake.head(contract.table)
    if _is(there, stage_version):
        return there
    absent = set(base.partitions) - set(slices) - {GLOBAL}
    work = _Global(lake, zone, contract, stage, code_version)
    pieces = []
    for source in sorted({*slices, *absent}):
        piece = work.slice(source, slices.get(source, ()), slice_inputs.get(source, "removed"), base)
        pieces += [piece] if piece else []
    reach("copied")
    pieces.append(work.state(stage_version, inputs))

    def settled(head: TableHead) -> TableHead | None:
        if _is(head, stage_version):
            return head
        if _state_of(head) != _state_of(base):
            raise ConflictError(
                f"Another writer published {contract.table} meanwhile, from other inputs. "
                "Run it again to build on what is there now."
            )
        return None

    metadata = {"winnow.source": GLOBAL, "winnow.stage_version": stage_version}
    head = replace_partitions(zone, contract, pieces, metadata, settled)
    reach("verdicts-committed")
    return head


class _Global:
    """The slices of one publication, each written, audited and copied to its final name."""

    def __init__(self, lake: Lake, zone: Zone, contract: Contract, stage: str, code_version: str) -> None:
        self.lake, self.zone, self.contract, self.stage = lake, zone, contract, stage
        self.code_version = code_version
        open_or_create(zone, contract)

    def slice(
        self, source: str, batches: Iterable[pa.RecordBatch], judged: str, base: TableHead
    ) -> Slice | None:
        """The new slice of a source, or None when the one in the table says the same."""
        inputs = {"judged": judged}
        with self.lake.candidate(
            self.contract, source, self.stage, "", self.code_version, inputs, accounted=False
        ) as candidate:
            removed = removed_version(_written(candidate, batches))
        report = audit(candidate)
        if not report.passed:
            raise audit_error(candidate, report, reject(candidate, report))
        version = digest([self.stage, candidate.data_version, judged])
        state = base.partitions.get(source)
        if state is not None and state.stage_version == version:
            candidate.discard()
            return None
        name = PartName(version, removed, None, candidate.attempt)
        piece = Slice(
            (source,), tuple(self._copied(candidate, file, name, n) for n, file in enumerate(candidate.files))
        )
        candidate.discard()
        return piece

    def state(self, stage_version: str, inputs: Mapping[str, str]) -> Slice:
        """The zero-row partition that tells what the verdicts as a whole were made from."""
        name = PartName(stage_version, DataVersion().hexdigest(), None, new_nonce())
        footer = {
            "winnow.contract": self.contract.table,
            "winnow.stage": self.stage,
            "winnow.code_version": self.code_version,
            "winnow.inputs": json.dumps(dict(inputs), sort_keys=True),
        }
        sink = io.BytesIO()
        pq.write_table(self.contract.file_schema().with_metadata(footer).empty_table(), sink)
        path = f"{self._folder(GLOBAL)}/{name}"
        self.zone.put(path, sink.getvalue())
        return Slice((GLOBAL,), (FileRef(path, len(sink.getvalue()), 0),))

    def _copied(self, candidate: Candidate, file: FileRef, name: PartName, number: int) -> FileRef:
        path = f"{self._folder(candidate.source)}/{name.at(number)}"
        return FileRef(path, self.zone.copy_from(candidate.zone, file.path, path), file.rows)

    def _folder(self, source: str) -> str:
        return f"{self.contract.table}/{folder(self.contract.partition_by, (source,))}"


def _written(candidate: Candidate, batches: Iterable[pa.RecordBatch]) -> Iterator[str]:
    """Writes the batches; yields the rows that they take out."""
    for batch in batches:
        candidate.write_rows(batch)
        pairs = zip(batch.column("row_id").to_pylist(), batch.column("decision").to_pylist(), strict=True)
        yield from (str(row_id) for row_id, decision in pairs if decision in _GONE)


def _state_of(head: TableHead) -> str | None:
    state = head.partitions.get(GLOBAL)
    return state.files[0].path if state else None


def _is(head: TableHead, stage_version: str) -> bool:
    state = head.partitions.get(GLOBAL)
    return state is not None and state.stage_version == stage_version


def read_verdicts(lake: Lake, stage: str, source: str, layer: TableHead | None = None) -> Any:
    """A RecordBatchReader over a source's verdicts, at the version that its layer's head names.

    `layer` is the pinned head of the stage's layer, by default the newest. A layer that was never published,
    or names no verdicts, gives an empty stream of the right type. The verdicts of a global stage are the
    newest ones while they take out the rows that the layer was built without.
    """
    return pa.RecordBatchReader.from_batches(VERDICT_SCHEMA, _read(lake, stage, source, layer))


def _read(lake: Lake, stage: str, source: str, layer: TableHead | None) -> Iterator[pa.RecordBatch]:
    if stage not in LAYERS:
        raise DataError(f"No stage `{stage}`. Known stages: {', '.join(LAYERS)}.")
    layer = layer or lake.head(LAYERS[stage])
    state = layer.partitions.get(source)
    if state is None or state.verdict_version is None:
        return
    table = f"verdicts_{stage}"
    newest = lake.head(table)
    built_on = state.inputs().get(f"{table}/{source}")
    current = newest.partitions.get(source)
    if built_on is None or current is None or current.data_version != built_on:
        newest = lake.head(table, state.verdict_version)
    yield from lake.scan(table, [source], head=newest)
