"""A lake of a few rows a source, grown through every layer by the lake's own publish; no stage is run."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.contract import Contract
from schemas.raw import RAW
from schemas.rows import CONVERSATIONS, CURATED, DECONTAMINATED, DEDUPED, SANITIZED, SFT_TRAIN
from schemas.verdicts import TOKEN_COUNTS
from winnow.core.identity import conversation_hash, digest, payload_hash, row_id, stage_version
from winnow.core.stage import Span, StageOutput, Verdict, verdict_batch
from winnow.lake.candidate import Candidate
from winnow.lake.lake import Lake
from winnow.lake.publish import publish
from winnow.lake.settings import LakeSettings
from winnow.lake.verdicts import publish_global_verdicts
from winnow.lake.versions import removed_version

Row = dict[str, Any]
CHAIN = (
    ("ingest", RAW),
    ("normalize", CONVERSATIONS),
    ("sanitize", SANITIZED),
    ("dedup", DEDUPED),
    ("decontaminate", DECONTAMINATED),
    ("quality", CURATED),
    ("split", SFT_TRAIN),
)
CODE = "1"


def sample() -> dict[str, list[Row]]:
    """Rows of two sources; `alpha` first, so that copies in `beta` lose to it."""
    return {"alpha": sample_rows("alpha", 8), "beta": sample_rows("beta", 6)}


def grown(root: Path) -> Lake:
    """A lake in `root` with every layer of `sample` published; made once a process and copied."""
    for name in ("lake", "lake_raw"):
        shutil.copytree(_grown_once() / name, root / name)
    return lake_in(root)


@cache
def _grown_once() -> Path:
    root = Path(tempfile.mkdtemp(prefix="small_lake_"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    grow(lake_in(root), sample())
    return root


def lake_in(root: Path, **env: str) -> Lake:
    """A lake in two directories of `root`."""
    roots = {"LAKE_ROOT": str(root / "lake"), "LAKE_RAW_ROOT": str(root / "lake_raw")}
    return Lake.open(LakeSettings.from_env({**roots, **env}))


def conversation(source: str, key: str, text: str, license: str | None = "MIT") -> Row:
    messages = [{"role": "user", "content": text, "tool_calls": []}]
    content = conversation_hash(messages, None)
    return {
        "row_id": row_id(source, key, content, 0),
        "parent_row_id": None,
        "source": source,
        "source_revision": "r1",
        "kind": "sft",
        "messages": messages,
        "tools": None,
        "language": "python" if "def " in text else None,
        "license": license,
        "content_hash": content,
        "meta": None,
    }


def raw_row(row: Row) -> Row:
    payload = str(row["messages"][0]["content"]).encode()
    return {
        "row_id": row["row_id"],
        "source": row["source"],
        "source_revision": "r1",
        "key": row["row_id"],
        "occurrence": 0,
        "ordinal": 0,
        "payload_kind": "text",
        "payload": payload,
        "content_hash": payload_hash(payload),
        "license": row["license"],
        "meta": None,
    }


def sample_rows(source: str, count: int) -> list[Row]:
    """Row 0 is clean, row 1 a copy of it, row 2 contaminated, row 3 broken, the rest clean."""
    texts = ["def f(): return 1", "def f(): return 1", "benchmark text", "def broken("]
    texts += [f"question {n} of {source}?" for n in range(4, count)]
    return [conversation(source, f"k{n}", text) for n, text in enumerate(texts[:count])]


def batch(contract: Contract, rows: Iterable[Row]) -> pa.RecordBatch:
    schema = pa.schema([pa.field(c.name, c.type) for c in contract.columns])
    return pa.RecordBatch.from_pylist(list(rows), schema=schema)


def publish_layer(
    lake: Lake,
    stage: str,
    contract: Contract,
    source: str,
    rows_in: int,
    kept: Sequence[Row],
    verdicts: Sequence[Verdict] = (),
    inputs: Mapping[str, str] | None = None,
    verdict_version: int | None = None,
    config: Mapping[str, Any] | None = None,
    tokens: Mapping[str, int] | None = None,
) -> None:
    """One partition through candidate, audit and publish. `tokens` by content hash go into token_counts."""
    named = dict(inputs or {})
    version = stage_version(stage, CODE, config or {}, named)
    if lake.published(contract.table, source, version):
        return
    side = {}
    if tokens:
        rows = [
            {"source": source, "content_hash": h, "tokenizer_hash": "t", "tokens": n}
            for h, n in tokens.items()
        ]
        side["token_counts"] = batch(TOKEN_COUNTS, rows)
    candidate = Candidate(
        lake,
        contract,
        source,
        stage,
        version,
        CODE,
        named,
        verdict_version=verdict_version,
        token_of=(lambda rows: [7] * rows.num_rows) if tokens else None,
    )
    with candidate:
        candidate.write(StageOutput(rows_in, batch(contract, kept), verdict_batch(verdicts), side))
    publish(lake, candidate)


def grow(
    lake: Lake,
    sources: Mapping[str, Sequence[Row]],
    config: Mapping[str, Any] | None = None,
    until: str = "split",
) -> None:
    """Publishes every layer of every source; a second call with the same rows writes nothing."""
    for source, rows in sources.items():
        _grow_to_sanitized(lake, source, rows, config)
    dedup(lake, sources)
    for source, rows in sources.items():
        _grow_from_deduped(lake, source, rows, until)


def _grow_to_sanitized(
    lake: Lake, source: str, rows: Sequence[Row], config: Mapping[str, Any] | None
) -> None:
    ingest = {"records": digest([[r["row_id"], r["content_hash"], r["license"]] for r in rows])}
    publish_layer(
        lake, "ingest", RAW, source, len(rows), [raw_row(r) for r in rows], inputs=ingest, config=config
    )
    publish_layer(
        lake, "normalize", CONVERSATIONS, source, len(rows), rows, inputs=version_of(lake, "raw", source)
    )
    redacted = [
        Verdict(
            r["row_id"],
            source,
            "redact",
            "email_address",
            spans=(Span("email_address", "address", "/messages/0/content", 0, 2),),
        )
        for r in rows[:1]
    ]
    publish_layer(
        lake,
        "sanitize",
        SANITIZED,
        source,
        len(rows),
        rows,
        redacted,
        version_of(lake, "conversations", source),
        tokens={r["content_hash"]: 7 for r in rows},
    )


def copies(rows: Sequence[Row]) -> list[Verdict]:
    seen: dict[str, str] = {}
    found = []
    for row in rows:
        first = seen.setdefault(row["content_hash"], row["row_id"])
        if first != row["row_id"]:
            found.append(
                Verdict(row["row_id"], row["source"], "drop", "exact_copy", score=1.0, matched_id=first)
            )
    return found


def dedup(lake: Lake, sources: Mapping[str, Sequence[Row]]) -> None:
    """Global verdicts over all sources given, in one commit."""
    verdicts = copies([row for rows in sources.values() for row in rows])
    inputs: dict[str, str] = {}
    for source in sources:
        inputs |= version_of(lake, "sanitized", source)
    slices = {s: [verdict_batch([v for v in verdicts if v.source == s])] for s in sources}
    publish_global_verdicts(
        lake,
        "dedup",
        slices,
        {s: inputs[f"sanitized/{s}"] for s in sources},
        stage_version("dedup", CODE, {}, inputs),
        inputs,
    )


def _grow_from_deduped(lake: Lake, source: str, rows: Sequence[Row], until: str) -> None:
    head = lake.head("verdicts_dedup")
    dropped = {
        r["row_id"]: Verdict(
            r["row_id"], source, "drop", r["rule"], tuple(r["rules"]), r["score"], r["matched_id"]
        )
        for b in lake.scan("verdicts_dedup", [source], head=head)
        for r in b.to_pylist()
    }
    named = {**version_of(lake, "sanitized", source), f"verdicts_dedup/{source}": removed_version(dropped)}
    kept = [r for r in rows if r["row_id"] not in dropped]
    publish_layer(
        lake,
        "dedup",
        DEDUPED,
        source,
        len(rows),
        kept,
        list(dropped.values()),
        named,
        verdict_version=head.version,
    )
    for stage, contract, before, bad in (
        ("decontaminate", DECONTAMINATED, "deduped", "benchmark"),
        ("quality", CURATED, "decontaminated", "def broken("),
        ("split", SFT_TRAIN, "curated", "\0"),
    ):
        lost = [r for r in kept if bad in r["messages"][0]["content"]]
        verdicts = [Verdict(r["row_id"], source, "drop", f"{stage}_rule") for r in lost]
        rest = [r for r in kept if r not in lost]
        publish_layer(
            lake, stage, contract, source, len(kept), rest, verdicts, version_of(lake, before, source)
        )
        kept = rest
        if stage == until:
            return


def version_of(lake: Lake, table: str, source: str) -> dict[str, str]:
    return {f"{table}/{source}": lake.head(table).partitions[source].data_version}


def lose_a_row(lake: Lake, stage: str, source: str) -> str:
    """Publishes the stage's layer again, as newer code would that drops one row more; returns its id."""
    tables = [c.table for _, c in CHAIN]
    contract = dict(CHAIN)[stage]
    before = tables[tables.index(contract.table) - 1]
    state = lake.head(contract.table).partitions[source]
    came = [r["row_id"] for b in lake.scan(before, [source], ["row_id"]) for r in b.to_pylist()]
    *kept, lost = [r for b in lake.scan(contract.table, [source]) for r in b.to_pylist()]
    gone = [i for i in came if i not in {r["row_id"] for r in kept}]
    publish_layer(
        lake,
        stage,
        contract,
        source,
        len(came),
        kept,
        [Verdict(i, source, "drop", "newer") for i in gone],
        state.inputs(),
        state.verdict_version if stage == "dedup" else None,
        config={"newer": True},
    )
    return str(lost["row_id"])
