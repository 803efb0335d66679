"""`python -m evaluation.heldout_loss JOB.json`: the loss of models on the same held-out rows, row by row.

The base is loaded once; each model is the base or the base with an adapter. What lies in the output
directory when it is done: `items.jsonl` and, last, `result.json`. A killed run goes on where it was.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.items import HeldoutJob, HeldoutResult, Item, read_result, write_result
from evaluation.output import finished
from evaluation.partial import PartialRecords
from evaluation.scoring import by_length, score_models
from winnow.core.errors import DataError, RunError
from winnow.core.identity import digest
from winnow.models.chat import ChatEncoder, Encoded
from winnow.models.child import Events, prepare_process, run_program
from winnow.models.local import assistant_nll
from winnow.models.row_file import RowFile

CODE_VERSION = "heldout-loss-1"
_PARTIAL = "items.partial.jsonl"

Group = tuple[tuple[str, Encoded], ...]


def evaluate(raw: Mapping[str, Any], events: Events) -> HeldoutResult:
    """The items of every model of the job, from disk as far as they are there.

    Raises ConfigError for a faulty job and for an output directory that holds another evaluation, DataError
    for a file without a row to score, RunError for a loss that is no number.
    """
    job = HeldoutJob.load(raw)
    job.output.mkdir(parents=True, exist_ok=True)
    rows, skipped, version = _chosen(job)
    fingerprint = digest([CODE_VERSION, version, job.identity()])
    done = finished(job.output, fingerprint, read_result(job.output), "rows", events)
    if done is not None:
        return done
    partial = PartialRecords(job.output / _PARTIAL, fingerprint, Item, lambda i: (i.model, i.item_id))
    groups = by_length(
        sorted(rows, key=lambda row: row[0]), lambda row: len(row[1].ids), job.batch_size, job.batch_tokens
    )
    _score(job, groups, partial, events)
    items = [partial[m.name, row_id] for m in job.models for row_id, _ in rows]
    result = HeldoutResult(
        job=fingerprint,
        code_version=CODE_VERSION,
        benchmark_version=version,
        sequence_len=job.sequence_len,
        rows=len(rows),
        skipped=tuple(skipped),
        truncated_rows=sum(e.truncated for _, e in rows),
        models={m.name: m.hash for m in job.models},
        seconds=round(sum(i.seconds for i in items), 3),
    )
    write_result(job.output, result, items)
    partial.path.unlink(missing_ok=True)
    losses = {m.name: _mean([i for i in items if i.model == m.name]) for m in job.models}
    events.send(
        "complete",
        losses=losses,
        message=f"{len(rows)} rows: " + ", ".join(f"{name} {loss:.4f}" for name, loss in losses.items()),
    )
    return result


def _mean(items: Sequence[Item]) -> float:
    return sum(i.nll for i in items) / sum(i.tokens for i in items)


def _chosen(job: HeldoutJob) -> tuple[list[tuple[str, Encoded]], list[str], str]:
    """The rows to score in order, the ids of those without a token to score, and the version of the whole."""
    encoder = ChatEncoder.from_files(Path(job.base.path) / "tokenizer.json", Path(job.base.template))
    source = RowFile(job.rows)
    ids = source.ordered_ids(job.seed, job.kinds, job.max_rows)
    rows: list[tuple[str, Encoded]] = []
    skipped: list[str] = []
    content = []
    for row in source.read(ids):
        try:
            encoded = encoder.encode(row.messages, row.tools, job.sequence_len)
        except DataError:
            skipped.append(row.row_id)
            continue
        if encoded.scored:
            rows.append((row.row_id, encoded))
            content.append([row.row_id, row.content_hash])
        else:
            skipped.append(row.row_id)
    if not rows:
        raise DataError(
            f"{job.rows.name}: none of {len(ids)} rows has a token to score. "
            "Hold out rows in which the assistant speaks, or raise `sequence_len`."
        )
    version = digest([sorted(content), job.sequence_len, job.base.template_hash, job.base.tokenizer_hash])
    return rows, skipped, version


def _score(job: HeldoutJob, groups: Sequence[Group], partial: PartialRecords[Item], events: Events) -> None:
    """Scores what is not on disk yet, model by model, and leaves it in `partial`."""
    left = {
        m.name: [g for g in groups if not all((m.name, row_id) in partial for row_id, _ in g)]
        for m in job.models
    }
    prepare_process(job.threads, job.seed)
    score_models(
        Path(job.base.path),
        job.models,
        left,
        lambda name, model, group: partial.add(_items(name, model, group)),
        events,
    )


def _items(name: str, model: Any, group: Group) -> list[Item]:
    started = time.monotonic()
    values = assistant_nll(model, [encoded for _, encoded in group])
    seconds = (time.monotonic() - started) / len(group)
    for (row_id, _), (nll, _) in zip(group, values, strict=True):
        if not 0.0 <= nll < float("inf"):
            raise RunError(
                f"row {row_id}: the loss under {name} is {nll}. The model is broken: train it again."
            )
    return [
        Item(name, row_id, nll, tokens, round(seconds, 4))
        for (row_id, _), (nll, tokens) in zip(group, values, strict=True)
    ]


if __name__ == "__main__":
    run_program(evaluate)
