"""A sample of what a stage dropped, redacted or changed, each row as it came in and as it went on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from schemas.rows import ROW_COLUMNS
from winnow.core.errors import ConfigError, DataError, near_miss
from winnow.lake.contracts import contract_of
from winnow.lake.explanation import LAYERS
from winnow.lake.lake import Lake
from winnow.lake.views import connect

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
INPUTS = {
    "ingest": None,
    "normalize": "raw",
    "sanitize": "conversations",
    "dedup": "sanitized",
    "decontaminate": "deduped",
    "quality": "decontaminated",
    "split": "curated",
    "preference": "curated",
}
"""Stage to the layer that it reads; the first reads files."""
_ROW = frozenset(column.name for column in ROW_COLUMNS)


@dataclass(frozen=True)
class Question:
    """Which rows of a stage to draw: at most `limit`, shared as evenly between the decisions as they last."""

    stage: str
    source: str | None = None
    decisions: tuple[str, ...] = ("drop", "redact", "keep")
    rule: str | None = None
    limit: int = 50
    seed: int = 0


@dataclass(frozen=True)
class Change:
    """A verdict, and its row as it came in (`before`) and as it went on (`after`).

    A row is None where it went nowhere, where its layer is not opened, or, for `before`, where it was a file.
    `kept` is the row of the same layer that a duplicate repeats. `spans` count in `before`.
    """

    row_id: str
    source: str
    decision: str
    rule: str
    rules: tuple[str, ...]
    score: float | None
    matched_id: str | None
    spans: tuple[dict[str, Any], ...]
    before: Row | None = None
    after: Row | None = None
    kept: Row | None = None


@dataclass(frozen=True)
class Sample:
    """The rows drawn, by decision and row id, and how many there were of each decision asked for.

    `hidden` says that text was left out because its layer is restricted.
    """

    changes: tuple[Change, ...]
    totals: Mapping[str, int]
    hidden: bool


def opens_restricted(stage: str) -> bool:
    """Whether rows of a stage, before or after it, lie in the restricted zone."""
    return any(contract_of(t).zone == "restricted" for t in (INPUTS[stage], LAYERS[stage]) if t)


def stage_named(name: str) -> str:
    """The stage of that name, or the one that writes the layer of that name. Raises ConfigError for neither."""
    by_layer = {layer: stage for stage, layer in LAYERS.items()}
    if name in LAYERS or name in by_layer:
        return by_layer.get(name, name)
    known = [*LAYERS, *by_layer]
    raise ConfigError(f"No stage `{name}`.{near_miss(name, known)} Stages: {', '.join(LAYERS)}.")


def sample_changes(lake: Lake, asked: Question, restricted: bool = False, why: str | None = None) -> Sample:
    """Rows that a stage did not just keep, drawn by a hash of `seed` and row id: the same lake, the same rows.

    `restricted` opens that zone where the stage touches it, which is recorded with `why` before anything is read.

    Raises:
        ConfigError: `restricted` without a reason.
        DataError: the lake has no such source, or the stage no such rule.
    """
    opened = restricted and opens_restricted(asked.stage)
    with connect(lake, restricted=opened, why=why) as sql:
        _require_known(sql, asked)
        totals = _totals(sql, asked)
        drawn = _drawn(sql, asked, totals)
        tables = {side: t for side, t in _sides(asked.stage).items() if t and (opened or _is_open(t))}
        rows = {side: rows_by_id(sql, table, drawn) for side, table in tables.items()}
        kept = _kept(sql, drawn) if asked.stage == "dedup" else {}
    found = [
        Change(
            **verdict,
            before=rows.get("before", {}).get(verdict["row_id"]),
            after=rows.get("after", {}).get(verdict["row_id"]),
            kept=kept.get(verdict["matched_id"]),
        )
        for verdict in drawn
    ]
    return Sample(tuple(found), totals, opens_restricted(asked.stage) and not opened)


def _sides(stage: str) -> dict[str, str | None]:
    # a preference pair is another row than the one it was made of
    return {"before": INPUTS[stage], "after": None if stage == "preference" else LAYERS[stage]}


def _is_open(table: str) -> bool:
    return contract_of(table).zone == "open"


def _totals(sql: "duckdb.DuckDBPyConnection", asked: Question) -> dict[str, int]:
    where, values = _where(asked)
    query = f"FROM verdicts SELECT decision, count(*) AS n WHERE {where} GROUP BY ALL"
    counted = {row["decision"]: row["n"] for row in answer(sql, query, values)}
    return {decision: counted.get(decision, 0) for decision in asked.decisions}


def _drawn(sql: "duckdb.DuckDBPyConnection", asked: Question, totals: Mapping[str, int]) -> list[Row]:
    taken: list[Row] = []
    where, values = _where(asked)
    for decision, number in zip(totals, _shared(asked.limit, list(totals.values())), strict=True):
        found = answer(
            sql,
            "FROM verdicts SELECT row_id, source, decision, rule, rules, score, matched_id, spans "
            f"WHERE {where} AND decision = ? "
            "ORDER BY md5(concat(?, '/', row_id)), row_id LIMIT ?",
            [*values, decision, str(asked.seed), number],
        )
        taken += sorted(found, key=lambda row: str(row["row_id"]))
    return [{**row, "rules": tuple(row["rules"]), "spans": tuple(row["spans"])} for row in taken]


def _shared(limit: int, available: Sequence[int]) -> list[int]:
    """How many to take of each, as evenly as they last.

    >>> _shared(50, [100, 5, 100]), _shared(2, [9, 9, 9])
    ([23, 5, 22], [1, 1, 0])
    """
    taken = [0] * len(available)
    while limit > 0 and taken != list(available):
        for at, there in enumerate(available):
            if taken[at] < there and limit > 0:
                taken[at] += 1
                limit -= 1
    return taken


def _where(asked: Question) -> tuple[str, list[Any]]:
    conditions, values = ["stage = ?", "list_contains(?, decision)"], [asked.stage, list(asked.decisions)]
    if asked.source is not None:
        conditions.append("source = ?")
        values.append(asked.source)
    if asked.rule is not None:
        conditions.append("list_contains(rules, ?)")
        values.append(asked.rule)
    return " AND ".join(conditions), values


def _require_known(sql: "duckdb.DuckDBPyConnection", asked: Question) -> None:
    sources = [
        row["source"] for row in answer(sql, "FROM stage_counts SELECT DISTINCT source ORDER BY ALL", [])
    ]
    if asked.source is not None and asked.source not in sources:
        listed = f"There are {', '.join(sources)}." if sources else "There is none yet."
        raise DataError(f"No source `{asked.source}` in the lake. {listed}{near_miss(asked.source, sources)}")
    if asked.rule is None:
        return
    query = "FROM verdicts SELECT DISTINCT unnest(rules) AS rule WHERE stage = ? ORDER BY ALL"
    rules = [row["rule"] for row in answer(sql, query, [asked.stage])]
    if asked.rule not in rules:
        listed = f"Those that did: {', '.join(rules)}." if rules else "None did."
        raise DataError(
            f"No rule `{asked.rule}` fired in {asked.stage}.{near_miss(asked.rule, rules)} {listed}"
        )


def rows_by_id(sql: "duckdb.DuckDBPyConnection", table: str, drawn: Iterable[Row]) -> dict[str, Row]:
    """Rows of a layer by id."""
    listed = list(drawn)
    ids, sources = [row["row_id"] for row in listed], sorted({row["source"] for row in listed})
    query = f"FROM {table} WHERE list_contains(?, source) AND list_contains(?, row_id)"
    return {row["row_id"]: _plain(row) for row in answer(sql, query, [sources, ids])}


def _kept(sql: "duckdb.DuckDBPyConnection", drawn: Iterable[Row]) -> dict[str, Row]:
    """The rows that duplicates repeat, whatever source they are of."""
    ids = [row["matched_id"] for row in drawn if row["matched_id"]]
    found = answer(sql, "FROM sanitized WHERE list_contains(?, row_id)", [ids])
    return {row["row_id"]: _plain(row) for row in found}


def _plain(row: Mapping[str, Any]) -> Row:
    """A row in the row form; a raw record as its payload, of which bytes that are no UTF-8 show as U+FFFD."""
    if "payload" in row:
        return {"payload": bytes(row["payload"]).decode("utf-8", "replace")}
    return {name: value for name, value in row.items() if name in _ROW}


def answer(sql: "duckdb.DuckDBPyConnection", query: str, values: list[Any]) -> list[Row]:
    cursor = sql.execute(query, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
