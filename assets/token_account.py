"""Writing a judged batch into a candidate, with the tokens of what was kept and dropped, rule by rule."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy.typing as npt
import pyarrow as pa

from winnow.core.runner import Judged
from winnow.core.stage import StageOutput
from winnow.curation.tokens import RowTokens
from winnow.lake.candidate import Candidate

TokensOf = Callable[[pa.RecordBatch], npt.NDArray[Any]]
"""Tokens of each row of a batch, known from an earlier layer."""


def write_judged(
    candidate: Candidate, item: Judged, tokens: TokensOf | None = None, counted: RowTokens | None = None
) -> None:
    """Writes kept rows and verdicts; tokens come from `tokens`, or from the stage that `counted` them."""
    output = item.output
    side = {name: batch for name, batch in output.side.items() if name != "row_tokens"}
    if counted is not None:
        columns: dict[str, list[Any]] = output.side["row_tokens"].to_pydict()
        taken = dict(zip(columns["row_id"], columns["tokens_in"], strict=True))
        given = dict(zip(columns["row_id"], columns["tokens_out"], strict=True))
        # Made here, and not in the stage, so that rows out of the cache have their counts too
        side["token_counts"] = counted.table(output.kept, [given[r] for r in _strings(output.kept, "row_id")])
        _count(candidate, output, taken, given)
    elif tokens is not None:
        taken = dict(zip(_strings(item.batch, "row_id"), tokens(item.batch).tolist(), strict=True))
        _count(candidate, output, taken, taken)
    candidate.write(StageOutput(output.rows_in, output.kept, output.verdicts, side))


def _count(
    candidate: Candidate, output: StageOutput, taken: Mapping[str, int], given: Mapping[str, int]
) -> None:
    """Tokens in, kept, dropped and parked; a dropped row counts with the tokens it came with."""
    named = (_strings(output.verdicts, name) for name in ("row_id", "decision", "rule"))
    decided = {row: (decision, rule) for row, decision, rule in zip(*named, strict=True)}
    sums: Counter[tuple[str, str]] = Counter({("in", ""): sum(taken.values())})
    for row in _strings(output.kept, "row_id"):
        sums[decided.get(row, ("keep", ""))] += given[row]
    for row, (decision, rule) in decided.items():
        if decision in ("drop", "park"):
            sums[decision, rule] += taken[row]
    for (decision, rule), count in sums.items():
        candidate.count(decision, rule, 0, count)


def _strings(batch: pa.RecordBatch, name: str) -> list[str]:
    values: list[Any] = batch.column(name).to_pylist()
    return values
