"""`winnow trace`: the whole life of one row, from the record read to the checkpoints that saw it."""

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from winnow.core.errors import DataError
from winnow.lake.explanation import LAYERS
from winnow.lake.lake import Lake
from winnow.lake.release import list_releases, load_release
from winnow.lake.sql_types import quoted_text
from winnow.lake.views import connect

if TYPE_CHECKING:
    import duckdb

_RESTRICTED = ("raw", "conversations")
_PAIRS = "preference_pairs"


@dataclass(frozen=True)
class TraceStep:
    """What a stage made of the row, and whether its layer holds it.

    `present` is None for a layer of the restricted zone that was not looked into. `decision` is None where
    the row never came, or nothing is known. `spans` are dicts of category, detector, path, start and end.
    """

    stage: str
    layer: str
    present: bool | None
    decision: str | None
    rule: str | None = None
    rules: tuple[str, ...] = ()
    score: float | None = None
    matched_id: str | None = None
    spans: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Trace:
    """The life of a row. `matched_source` is the source of the kept row that it lost to, if any."""

    row_id: str
    source: str
    steps: tuple[TraceStep, ...]
    parent: str | None = None
    children: tuple[str, ...] = ()
    held_out: bool = False
    matched_source: str | None = None
    copies: tuple[str, ...] = ()
    """Rows that lost to this one."""
    releases: tuple[str, ...] = ()
    checkpoints: tuple[tuple[str, str], ...] = ()
    """Model and checkpoint id of each checkpoint that was trained on it."""


def trace(lake: Lake, row_id: str, restricted: bool = False, why: str | None = None) -> Trace:
    """Where a row stands in each layer, every verdict on it, its relatives, releases and checkpoints.

    `restricted` looks into the layers that are not sanitized as well, for ids only; that use is recorded.

    Raises:
        DataError: nothing in the lake knows the row.
        ConfigError: `restricted` without a reason.
    """
    with connect(lake, restricted=restricted, why=why) as sql:
        verdicts = {row["stage"]: row for row in _rows(sql, "FROM verdicts WHERE row_id = ?", row_id)}
        held = {
            layer: _held(sql, layer, row_id) for layer in LAYERS.values() if restricted or _is_open(layer)
        }
        known = [row for row in (*held.values(), *verdicts.values()) if row]
        held_out = bool(_rows(sql, "FROM sft_heldout SELECT 1 AS one WHERE row_id = ?", row_id))
        releases = _releases(lake, sql, row_id)
        trained = _rows(
            sql,
            "FROM checkpoint_rows SELECT DISTINCT model, checkpoint_id, source_of_row "
            "WHERE row_id = $1 OR row_id IN (FROM preference_pairs SELECT row_id WHERE parent_row_id = $1) "
            "ORDER BY ALL",
            row_id,
        )
        source = next((str(row["source"]) for row in known), None) or _first_source(releases, trained)
        if source is None:
            raise DataError(
                f"No row `{row_id}` in {lake.settings.open.setting}. It is 32 hex digits; "
                "take one from a layer or from the view `verdicts`."
            )
        relatives = _relatives(sql, row_id, verdicts)
    steps = tuple(_step(stage, held, verdicts) for stage in LAYERS)
    return Trace(
        row_id=row_id,
        source=source,
        steps=_inferred(steps),
        parent=next(
            (row["parent_row_id"] for row in held.values() if row and row.get("parent_row_id")), None
        ),
        held_out=held_out,
        releases=tuple(sorted(releases)),
        checkpoints=tuple((row["model"], row["checkpoint_id"]) for row in trained),
        **relatives,
    )


def _step(
    stage: str, held: dict[str, dict[str, Any] | None], verdicts: dict[str, dict[str, Any]]
) -> TraceStep:
    layer = LAYERS[stage]
    present = (held[layer] is not None) if layer in held else None
    judged = verdicts.get(stage)
    if judged is None:
        return TraceStep(stage, layer, present, "keep" if present else None)
    return TraceStep(
        stage=stage,
        layer=layer,
        present=present,
        decision=judged["decision"],
        rule=judged["rule"],
        rules=tuple(judged["rules"]),
        score=judged["score"],
        matched_id=judged["matched_id"],
        spans=tuple(judged["spans"]),
    )


def _inferred(steps: tuple[TraceStep, ...]) -> tuple[TraceStep, ...]:
    """A row that a later stage knows was kept by every stage before, looked into or not."""
    last = max((i for i, step in enumerate(steps) if step.present or step.decision), default=-1)
    return tuple(
        TraceStep(step.stage, step.layer, None, "keep")
        if i < last and step.present is None and not step.decision
        else step
        for i, step in enumerate(steps)
    )


def _held(sql: "duckdb.DuckDBPyConnection", layer: str, row_id: str) -> dict[str, Any] | None:
    parent = "NULL" if layer == "raw" else "parent_row_id"
    found = _rows(sql, f"FROM {layer} SELECT source, {parent} AS parent_row_id WHERE row_id = ?", row_id)
    if not found and layer == _PAIRS:
        found = _rows(
            sql, f"FROM {layer} SELECT source, NULL AS parent_row_id WHERE parent_row_id = ? LIMIT 1", row_id
        )
    return found[0] if found else None


def _relatives(
    sql: "duckdb.DuckDBPyConnection", row_id: str, verdicts: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    children = [
        row
        for layer in ("sanitized", _PAIRS)
        for row in _rows(sql, f"FROM {layer} SELECT row_id WHERE parent_row_id = ? ORDER BY row_id", row_id)
    ]
    copies = _rows(
        sql,
        "FROM verdicts SELECT row_id "
        "WHERE matched_id = ? AND stage = 'dedup' AND decision = 'drop' ORDER BY row_id",
        row_id,
    )
    matched = verdicts.get("dedup", {}).get("matched_id")
    there = _rows(sql, "FROM sanitized SELECT source WHERE row_id = ?", matched) if matched else []
    return {
        "children": tuple(row["row_id"] for row in children),
        "copies": tuple(row["row_id"] for row in copies),
        "matched_source": there[0]["source"] if there else None,
    }


def _releases(lake: Lake, sql: "duckdb.DuckDBPyConnection", row_id: str) -> dict[str, str]:
    """Releases that pin a file with the row, by name, with the partition that holds it."""
    zone = lake.zone("open")
    holders: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name in list_releases(lake):
        for table in load_release(lake, name).tables.values():
            for source, partition in table.partitions.items():
                for file in partition.files:
                    if file.rows:
                        holders[zone.uri(file.path)].append((name, source))
    if not holders:
        return {}
    files = ", ".join(map(quoted_text, sorted(holders)))
    rows = f"read_parquet([{files}], filename = true, hive_partitioning = false, union_by_name = true)"
    found = _rows(sql, f"FROM {rows} SELECT DISTINCT filename WHERE row_id = ?", row_id)
    return dict(holder for row in found for holder in holders[row["filename"]])


def _first_source(releases: dict[str, str], trained: list[dict[str, Any]]) -> str | None:
    return next(iter(releases.values()), None) or next((row["source_of_row"] for row in trained), None)


def _rows(sql: "duckdb.DuckDBPyConnection", query: str, value: str) -> list[dict[str, Any]]:
    cursor = sql.execute(query, [value])
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _is_open(layer: str) -> bool:
    return layer not in _RESTRICTED
