"""Which checkpoint of a model line is champion: an alias moves only with the decision that moved it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from schemas.registry import ALIASES, DECISION, REGISTRY
from winnow.core.errors import ConflictError
from winnow.lake.lake import Lake
from winnow.lake.records import records, rewrite

Row = dict[str, Any]


@dataclass(frozen=True)
class Alias:
    """What an alias names, and the number of the decision that set it."""

    alias: str
    checkpoint_id: str
    release: str
    sequence: int


@dataclass(frozen=True)
class Decision:
    """One decision about a checkpoint, as it was taken; `sequence` counts from 1 in each model line."""

    sequence: int
    checkpoint_id: str
    release: str
    moved_champion: bool
    decision: dict[str, Any]
    decided_at: datetime
    decided_by: str


@dataclass(frozen=True)
class Contender:
    """A checkpoint that a decision is about, and the release that it was trained on."""

    checkpoint_id: str
    release: str


def aliases(lake: Lake, model: str) -> dict[str, Alias]:
    """The aliases of a model line by name, `champion` and `previous`; empty before the first promotion."""
    return _aliases(records(lake, REGISTRY, model))


def history(lake: Lake, model: str) -> list[Decision]:
    """Every decision about a model line, oldest first, those that promoted nothing too."""
    rows = [row for row in records(lake, REGISTRY, model) if row["alias"] == DECISION]
    return [_decision(row) for row in sorted(rows, key=lambda row: int(row["sequence"]))]


def swap(
    lake: Lake,
    model: str,
    expected_champion: str | None,
    new_champion: Contender,
    decision: Mapping[str, Any],
    decided_by: str = "",
) -> dict[str, Alias]:
    """Make a checkpoint champion, and the champion `previous`, in one commit with the decision.

    Nothing moves unless `expected_champion` (a checkpoint id, None for nobody) is champion at the commit.
    The same swap again, after a crash say, changes nothing. Returns the aliases as they stand then.

    Raises:
        ConflictError: another checkpoint is champion, so the decision compared with the wrong one.
    """
    taken = _Taken(new_champion, _text(decision), True, decided_by)

    def change(rows: list[Row]) -> list[Row]:
        now = _aliases(rows)
        champion = now.get("champion")
        found = champion.checkpoint_id if champion else None
        if champion and found == new_champion.checkpoint_id and taken.is_in(rows):
            return rows
        if found != expected_champion:
            raise ConflictError(
                f"Champion of {model} is {found or 'nobody'}, not {expected_champion or 'nobody'} as the "
                "decision took it to be. Evaluate against the champion and decide again."
            )
        row = taken.row(rows)
        moved = [row, row | {"alias": "champion"}]
        if champion:
            was = next(r for r in rows if r["alias"] == "champion")
            moved.append(was | {"alias": "previous"})
        return [r for r in rows if r["alias"] not in ALIASES] + moved

    head = rewrite(lake, REGISTRY, model, change)
    return _aliases(records(lake, REGISTRY, model, head))


def record_decision(
    lake: Lake, model: str, contender: Contender, decision: Mapping[str, Any], decided_by: str = ""
) -> None:
    """Keep a decision that moves no alias, e.g. a rejection. The same decision again changes nothing."""
    taken = _Taken(contender, _text(decision), False, decided_by)

    def change(rows: list[Row]) -> list[Row]:
        return rows if taken.is_in(rows) else [*rows, taken.row(rows)]

    rewrite(lake, REGISTRY, model, change)


@dataclass(frozen=True)
class _Taken:
    contender: Contender
    decision: str
    moved_champion: bool
    decided_by: str

    def is_in(self, rows: list[Row]) -> bool:
        wanted = (DECISION, self.contender.checkpoint_id, self.decision, self.moved_champion)
        return any(
            (r["alias"], r["checkpoint_id"], r["decision"], r["moved_champion"]) == wanted for r in rows
        )

    def row(self, rows: list[Row]) -> Row:
        return {
            "alias": DECISION,
            "sequence": max((int(r["sequence"]) for r in rows), default=0) + 1,
            "checkpoint_id": self.contender.checkpoint_id,
            "release": self.contender.release,
            "moved_champion": self.moved_champion,
            "decision": self.decision,
            "decided_at": datetime.now(UTC),
            "decided_by": self.decided_by,
        }


def _aliases(rows: list[Row]) -> dict[str, Alias]:
    return {
        r["alias"]: Alias(r["alias"], r["checkpoint_id"], r["release"], r["sequence"])
        for r in rows
        if r["alias"] in ALIASES
    }


def _decision(row: Row) -> Decision:
    return Decision(
        sequence=row["sequence"],
        checkpoint_id=row["checkpoint_id"],
        release=row["release"],
        moved_champion=row["moved_champion"],
        decision=json.loads(row["decision"]),
        decided_at=row["decided_at"],
        decided_by=row["decided_by"],
    )


def _text(decision: Mapping[str, Any]) -> str:
    return json.dumps(decision, sort_keys=True, ensure_ascii=False)
