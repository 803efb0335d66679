"""`winnow sanitize audit`: are the hits of the detectors right? A person says, and precision is estimated."""

import getpass
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from winnow.cli.hunks import marked_hunks, shown_lines
from winnow.cli.judgement_file import read_judgements, write_sample
from winnow.cli.printing import echo_json, echo_lines, table, terminal_columns, visible
from winnow.cli.span_marks import Mark
from winnow.core.errors import ConfigError

if TYPE_CHECKING:
    from winnow.lake.judgements import Judgement, Shown, Tally
    from winnow.lake.lake import Lake

_DECISIONS = ("drop", "redact")
_AT_ONCE = 10
"""Judgements that are written down in one commit."""
_ANSWERS = {"y": "right", "n": "wrong", "u": "unsure"}
_ASKED = "right? [y]es [n]o [u]nsure [s]kip [q]uit, and a note if you like > "

sanitize = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@sanitize.callback()
def _sanitize() -> None:
    """What the detectors of the sanitize stage found, judged by persons.

    \b
    Example:
      winnow sanitize audit
    """


@sanitize.command("audit")
def audit(
    per_detector: Annotated[int, typer.Option(min=1, help="Findings of each detector to judge.")] = 20,
    decision: Annotated[
        list[str] | None, typer.Option(help="Findings in rows that were dropped (drop) or redacted (redact).")
    ] = None,
    detector: Annotated[str | None, typer.Option(help="One detector only, as category/detector.")] = None,
    seed: Annotated[int, typer.Option(help="Another number draws other findings.")] = 0,
    restricted: Annotated[
        bool, typer.Option("--restricted", help="Show findings in their text, to judge them. Recorded.")
    ] = False,
    why: Annotated[
        str | None, typer.Option("--why", "--reason", help="Why --restricted is needed; recorded.")
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(help="With --restricted: write what is left to judge to this file, for its owner only."),
    ] = None,
    judgements: Annotated[
        Path | None, typer.Option(help="Record the answers in a file that --export wrote.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """How often each detector was right, by what persons said of a sample of its findings; and the judging itself.

    Without --restricted it tells what is known: precision of each detector with its 95 % interval (Wilson), and how
    many of the sample are left. With it, each of those is shown in its text and takes an answer; the next time goes
    on where this one stopped.

    \b
    Example:
      winnow sanitize audit
      winnow sanitize audit --restricted --why "precision of the new detectors" --per-detector 30
      winnow sanitize audit --restricted --why "judged elsewhere" --export sample.jsonl
      winnow sanitize audit --judgements sample.jsonl
    """
    from winnow.lake.judgements import record
    from winnow.lake.lake import Lake

    _require_one_way(restricted, why, export, judgements, as_json)
    lake = Lake.open()
    decisions = _decisions(decision)
    if judgements is not None:
        found, gone = read_judgements(lake, judgements)
        record(lake, found, getpass.getuser())
        _say(f"{len(found):,} judgements recorded{_no_longer(gone)}", as_json)
    elif restricted:
        _judge(lake, (per_detector, decisions, seed, detector), why, export)
    _tell(lake, (per_detector, decisions, seed, detector), as_json)


_Drawn = tuple[int, tuple[str, ...], int, str | None]


def _require_one_way(
    restricted: bool, why: str | None, export: Path | None, judgements: Path | None, as_json: bool
) -> None:
    if judgements is not None and (restricted or export is not None):
        raise ConfigError(
            "--judgements records answers and shows no text. Give it without --restricted and --export."
        )
    if export is not None and not restricted:
        raise ConfigError(
            "--export writes text that is not sanitized. Give --restricted and --why TEXT with it."
        )
    if restricted and not (why or "").strip():
        raise ConfigError("Text that is not sanitized is opened only for a reason. Give one: --why TEXT.")
    if as_json and restricted:
        raise ConfigError("--json prints what is known, and --restricted judges. Give one of them.")


def _decisions(given: list[str] | None) -> tuple[str, ...]:
    for value in given or ():
        if value not in _DECISIONS:
            raise ConfigError(f"No decision `{value}`. Give drop or redact.")
    return tuple(dict.fromkeys(given or _DECISIONS))


def _no_longer(gone: int) -> str:
    return f"; {gone:,} of findings that are no longer there were passed over" if gone else ""


def _say(text: str, quiet: bool) -> None:
    typer.echo(text, err=quiet)


def _judge(lake: "Lake", drawn: _Drawn, why: str | None, export: Path | None) -> None:
    from winnow.curation.text import row_strings
    from winnow.lake.judgements import Sample, judging_key
    from winnow.lake.views import connect

    with connect(lake, restricted=True, why=why) as sql:
        sample = Sample(sql, *drawn)
        left = len(sample.left())
        shown = sample.shown(judging_key(lake), row_strings)
        if not left:
            typer.echo("Nothing is left to judge.\n")
        elif export is not None:
            count = write_sample(lake, export, shown)
            typer.echo(
                f"{count:,} findings written to {export}. Set `judged` in each to right, wrong or unsure, then:"
            )
            typer.echo(f"winnow sanitize audit --judgements {export}\n")
        else:
            _ask_all(lake, shown, left)


def _ask_all(lake: "Lake", findings: Iterator["Shown"], left: int) -> None:
    """Asks until all are judged or the person leaves; whatever happens, what was answered is written down."""
    from winnow.lake.judgements import Judgement, record

    who = getpass.getuser()
    pending: list[Judgement] = []
    count = 0
    try:
        for number, shown in enumerate(findings, 1):
            echo_lines(_picture(shown, number, left))
            said = _ask(shown)
            if said == "quit":
                break
            if isinstance(said, Judgement):
                pending.append(said)
                count += 1
            if len(pending) == _AT_ONCE:
                record(lake, pending, who)
                pending = []
    finally:
        record(lake, pending, who)
        typer.echo(f"\n{count:,} judgements recorded\n")


def _picture(shown: "Shown", number: int, left: int) -> Iterator[str]:
    finding = shown.finding
    where = f"{finding.source}  {finding.row_id}  {finding.path} {finding.start}-{finding.end}"
    yield ""
    yield visible(f"{number} of {left}  {finding.rule}  ({finding.decision})  {where}")
    for hunk in marked_hunks(shown.text, None, [Mark(shown.start, shown.end)], []):
        yield from (f"     {line}" for line in shown_lines(hunk.before, terminal_columns() - 5))


def _ask(shown: "Shown") -> "Judgement | Literal['skip', 'quit']":
    """What the person answers, asked for until it is an answer."""
    from winnow.lake.judgements import Judgement

    while True:
        try:
            letter, _, note = input(_ASKED).strip().partition(" ")
        except EOFError:
            return "quit"
        letter, note = letter[:1].lower(), note.strip()
        if letter in ("s", "q"):
            return "skip" if letter == "s" else "quit"
        if note and shown.text[shown.start : shown.end] in note:
            typer.echo("Notes are open to all: do not quote what was found.")
        elif letter in _ANSWERS:
            return Judgement(shown.finding, shown.content_hash, _ANSWERS[letter], note)


def _tell(lake: "Lake", drawn: _Drawn, as_json: bool) -> None:
    from winnow.lake.judgements import Sample
    from winnow.lake.views import connect

    with connect(lake) as sql:
        tallies = Sample(sql, *drawn).tallies()
    if as_json:
        echo_json({"level": 0.95, "detectors": [_estimate(tally) for tally in tallies]})
        return
    if not tallies:
        typer.echo("The sanitize stage found nothing that was asked for.")
        return
    headers = [
        "detector",
        "findings",
        "right",
        "wrong",
        "unsure",
        "precision",
        "95 % interval",
        "left to judge",
    ]
    echo_lines(table(headers, [_row(_estimate(tally)) for tally in tallies]))
    left = sum(tally.left for tally in tallies)
    if left:
        typer.echo(f"\n{left:,} left to judge: winnow sanitize audit --restricted --why TEXT")


def _estimate(tally: "Tally") -> dict[str, Any]:
    """The tally with its precision; null before anything was judged right or wrong."""
    from evaluation.preferences import wilson

    judged = tally.right + tally.wrong
    low, high = wilson(tally.right, judged) if judged else (None, None)
    return {
        "category": tally.category,
        "detector": tally.detector,
        "findings": tally.findings,
        "right": tally.right,
        "wrong": tally.wrong,
        "unsure": tally.unsure,
        "precision": tally.right / judged if judged else None,
        "low": low,
        "high": high,
        "left": tally.left,
    }


def _row(told: dict[str, Any]) -> list[Any]:
    interval = "-" if told["low"] is None else f"[{told['low']:.3f}, {told['high']:.3f}]"
    precision = "-" if told["precision"] is None else f"{told['precision']:.3f}"
    counts = [told[name] for name in ("findings", "right", "wrong", "unsure")]
    return [f"{told['category']}/{told['detector']}", *counts, precision, interval, told["left"]]
