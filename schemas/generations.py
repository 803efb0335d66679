"""What models wrote for the problems of a benchmark, and the programs that were run of it."""

import pyarrow as pa

from schemas.contract import Column, Contract

GENERATIONS = Contract(
    table="generations",
    zone="restricted",
    description="Answers of models to benchmark problems, as they were written: nothing has been sanitized.",
    columns=(
        Column("evaluation_id", pa.string(), "Evaluation that the answer was given in; see `evaluations`."),
        Column("model", pa.string(), "Slug of the model line that was evaluated."),
        Column("item_id", pa.string(), "The benchmark's own id of the problem."),
        Column("text", pa.string(), "What the model wrote, without control tokens."),
        Column("program", pa.string(), "The program that was run with the problem's tests."),
        Column(
            "ending",
            pa.string(),
            "`turn`: the model ended it; `complete`: nothing more would count; `length`: it was cut.",
        ),
        Column("passed", pa.bool_(), "Whether the program passed all tests."),
        Column("reason", pa.string(), "Why it did not, as the sandbox tells it."),
        Column("tokens", pa.int64(), "Tokens written."),
        Column("seconds", pa.float64(), "Seconds it took to write them.", operational=True),
    ),
    key=("evaluation_id", "item_id"),
    partition_by=("model",),
    invariants={"the ending is known": "ending IN ('turn', 'complete', 'length')"},
)
