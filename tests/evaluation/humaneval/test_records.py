import json

import pyarrow as pa

from evaluation.humaneval.grade import Graded
from evaluation.humaneval.job import Generation
from evaluation.humaneval.records import generation_rows, item_rows, summary_row
from evaluation.humaneval.score import ModelScore
from schemas.contract import Contract
from schemas.evaluations import EVALUATION_ITEMS, EVALUATIONS
from schemas.generations import GENERATIONS

PLANTED = "call 555-0100"
SCORE = ModelScore(
    "candidate",
    "a1",
    "v1",
    tuple(
        Graded(
            Generation("candidate", f"HumanEval/{n}", PLANTED, "turn", 7 + n, 0.5),
            f"# {PLANTED}",
            n == 1,
            f"failed: {PLANTED}",
        )
        for n in range(3)
    ),
)


def table(rows: list[dict[str, object]], contract: Contract) -> list[dict[str, object]]:
    """The rows as the contract takes them: every column, no other, of its type."""
    assert all(set(row) == set(contract.names) for row in rows)
    taken: list[dict[str, object]] = pa.Table.from_pylist(rows, contract.arrow_schema()).to_pylist()
    return taken


def test_rows_fit_their_contracts_and_name_one_evaluation() -> None:
    tables = [
        table([summary_row(SCORE, "sft", "c1")], EVALUATIONS),
        table(item_rows(SCORE, "sft"), EVALUATION_ITEMS),
        table(generation_rows(SCORE, "sft"), GENERATIONS),
    ]
    assert [len(t) for t in tables] == [1, 3, 3]
    assert {row["evaluation_id"] for t in tables for row in t} == {SCORE.evaluation_id}
    assert [row["value"] for row in tables[1]] == [0.0, 1.0, 0.0]
    [summary] = tables[0]
    assert (summary["value"], summary["n"], summary["seconds"]) == (1 / 3, 3, 1.5)


def test_what_a_model_wrote_is_in_the_restricted_table_alone() -> None:
    assert GENERATIONS.zone == "restricted"
    open_rows = [summary_row(SCORE, "sft", None), *item_rows(SCORE, "sft"), SCORE.reasons]
    assert PLANTED not in json.dumps(open_rows)
    assert PLANTED in json.dumps(generation_rows(SCORE, "sft"))
