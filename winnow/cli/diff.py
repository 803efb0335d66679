"""`winnow diff`: what a stage dropped, redacted or changed, beside what it was."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from winnow.cli.hunks import Hunk, beginning, beside, compared_hunks, marked_hunks
from winnow.cli.printing import echo_json, echo_lines, terminal_columns, visible
from winnow.cli.span_marks import Mark, marks_after, marks_of
from winnow.core.errors import ConfigError

if TYPE_CHECKING:
    from winnow.lake.changes import Change, Row, Sample

Decision = Literal["drop", "redact", "keep", "park"]
_DEFAULT: tuple[Decision, ...] = ("drop", "redact", "keep")
_PLACES = 5
"""Places of a string, and strings of a row, that are shown; more are counted."""
_BESIDE = ("/meta", "/license", "/language")
"""What a copy need not have in common with the row that it repeats."""
_SAID = {"drop": "dropped", "redact": "redacted", "park": "parked", "keep": "kept"}


def diff(
    stage: Annotated[str, typer.Argument(help="A stage, such as sanitize, or the layer that it writes.")],
    source: Annotated[str | None, typer.Option(help="Rows of one source by its id.")] = None,
    decision: Annotated[
        list[str] | None,
        typer.Option(help="drop, redact, keep (flagged or changed) or park; repeat for more. All but park."),
    ] = None,
    rule: Annotated[str | None, typer.Option(help="Rows in which this rule fired.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Rows shown, shared evenly between the decisions.")] = 50,
    seed: Annotated[int, typer.Option(help="Another number draws other rows.")] = 0,
    restricted: Annotated[
        bool, typer.Option("--restricted", help="Show text that is not sanitized, too. The use is recorded.")
    ] = False,
    why: Annotated[
        str | None, typer.Option("--why", "--reason", help="Why --restricted is needed; recorded.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON Lines: an object a row, whole strings.")
    ] = False,
) -> None:
    """A sample of the rows that a stage dropped, redacted or changed: before it beside after it, places marked.

    In a narrow terminal one side goes under the other. What lies in the restricted zone (all before `sanitized`)
    is shown with --restricted only; without it, redacted rows show what stands in the place of what was found.

    \b
    Example:
      winnow diff dedup --limit 10
      winnow diff sanitize --rule email_address/address
      winnow diff sanitize --restricted --why "are these hits right?"
    """
    from winnow.lake.changes import Question, sample_changes, stage_named
    from winnow.lake.lake import Lake

    if restricted and not (why or "").strip():
        raise ConfigError("Text that is not sanitized is opened only for a reason. Give one: --why TEXT.")
    asked = Question(stage_named(stage), source, _decisions(decision), rule, limit, seed)
    sample = sample_changes(Lake.open(), asked, restricted, why)
    if as_json:
        for change in sample.changes:
            echo_json({"stage": asked.stage, **_told(change)})
    else:
        echo_lines(_lines(sample, asked.stage, terminal_columns()))
    if sample.hidden and sample.changes:
        said = (
            f"What {asked.stage} took in is not sanitized, and not shown. --restricted --why TEXT shows it."
        )
        typer.echo(said, err=True)


def _decisions(given: list[str] | None) -> tuple[str, ...]:
    for value in given or ():
        if value not in _SAID:
            raise ConfigError(f"No decision `{value}`. Give one of {', '.join(_SAID)}.")
    return tuple(dict.fromkeys(given or _DEFAULT))


def _lines(sample: "Sample", stage: str, columns: int) -> Iterator[str]:
    for number, change in enumerate(sample.changes, 1):
        yield from _heading(number, change)
        yield from _body(change, columns)
        yield ""
    shown = {d: sum(c.decision == d for c in sample.changes) for d in sample.totals}
    parts = [f"{shown[d]:,} of {n:,} {_SAID[d]}" for d, n in sample.totals.items() if n]
    if parts:
        yield f"{stage}: {', '.join(parts)}"
    else:
        asked = " or ".join(_SAID[d] if d != "keep" else "flagged" for d in sample.totals)
        yield f"No row that was asked for was {asked} in {stage}."


def _heading(number: int, change: "Change") -> Iterator[str]:
    others = [rule for rule in change.rules if rule != change.rule]
    also = f", also {', '.join(others)}" if others else ""
    yield visible(f"{number}  {change.source}  {change.row_id}  {_what(change)}: {change.rule}{also}")
    facts = [f"score {change.score:.3f}"] if change.score is not None else []
    if change.matched_id is not None:
        facts.append(f"{'repeats' if change.kept else 'matches'} {change.matched_id}")
    if facts:
        yield visible(f"   {', '.join(facts)}")


def _what(change: "Change") -> str:
    if change.decision != "keep" or change.before is None or change.after is None:
        return "kept, flagged or changed" if change.decision == "keep" else _SAID[change.decision]
    return "flagged" if _strings(change.before) == _strings(change.after) else "changed"


def _body(change: "Change", columns: int) -> Iterator[str]:
    pieces = list(_pieces(change))
    for path, spans, hunks in pieces[:_PLACES]:
        yield visible(f"   {path}{spans}")
        shown = list(hunks)
        for number, hunk in enumerate(shown[:_PLACES]):
            yield from (["     ..."] if number else [])
            yield from (f"     {line}" for line in beside(hunk, columns - 5))
        if len(shown) > _PLACES:
            yield f"     ({len(shown) - _PLACES} places more)"
    if len(pieces) > _PLACES:
        yield f"   ({len(pieces) - _PLACES} strings more)"


def _pieces(change: "Change") -> Iterator[tuple[str, str, Iterator[Hunk]]]:
    """Path, what was found there, and hunks, of each string that the verdict marks or that differs."""
    before, after = _strings(change.before), _strings(change.after or change.kept)
    spanned = list(dict.fromkeys(span["path"] for span in change.spans))
    for path in spanned:
        marks = marks_of(change.spans, path)
        yield path, _found(change, path), _marked(change, path, marks)
    compared = [p for p in before if p not in spanned and p in after and not (change.kept and p in _BESIDE)]
    different = [path for path in compared if before[path] != after[path]]
    for path in different:
        yield path, "", compared_hunks(before[path], after[path])
    if not spanned and not different and before:
        path = next(iter(before))
        same = "  (the same text)" if change.kept else ""
        yield path, same, iter([_first(before[path], after)])


def _first(text: str, after: dict[str, str]) -> Hunk:
    other = beginning(next(iter(after.values()))).before if after else ()
    return Hunk(beginning(text).before, other)


def _marked(change: "Change", path: str, marks: list[Mark]) -> Iterator[Hunk]:
    old, new = _strings(change.before).get(path), _strings(change.after).get(path)
    there = marks_after(marks, new, old) if new is not None else []
    return marked_hunks(old, new, marks if old is not None else [], there)


def _found(change: "Change", path: str) -> str:
    spans = [s for s in change.spans if s["path"] == path]
    said = [f"{s['category']}/{s['detector']} {s['start']}-{s['end']}" for s in spans[:_PLACES]]
    more = f", {len(spans) - _PLACES} more" if len(spans) > _PLACES else ""
    return f"  {', '.join(said)}{more}"


def _strings(row: "Row | None") -> dict[str, str]:
    """The strings of a row by path; of a raw record its payload."""
    from winnow.curation.text import row_strings

    if row is None:
        return {}
    return {"/payload": row["payload"]} if "payload" in row else dict(row_strings(row))


def _told(change: "Change") -> dict[str, Any]:
    """A row for programs: each string that is marked or differs, whole, with the marks on either side."""
    before, after = _strings(change.before), _strings(change.after)
    spanned = {span["path"] for span in change.spans}
    paths = [p for p in {**before, **after} if p in spanned or (before and before.get(p) != after.get(p))]
    return {
        "row_id": change.row_id,
        "source": change.source,
        "decision": change.decision,
        "rule": change.rule,
        "rules": change.rules,
        "score": change.score,
        "matched_id": change.matched_id,
        "spans": change.spans,
        "strings": [_string(change, path, before.get(path), after.get(path)) for path in paths],
        "kept": _strings(change.kept) or None,
    }


def _string(change: "Change", path: str, before: str | None, after: str | None) -> dict[str, Any]:
    marks = marks_of(change.spans, path)
    there = marks_after(marks, after, before) if after is not None else []
    return {
        "path": path,
        "before": before,
        "after": after,
        "marks_before": [[m.start, m.end] for m in marks] if before is not None else [],
        "marks_after": [[m.start, m.end] for m in there],
    }
