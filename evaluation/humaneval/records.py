"""A score as rows of the lake's tables: what the open zone may hold, and what it may not."""

from typing import Any

from evaluation.humaneval.score import BENCHMARK, METRIC, ModelScore

Row = dict[str, Any]


def summary_row(score: ModelScore, line: str, checkpoint_id: str | None) -> Row:
    """The row of `evaluations`; `checkpoint_id` is None for a base model."""
    return {
        "evaluation_id": score.evaluation_id,
        "model": line,
        "model_hash": score.model_hash,
        "checkpoint_id": checkpoint_id,
        "benchmark": BENCHMARK,
        "benchmark_version": score.benchmark_version,
        "metric": METRIC,
        "value": score.value,
        "n": len(score.graded),
        "seconds": sum(g.generation.seconds for g in score.graded),
    }


def item_rows(score: ModelScore, line: str) -> list[Row]:
    """The rows of `evaluation_items`: ids, verdicts and counts, no text."""
    return [
        {
            "evaluation_id": score.evaluation_id,
            "model": line,
            "item_id": g.generation.task_id,
            "value": g.value,
            "tokens": g.generation.tokens,
            "seconds": g.generation.seconds,
        }
        for g in score.graded
    ]


def generation_rows(score: ModelScore, line: str) -> list[Row]:
    """The rows of `generations`, restricted: what was written and run, and how it ended."""
    return [
        {
            "evaluation_id": score.evaluation_id,
            "model": line,
            "item_id": g.generation.task_id,
            "text": g.generation.text,
            "program": g.program,
            "ending": g.generation.ending,
            "passed": g.passed,
            "reason": g.reason,
            "tokens": g.generation.tokens,
            "seconds": g.generation.seconds,
        }
        for g in score.graded
    ]
