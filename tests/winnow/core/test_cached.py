"""A cached stage gives what the stage gives, and runs only rows whose content it has not seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.findings import FINDINGS
from schemas.rows import SANITIZED
from winnow.core.cached import CacheUse, content_keys, run_cached
from winnow.core.identity import conversation_hash, digest
from winnow.core.stage import Span, StageOutput, Verdict, verdict_batch

SCHEMA = SANITIZED.arrow_schema()


def row(number: int, text: str, source: str = "s") -> dict[str, Any]:
    messages = [{"role": "assistant", "content": text}]
    return {
        "row_id": digest([source, number]),
        "source": source,
        "source_revision": "1",
        "kind": "sft",
        "messages": messages,
        "content_hash": conversation_hash(messages, None),
    }


@dataclass
class Shout:
    """Drops `bad`, parks the empty, shouts `low`, flags `odd`, keeps the rest and finds each first d; counts what it ran."""

    name: str = "shout"
    code_version: str = "1"
    ran: list[str] = field(default_factory=list)

    def identity(self) -> dict[str, str]:
        return {}

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        kept, verdicts, tokens, findings = [], [], [], []
        for entry in batch.to_pylist():
            text = entry["messages"][0]["content"]
            self.ran.append(text)
            named = (entry["row_id"], entry["source"])
            if "d" in text:
                where = {"path": "/x", "start": text.index("d"), "end": len(text), "action": "flag"}
                what = {"category": "letter", "detector": "d", "confidence": 1.0, "fingerprint": None}
                findings.append({"row_id": named[0], "source": named[1], **what, **where})
            if text == "bad":
                verdicts.append(Verdict(*named, "drop", "bad", score=1.0, matched_id="b:1"))
            elif not text:
                verdicts.append(Verdict(*named, "park", "empty"))
            else:
                if text == "low":
                    entry["messages"][0]["content"] = "LOW"
                    entry["content_hash"] = conversation_hash(entry["messages"], None)
                    span = Span("case", "lower", "/messages/0/content", 0, 3)
                    verdicts.append(Verdict(*named, "redact", "case", spans=(span,)))
                elif text == "odd":
                    verdicts.append(Verdict(*named, "keep", "flag"))
                kept.append(entry)
            tokens.append({"row_id": entry["row_id"], "tokens_in": len(text), "tokens_out": len(text)})
        side = pa.schema([("row_id", pa.string()), ("tokens_in", pa.int64()), ("tokens_out", pa.int64())])
        return StageOutput(
            batch.num_rows,
            pa.RecordBatch.from_pylist(kept, schema=SCHEMA),
            verdict_batch(verdicts),
            {
                "row_tokens": pa.RecordBatch.from_pylist(tokens, schema=side),
                "findings": pa.RecordBatch.from_pylist(findings, schema=FINDINGS.arrow_schema()),
            },
        )


class Memory:
    def __init__(self) -> None:
        self.values: dict[bytes, bytes] = {}

    def get(self, keys: Sequence[bytes]) -> list[bytes | None]:
        return [self.values.get(key) for key in keys]

    def put(self, key: bytes, value: bytes) -> None:
        self.values[key] = value


TEXTS = st.lists(st.sampled_from(["bad", "", "low", "odd", "fine", "other"]), max_size=30)


def collect(outputs: list[StageOutput]) -> tuple[list[Any], ...]:
    return (
        [r for o in outputs for r in o.kept.to_pylist()],
        [v for o in outputs for v in o.verdicts.to_pylist()],
        [t for o in outputs for t in o.side.get("row_tokens", pa.table({})).to_pylist()],
        [f for o in outputs for f in o.side["findings"].to_pylist()],
    )


@settings(deadline=None)
@given(TEXTS, TEXTS, st.integers(1, 7))
def test_the_outcome_is_that_of_the_stage_and_only_new_content_runs(
    before: list[str], texts: list[str], size: int
) -> None:
    def batches(values: list[str], source: str) -> list[pa.RecordBatch]:
        rows = [row(i, text, source) for i, text in enumerate(values)]
        return [
            pa.RecordBatch.from_pylist(rows[i : i + size], schema=SCHEMA) for i in range(0, len(rows), size)
        ]

    cache = Memory()
    list(run_cached(Shout(), batches(before, "old"), cache, CacheUse(), workers=1))
    stage, use = Shout(), CacheUse()
    judged = list(run_cached(stage, batches(texts, "new"), cache, use, workers=1))
    plain = [Shout().run(batch) for batch in batches(texts, "new")]
    assert collect([item.output for item in judged]) == collect(plain)
    assert set(stage.ran) == set(texts) - set(before)
    assert use.hits + use.misses == len(texts)
    assert use.misses == len(stage.ran)


def test_known_rows_do_not_pile_up_while_they_wait_for_unknown_ones() -> None:
    texts = [f"{n} {'x' * 200_000}" for n in range(400)]
    given_out = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal given_out
        for number, text in enumerate(texts):
            given_out += 1
            yield pa.RecordBatch.from_pylist([row(number, text)], schema=SCHEMA)

    cache = Memory()
    list(run_cached(Shout(), batches(), cache, CacheUse(), workers=1))
    del cache.values[content_keys(pa.RecordBatch.from_pylist([row(399, texts[399])], schema=SCHEMA))[0]]
    given_out, use, ahead, seen = 0, CacheUse(), 0, []
    for judged in run_cached(Shout(), batches(), cache, use, workers=1):
        seen += judged.output.kept["row_id"].to_pylist()
        ahead = max(ahead, given_out - len(seen))
    assert (use.hits, use.misses) == (399, 1)
    assert seen == [row(number, text)["row_id"] for number, text in enumerate(texts)]
    assert ahead < 150  # 80 MB of rows; 16 MB of them wait at most
