"""`winnow registry` and `winnow promote`: what was decided about checkpoints."""

import getpass
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.cli.printing import echo_json, echo_lines, table, worsening
from winnow.core.errors import DataError, near_miss

if TYPE_CHECKING:
    from winnow.lake.lake import Lake


def registry(
    model: Annotated[str | None, typer.Argument(help="One model line, instead of all.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Which checkpoint is champion of each model line, and every gate decision that was taken.

    \b
    Example:
      winnow registry
      winnow registry sft --json
    """
    from winnow.lake.lake import Lake

    lake = Lake.open()
    known = sorted(lake.head("registry").partitions)
    if model is not None and model not in known:
        listed = f"There are {', '.join(known)}." if known else "There is none yet."
        raise DataError(f"No model line `{model}` in the registry. {listed}{near_miss(model, known)}")
    lines = [model] if model else known
    if as_json:
        echo_json({line: _line(lake, line) for line in lines})
        return
    if not lines:
        typer.echo("No decision was taken yet. Train and judge a checkpoint: winnow demo.")
    for index, line in enumerate(lines):
        echo_lines([*([""] if index else []), *_line_told(line, _line(lake, line))])


def _line(lake: "Lake", model: str) -> dict[str, Any]:
    from winnow.lake.registry import aliases, history

    return {
        "aliases": [asdict(alias) for _, alias in sorted(aliases(lake, model).items())],
        "decisions": [asdict(decision) for decision in history(lake, model)],
    }


def _line_told(model: str, line: dict[str, Any]) -> Iterator[str]:
    yield f"model line {model}"
    for alias in line["aliases"]:
        yield f"  {alias['alias']:<9} {alias['checkpoint_id']}  release {alias['release']}"
    if not line["aliases"]:
        yield "  no champion yet"
    yield ""
    rows = [
        (
            taken["sequence"],
            f"{taken['decided_at']:%Y-%m-%d %H:%M}",
            taken["checkpoint_id"],
            taken["decision"].get("verdict", "-"),
            taken["decision"].get("reference", "-"),
            _worsening(taken["decision"]),
            "champion" if taken["moved_champion"] else "-",
        )
        for taken in line["decisions"]
    ]
    headers = ["no", "decided", "checkpoint", "verdict", "against", "worsening", "became"]
    yield from (f"  {text}" for text in table(headers, rows))


def _worsening(decision: dict[str, Any]) -> str:
    if not all(isinstance(decision.get(name), int | float) for name in ("d", "low", "high")):
        return "-"
    gates = {gate["benchmark"]: gate for gate in decision.get("gates", ())}
    scale = gates.get(decision.get("metric"), {}).get("scale", "relative")
    return worsening(scale, decision["low"], decision["high"], decision["d"])


def promote(
    checkpoint: Annotated[str, typer.Argument(help="The checkpoint's id, or its first letters.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Make a checkpoint champion, if the gate's last decision on it against the present champion says so.

    Without such a decision nothing moves, and one line says what to run. The decision is recorded again in
    the same commit, with who promoted.

    \b
    Example:
      winnow promote 9c31
    """
    from winnow.lake.checkpoint_rows import find_checkpoint
    from winnow.lake.lake import Lake
    from winnow.lake.promotion import promote as make_champion
    from winnow.lake.registry import aliases

    lake = Lake.open()
    record = find_checkpoint(lake, checkpoint)
    before = aliases(lake, record["model"])
    after = make_champion(lake, record["checkpoint_id"], decided_by=getpass.getuser())
    if as_json:
        named = {name: alias.checkpoint_id for name, alias in after.items()}
        echo_json({"model": record["model"], "moved": before != after, **named})
    elif before == after:
        typer.echo(f"{record['checkpoint_id']} is champion of {record['model']} already")
    else:
        was = f"; {after['previous'].checkpoint_id} is previous" if "previous" in after else ""
        typer.echo(f"{record['checkpoint_id']} is now champion of {record['model']}{was}")
