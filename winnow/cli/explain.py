"""`winnow funnel` and `winnow trace`: where the rows went, and what became of one."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.cli.printing import echo_json, echo_lines, share, table
from winnow.core.errors import DataError, near_miss

if TYPE_CHECKING:
    from winnow.lake.funnel import FunnelLine
    from winnow.lake.lake import Lake
    from winnow.lake.trace import Trace, TraceStep

_SAID = {
    "in": "in",
    "kept": "kept",
    "drop": "dropped",
    "park": "parked",
    "redact": "redacted",
    "keep": "flagged",
}
_PARTS = ("redact", "keep")
_LISTED = 10


def funnel(
    source: Annotated[str | None, typer.Option(help="One source by its id, instead of all together.")] = None,
    release: Annotated[
        str | None, typer.Option(help="The funnel behind a release, instead of the lake as it is now.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Rows and tokens that each layer took in, kept and turned away, and by which rule.

    Redacted and flagged rows are parts of those kept. Tokens are known from `sanitized` on.

    \b
    Example:
      winnow funnel
      winnow funnel --source stdlib-files
    """
    from winnow.lake.funnel import funnel as lines_of
    from winnow.lake.lake import Lake

    lake = Lake.open()
    if source is not None:
        _require_source(lake, source)
    lines = lines_of(lake, source, release)
    if as_json:
        echo_json({"source": source, "release": release, "lines": [asdict(line) for line in lines]})
    elif lines:
        echo_lines(_funnel_lines(lines))
    else:
        typer.echo("No layer was published yet. Fill the lake: winnow demo, or winnow backfill.")


def _require_source(lake: "Lake", source: str) -> None:
    known = sorted({state.source for state in lake.head("stage_counts").partitions.values()})
    if source not in known:
        listed = f"There are {', '.join(known)}." if known else "There is none yet."
        raise DataError(f"No source `{source}` in the lake. {listed}{near_miss(source, known)}")


def _funnel_lines(lines: list["FunnelLine"]) -> Iterator[str]:
    taken = {line.layer: line.rows for line in lines if line.decision == "in"}
    rows = [
        (
            line.layer if line.decision == "in" else "",
            ("  " if line.decision in _PARTS else "") + _SAID[line.decision],
            line.rule,
            line.rows,
            "" if line.decision == "in" else share(line.rows, taken.get(line.layer, 0)),
            line.tokens,
        )
        for line in lines
    ]
    yield from table(["layer", "", "rule", "rows", "of those in", "tokens"], rows)
    first, last = lines[0], lines[-1]
    kept = next((line for line in lines if line.layer == last.layer and line.decision == "kept"), last)
    yield ""
    tokens = f", {kept.tokens:,} tokens" if kept.tokens is not None else ""
    part = share(kept.rows, first.rows)
    yield f"{first.rows:,} records read, {kept.rows:,} rows in {kept.layer} ({part}){tokens}"


def trace(
    row_id: Annotated[str, typer.Argument(help="The row's id; its first digits are enough where unique.")],
    restricted: Annotated[
        bool, typer.Option("--restricted", help="Look into the layers that are not sanitized, too. Recorded.")
    ] = False,
    why: Annotated[
        str | None, typer.Option("--why", "--reason", help="Why --restricted is needed; recorded.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """The whole life of one row: what each stage made of it, its relatives, releases and checkpoints.

    \b
    Example:
      winnow trace 3f9a27c1
      winnow sql "FROM verdicts SELECT row_id WHERE decision = 'drop' LIMIT 5"
    """
    from winnow.lake.lake import Lake
    from winnow.lake.row_names import resolve_row_id
    from winnow.lake.trace import trace as life_of

    lake = Lake.open()
    found = life_of(lake, resolve_row_id(lake, row_id), restricted, why)
    if as_json:
        echo_json(asdict(found))
    else:
        echo_lines(_trace_lines(found))


def _trace_lines(found: "Trace") -> Iterator[str]:
    yield f"row     {found.row_id}"
    yield f"source  {found.source}"
    yield ""
    yield from table(
        ["stage", "layer", "decision", "why"], [_step(step, found) for step in found.steps], shown=None
    )
    spans = [(step.stage, s) for step in found.steps for s in step.spans]
    if spans:
        yield ""
        yield from table(
            ["stage", "found", "in", "from", "to"],
            [
                (stage, f"{s['category']}/{s['detector']}", s["path"], s["start"], s["end"])
                for stage, s in spans
            ],
        )
    yield ""
    yield from _relatives(found)


def _step(step: "TraceStep", found: "Trace") -> tuple[str, str, str, str]:
    if step.decision is None:
        return (step.stage, step.layer, "-", "never came here")
    decision = {"keep": "kept", "drop": "dropped", "park": "parked", "redact": "redacted"}[step.decision]
    why = []
    if step.rules:
        decision = "kept, flagged" if step.decision == "keep" else decision
        why.append(", ".join([step.rule or "", *(rule for rule in step.rules if rule != step.rule)]))
    if step.score is not None:
        why.append(f"score {step.score:.3f}")
    if step.matched_id:
        where = f" of {found.matched_source}" if step.stage == "dedup" and found.matched_source else ""
        why.append(f"matches {step.matched_id}{where}")
    return (step.stage, step.layer, decision, "; ".join(why))


def _relatives(found: "Trace") -> Iterator[str]:
    facts: list[tuple[str, Any]] = [
        ("split from", found.parent),
        ("split into", _some(found.children)),
        ("lost to it", _some(found.copies)),
        ("held out", "for evaluation, never trained on" if found.held_out else None),
        ("releases", _some(found.releases) or "none"),
        ("checkpoints", _some([f"{name} ({model})" for model, name in found.checkpoints]) or "none"),
    ]
    for name, value in facts:
        if value:
            yield f"{name:<12} {value}"


def _some(names: tuple[str, ...] | list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
