"""Pairs as rows of the layer, and what became of every row that they were drawn from."""

import platform
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson
import pyarrow as pa

from schemas.preference import PREFERENCE_PAIRS
from winnow.core.identity import conversation_hash, digest
from winnow.core.runner import Judged
from winnow.core.stage import StageOutput, Verdict, verdict_batch
from winnow.curation.preference.config import PreferenceConfig
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.selection import Selection, Split
from winnow.curation.preference.trials import Pair

Found = Mapping[str, Pair | str]


def judged_pairs(
    batches: Iterable[pa.RecordBatch],
    selection: Selection,
    found: Found,
    config: PreferenceConfig,
) -> Iterator[Judged]:
    """Each batch of curated rows with its pairs; a row without one is dropped under its rule.

    `found` gives, by row id, a pair or a rule for each function that was run.
    """
    for batch in batches:
        pairs, verdicts = [], []
        for row in batch.to_pylist():
            made = found.get(row["row_id"]) or selection.rule(row)
            assert made is not None, "a function that was chosen was not run"
            if isinstance(made, str):
                verdicts.append(Verdict(row["row_id"], row["source"], "drop", made))
            else:
                function = selection.functions[row["row_id"]]
                pairs.append(pair_row(row, function, made, selection.splits[function.distribution], config))
        kept = pa.RecordBatch.from_pylist(pairs, schema=PREFERENCE_PAIRS.arrow_schema())
        yield Judged(batch, StageOutput(batch.num_rows, kept, verdict_batch(verdicts)))


def pair_row(
    row: Mapping[str, Any], function: DocumentedFunction, pair: Pair, split: Split, config: PreferenceConfig
) -> dict[str, Any]:
    """A row of `preference_pairs`."""
    prompt = list(row["messages"][:-1])
    chosen, rejected = function.answer(function.text), function.answer(pair.mutant.text)
    said = [{"role": "assistant", "content": text} for text in (chosen, rejected)]
    return {
        "row_id": digest([row["row_id"], pair.mutant.text]),
        "parent_row_id": row["row_id"],
        "source": row["source"],
        "source_revision": row["source_revision"],
        "kind": "preference",
        "split": split,
        "distribution": function.distribution,
        "messages": prompt,
        "chosen": chosen,
        "rejected": rejected,
        "mutation": pair.mutant.operator,
        "evidence": orjson.dumps(_evidence(function, pair, config), option=orjson.OPT_SORT_KEYS).decode(),
        "language": row["language"],
        "license": row["license"],
        "content_hash": conversation_hash([*prompt, *said], None),
        "meta": row["meta"],
    }


def _evidence(function: DocumentedFunction, pair: Pair, config: PreferenceConfig) -> dict[str, Any]:
    """What was run and what came of it, without a word of any output."""
    return {
        "examples": len(function.examples),
        "hash_seeds": list(config.hash_seeds),
        "chosen": {"passed_runs": len(config.hash_seeds)},
        "rejected": {
            "failed_runs": len(config.hash_seeds),
            "example": pair.failure.example,
            "failure": pair.failure.failure,
            "line": pair.mutant.line,
        },
        "mutants_tried": pair.tried,
        "module": function.module,
        "python": platform.python_version(),
    }
