"""`python -m evaluation.preference_accuracy JOB.json`: how likely models find both answers of held-out pairs.

What lies in the output directory when it is done: `items.jsonl` and, last, `result.json`; what follows from
the items is in evaluation/preferences.py. A killed run goes on where it was.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.output import finished
from evaluation.partial import PartialRecords
from evaluation.preference_items import (
    PairItem,
    PreferenceJob,
    PreferenceResult,
    read_result,
    write_result,
)
from evaluation.preferences import preference_accuracy
from evaluation.scoring import by_length, score_models
from winnow.core.errors import DataError, RunError
from winnow.core.identity import digest
from winnow.models.chat import ChatEncoder
from winnow.models.child import Events, prepare_process, run_program
from winnow.models.local import assistant_nll
from winnow.models.pair_file import PairFile
from winnow.models.pairs import EncodedPair, encode_pair

CODE_VERSION = "preference-accuracy-1"
_PARTIAL = "items.partial.jsonl"


@dataclass(frozen=True)
class HeldoutPair:
    """A pair to score."""

    row_id: str
    group: str | None
    encoded: EncodedPair

    @property
    def tokens(self) -> int:
        """Padded tokens of both sides."""
        return 2 * max(len(side.ids) for side in self.encoded.sides())


@dataclass(frozen=True)
class Chosen:
    """The pairs to score in order, those that cannot be, and the version of the whole."""

    pairs: tuple[HeldoutPair, ...]
    refused: tuple[dict[str, str], ...]
    version: str


def evaluate(raw: Mapping[str, Any], events: Events) -> PreferenceResult:
    """The items of every model of the job, from disk as far as they are there.

    Raises ConfigError for a faulty job and for an output directory that holds another evaluation, DataError
    for a file without a pair to score, RunError for a likelihood that is no number.
    """
    job = PreferenceJob.load(raw)
    job.output.mkdir(parents=True, exist_ok=True)
    chosen = _chosen(job)
    fingerprint = digest([CODE_VERSION, chosen.version, job.identity()])
    done = finished(job.output, fingerprint, read_result(job.output), "pairs", events)
    if done is not None:
        return done
    partial = PartialRecords(job.output / _PARTIAL, fingerprint, PairItem, lambda i: (i.model, i.item_id))
    _score(job, chosen.pairs, partial, events)
    items = [partial[m.name, pair.row_id] for m in job.models for pair in chosen.pairs]
    result = _result(job, chosen, fingerprint, items)
    write_result(job.output, result, items)
    partial.path.unlink(missing_ok=True)
    _report(job, items, events)
    return result


def _chosen(job: PreferenceJob) -> Chosen:
    encoder = ChatEncoder.from_files(Path(job.base.path) / "tokenizer.json", Path(job.base.template))
    source = PairFile(job.pairs)
    ids = source.ordered_ids(job.seed, job.max_pairs)
    groups = source.groups(ids, job.group) if job.group else [None] * len(ids)
    pairs: list[HeldoutPair] = []
    refused: list[dict[str, str]] = []
    content = []
    for pair, group in zip(source.read(ids), groups, strict=True):
        try:
            encoded = encode_pair(encoder, pair.messages, pair.chosen, pair.rejected, job.sequence_len)
        except DataError as error:
            refused.append({"row_id": pair.row_id, "reason": str(error)})
            continue
        pairs.append(HeldoutPair(pair.row_id, group, encoded))
        content.append([pair.row_id, pair.content_hash])
    if not pairs:
        why = f" (row {refused[0]['row_id']}: {refused[0]['reason']})" if refused else ""
        raise DataError(
            f"{job.pairs.name}: none of {len(ids)} pairs can be scored{why}. "
            "Hold out pairs of two different answers, or raise `sequence_len`."
        )
    if job.group and len({pair.group for pair in pairs}) < 2:
        raise DataError(
            f"{job.pairs.name}: all pairs share one `{job.group}`, which says nothing about others. "
            "Hold out pairs of two at least, or leave `group` out."
        )
    version = digest([sorted(content), job.sequence_len, job.base.template_hash, job.base.tokenizer_hash])
    return Chosen(tuple(pairs), tuple(refused), version)


def _score(
    job: PreferenceJob, pairs: Sequence[HeldoutPair], partial: PartialRecords[PairItem], events: Events
) -> None:
    """Scores what is not on disk yet, model by model, and leaves it in `partial`."""
    batches = by_length(
        sorted(pairs, key=lambda p: p.row_id), lambda p: p.tokens, job.batch_pairs, job.batch_tokens
    )
    left = {
        m.name: [b for b in batches if not all((m.name, pair.row_id) in partial for pair in b)]
        for m in job.models
    }
    prepare_process(job.threads, job.seed)
    score_models(
        Path(job.base.path),
        job.models,
        left,
        lambda name, model, batch: partial.add(_items(name, model, batch)),
        events,
    )


def _items(name: str, model: Any, batch: Sequence[HeldoutPair]) -> list[PairItem]:
    started = time.monotonic()
    values = assistant_nll(model, [side for pair in batch for side in pair.encoded.sides()])
    seconds = round((time.monotonic() - started) / len(batch), 4)
    items = []
    for pair, good, bad in zip(batch, values[::2], values[1::2], strict=True):
        if not (0.0 <= good[0] < float("inf") and 0.0 <= bad[0] < float("inf")):
            raise RunError(
                f"pair {pair.row_id}: the likelihood of an answer under {name} is no number. "
                "The model is broken: train it again."
            )
        items.append(PairItem(name, pair.row_id, pair.group, -good[0], -bad[0], good[1], bad[1], seconds))
    return items


def _result(
    job: PreferenceJob, chosen: Chosen, fingerprint: str, items: Sequence[PairItem]
) -> PreferenceResult:
    return PreferenceResult(
        job=fingerprint,
        code_version=CODE_VERSION,
        benchmark_version=chosen.version,
        sequence_len=job.sequence_len,
        pairs=len(chosen.pairs),
        refused=chosen.refused,
        truncated_pairs=sum(pair.encoded.truncated for pair in chosen.pairs),
        groups=len({pair.group for pair in chosen.pairs}) if job.group else None,
        models={m.name: m.hash for m in job.models},
        seconds=round(sum(i.seconds for i in items), 3),
    )


def _report(job: PreferenceJob, items: Sequence[PairItem], events: Events) -> None:
    by_model = {m.name: [i for i in items if i.model == m.name] for m in job.models}
    reference = by_model.pop(job.reference)
    found = {name: preference_accuracy(own, reference, seed=job.seed) for name, own in by_model.items()}
    told = [f"{name} {a.told()}" for name, a in found.items()]
    events.send(
        "complete",
        accuracies={name: a.value for name, a in found.items()},
        message=f"{len(reference)} pairs: preference accuracy with respect to {job.reference}: "
        + (", ".join(told) or "no other model"),
    )


if __name__ == "__main__":
    run_program(evaluate)
