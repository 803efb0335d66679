"""What a stage wrote and nobody may read yet: files in the restricted zone, awaiting their audit."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa
import pyarrow.compute as pc

from schemas.contract import Contract
from schemas.verdicts import verdicts_contract
from winnow.core.errors import WinnowError
from winnow.core.identity import canonical
from winnow.core.stage import StageOutput
from winnow.lake.contracts import contract_of
from winnow.lake.crash import reach
from winnow.lake.head import FileRef, PartitionState
from winnow.lake.names import new_nonce, require_slug
from winnow.lake.parts import PartWriter, conform
from winnow.lake.seen_keys import SeenKeys
from winnow.lake.versions import ContentVersion, version_of

if TYPE_CHECKING:
    from winnow.lake.audit import AuditReport
    from winnow.lake.lake import Lake

CANDIDATES = "_candidates"
TokenOf = Callable[[pa.RecordBatch], Any]
CountKey = tuple[str, str]


@dataclass
class SideSlice:
    """The rows of one table that a candidate brings along for its source."""

    contract: Contract
    writer: PartWriter
    version: ContentVersion
    files: list[FileRef] = field(default_factory=list)
    seen: SeenKeys = field(default_factory=SeenKeys)

    def write(self, batch: pa.RecordBatch, values: Mapping[str, str], once: bool) -> None:
        rows = conform(batch, self.contract, values)
        if once:
            rows = self._unseen(rows)
        self.version.update(rows)
        self.writer.write(rows)

    def _unseen(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        keys = zip(*(rows.column(name).to_pylist() for name in self.contract.key), strict=True)
        digests = [hashlib.blake2b(canonical(key), digest_size=16).digest() for key in keys]
        return rows.filter(pa.array(self.seen.fresh(digests)))

    @property
    def rows(self) -> int:
        return sum(file.rows for file in self.files)


class Candidate:
    """One attempt at a partition. Use it as a context manager: an exception inside deletes its files.

    `write` accounts a stage's batches; `write_rows` adds rows that nobody accounts for. After `close`,
    `data_version`, `rows` and `counts` are known. `acceptance` is JSON text on why it is published although it
    failed its audit, and None otherwise. Memory: a row group a table, 16 bytes a row,
    32 a row of a side table.
    """

    def __init__(
        self,
        lake: "Lake",
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
    ) -> None:
        require_slug(source, f"{contract.table}: source")
        self.lake, self.contract, self.source, self.stage = lake, contract, source, stage
        self.stage_version, self.code_version, self.inputs = stage_version, code_version, dict(inputs)
        self.verdict_version, self.accounted, self.fan_out = verdict_version, accounted, fan_out
        self.base: PartitionState | None = lake.head(contract.table).partitions.get(source)
        self.attempt = new_nonce()
        self.folder = f"{CANDIDATES}/{contract.table}/{source}/{self.attempt}"
        self.zone = lake.zone("restricted")
        self.rows_in = self.rows = 0
        self.data_version = ""
        self.files: list[FileRef] = []
        self.side: dict[str, SideSlice] = {}
        self.report: AuditReport | None = None
        self.acceptance: str | None = None
        self.closed = False
        self._token_of = token_of
        self._counts: Counter[CountKey] = Counter({("in", ""): 0})
        self._tokens: Counter[CountKey] = Counter()
        self._counted: set[CountKey] = set()
        self._version = version_of(contract)
        self._writer = self._part_writer("part", contract)
        self.verdicts = self._slice("verdicts", verdicts_contract(stage)) if accounted else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.discard()
        elif not self.closed:
            self.close()

    @property
    def values(self) -> dict[str, str]:
        return {"source": self.source}

    @property
    def owns_verdicts(self) -> bool:
        """Whether its verdicts are published with it; those of a global stage were published before."""
        return self.verdicts is not None and self.verdict_version is None

    def write(self, output: StageOutput) -> None:
        """One batch after its stage: kept rows, verdicts and side tables, all of this source.

        Raises DataError when a batch does not conform to its contract.
        """
        assert self.verdicts is not None, "this candidate is not accounted: use write_rows"
        self.rows_in += output.rows_in
        self._counts["in", ""] += output.rows_in
        self.write_rows(output.kept)
        self.verdicts.write(output.verdicts, self.values, once=False)
        self._account(output)
        for table, batch in output.side.items():
            if table not in self.side:
                self.side[table] = self._slice(f"side-{table}", contract_of(table))
            self.side[table].write(batch, self.values, once=True)

    def write_rows(self, batch: pa.RecordBatch) -> None:
        """Rows of the layer itself."""
        rows = conform(batch, self.contract, self.values)
        self._version.update(rows)
        self._writer.write(rows)
        self.rows += rows.num_rows

    def count(self, decision: str, rule: str, rows: int, tokens: int | None = None) -> None:
        """Adds to the counts of a decision and rule, e.g. the tokens of rows that were dropped."""
        self._counts[decision, rule] += rows
        if tokens is not None:
            self._tokens[decision, rule] += tokens
            self._counted.add((decision, rule))

    @property
    def counts(self) -> dict[CountKey, tuple[int, int | None]]:
        """(decision, rule) to (rows, tokens or None), sorted."""
        keys = sorted(set(self._counts) | self._counted)
        return {k: (self._counts[k], self._tokens[k] if k in self._counted else None) for k in keys}

    def close(self) -> None:
        """Writes what is pending and the manifest; the candidate is complete then."""
        self.files = self._writer.close()
        self.data_version = self._version.hexdigest()
        for piece in self._slices():
            piece.files = piece.writer.close()
        self.zone.put(f"{self.folder}/manifest.json", json.dumps(self.manifest(), indent=1).encode())
        self.closed = True
        reach("candidate-written")

    def discard(self) -> None:
        """Deletes its files."""
        if not self.closed:
            for writer in (self._writer, *(piece.writer for piece in self._slices())):
                # on a full disk closing a file fails as writing it did, and its space is what is wanted
                with suppress(WinnowError):
                    writer.abort()
        self.zone.delete_folder(self.folder)

    def manifest(self) -> dict[str, Any]:
        """What the candidate is, without any text of its rows."""
        return {
            "table": self.contract.table,
            "source": self.source,
            "stage": self.stage,
            "attempt": self.attempt,
            "stage_version": self.stage_version,
            "code_version": self.code_version,
            "data_version": self.data_version,
            "inputs": self.inputs,
            "base": self.base.files[0].path if self.base else None,
            "verdict_version": self.verdict_version,
            "accounted": self.accounted,
            "fan_out": self.fan_out,
            "rows_in": self.rows_in,
            "rows": self.rows,
            "counts": [[*key, rows, tokens] for key, (rows, tokens) in self.counts.items()],
            "files": [asdict(file) for file in self.all_files()],
        }

    def all_files(self) -> list[FileRef]:
        return [*self.files, *(file for piece in self._slices() for file in piece.files)]

    def _slices(self) -> list[SideSlice]:
        return [*([self.verdicts] if self.verdicts else []), *self.side.values()]

    def _part_writer(self, stem: str, contract: Contract) -> PartWriter:
        return PartWriter(self.zone, self.folder, stem, contract, self.footer(contract))

    def _slice(self, stem: str, contract: Contract) -> SideSlice:
        return SideSlice(contract, self._part_writer(stem, contract), ContentVersion(contract))

    def footer(self, contract: Contract) -> dict[str, str]:
        """Key-value metadata of each file."""
        return {
            "winnow.contract": contract.table,
            "winnow.stage": self.stage,
            "winnow.code_version": self.code_version,
            "winnow.inputs": json.dumps(self.inputs, sort_keys=True),
        }

    def _account(self, output: StageOutput) -> None:
        named = (output.verdicts.column(name).to_pylist() for name in ("row_id", "decision", "rule"))
        decided: dict[str, CountKey] = {
            str(row_id): (str(decision), str(rule)) for row_id, decision, rule in zip(*named, strict=True)
        }
        owners = [str(owner) for owner in kept_as(output.kept, self.fan_out).to_pylist()]
        keys = [decided.get(owner, ("keep", "")) for owner in owners]
        self._counts.update(dict(zip(owners, keys, strict=True)).values())
        self._counts.update(key for key in decided.values() if key[0] in ("drop", "park"))
        if self._token_of is not None:
            for (decision, rule), tokens in zip(keys, self._token_of(output.kept), strict=True):
                self.count(decision, rule, 0, int(tokens))


def kept_as(kept: pa.RecordBatch, fan_out: bool) -> Any:
    """The row that each kept row came in as: its parent when the stage splits rows, itself otherwise."""
    own = kept.column("row_id")
    return pc.coalesce(kept.column("parent_row_id"), own) if fan_out else own
