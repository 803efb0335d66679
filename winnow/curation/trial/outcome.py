"""What became of a row of a trial, as one line of JSON that keeps its form."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from winnow.core.runner import Judged
from winnow.curation.trial.rows import Form


@dataclass(frozen=True)
class Outcome:
    """One row after the stage. `id` and `matched_id` are JSON text; `output` is the row as the next layer gets it."""

    id: str
    decision: str = "keep"
    rule: str | None = None
    rules: tuple[str, ...] = ()
    score: float | None = None
    matched_id: str | None = None
    spans: tuple[dict[str, Any], ...] = field(default=())
    output: dict[str, Any] | None = None

    def json_line(self) -> bytes:
        """The outcome as one line of UTF-8, with its end."""
        value = {
            "id": orjson.Fragment(self.id),
            "decision": self.decision,
            "rule": self.rule,
            "rules": list(self.rules),
            "score": self.score,
            "matched_id": orjson.Fragment(self.matched_id) if self.matched_id is not None else None,
            "spans": list(self.spans),
            "output": self.output,
        }
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)


def outcomes(judged: Judged) -> Iterator[Outcome]:
    """The outcome of each row of a batch, in order."""
    verdicts = {v["row_id"]: v for v in judged.output.verdicts.to_pylist()}
    kept = {
        row["row_id"]: row for row in judged.output.kept.select(["row_id", "messages", "tools"]).to_pylist()
    }
    rows = judged.batch.select(["row_id", "id", "form"]).to_pylist()
    for row in rows:
        found = kept.get(row["row_id"])
        output = output_of(found, row["form"]) if found is not None else None
        yield outcome_of(row["id"], verdicts.get(row["row_id"]), output)


def outcome_of(id_text: str, verdict: Mapping[str, Any] | None, output: dict[str, Any] | None) -> Outcome:
    """The outcome of a row by its verdict; without one it is a plain keep."""
    if verdict is None:
        return Outcome(id_text, output=output)
    matched = verdict["matched_id"]
    return Outcome(
        id_text,
        verdict["decision"],
        verdict["rule"],
        tuple(verdict["rules"]),
        verdict["score"],
        orjson.dumps(matched).decode() if matched is not None else None,
        tuple(verdict["spans"]),
        output,
    )


def output_of(row: Mapping[str, Any], form: Form) -> dict[str, Any]:
    """A row of the row form as `{"text"}` or `{"messages"}`, whichever it came as; what is null is left out."""
    if form == "text":
        return {"text": row["messages"][0]["content"]}
    messages = [_without_nulls(message) for message in row["messages"]]
    tools = {"tools": row["tools"]} if row["tools"] is not None else {}
    return {"messages": messages, **tools}


def _without_nulls(message: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in message.items() if value is not None}
    if "tool_calls" in found:
        found["tool_calls"] = [
            {k: v for k, v in call.items() if v is not None} for call in found["tool_calls"]
        ]
    return found
