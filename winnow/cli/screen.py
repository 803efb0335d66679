"""The last screen of the demo: what became of the rows, what the model is worth, and where to look next."""

import json
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from winnow.cli.printing import worsening
from winnow.lake.funnel import FunnelLine, funnel
from winnow.lake.lake import Lake
from winnow.lake.registry import aliases, history

_LOSS = "heldout_loss"


def last_screen(lake: Lake, seconds: float) -> str:
    """Funnel, score with its interval, verdict and three commands, as text."""
    lines = ["", *_funnel(funnel(lake)), "", *_pairs(lake), *_decisions(lake), *_next(lake)]
    lines.append(f"\ndone in {seconds:.1f} s")
    return "\n".join(lines)


def _funnel(lines: list[FunnelLine]) -> list[str]:
    table = [f"{'layer':<17}{'decision':<10}{'rule':<28}{'rows':>10}{'tokens':>14}"]
    for line in lines:
        layer = line.layer if line.decision == "in" else ""
        tokens = "" if line.tokens is None else f"{line.tokens:,}"
        table.append(f"{layer:<17}{line.decision:<10}{line.rule:<28}{line.rows:>10,}{tokens:>14}")
    return table


def _pairs(lake: Lake) -> list[str]:
    """How many preference pairs there are on each side, and of how many distributions."""
    sides: Counter[str] = Counter()
    distributions: set[str] = set()
    for batch in lake.scan("preference_pairs", columns=["split", "distribution"]):
        sides.update(batch.column("split").to_pylist())
        distributions.update(batch.column("distribution").to_pylist())
    if not sides:
        return []
    told = (
        f"{sides['train']:,} to train on, {sides['heldout']:,} held out, {len(distributions)} distributions"
    )
    return [f"preference pairs  {told}"]


def _decisions(lake: Lake) -> list[str]:
    told = []
    for line in sorted(lake.head("registry").partitions):
        last = history(lake, line)[-1]
        decision = last.decision if isinstance(last.decision, dict) else json.loads(last.decision)
        of_loss = decision.get("metric") == _LOSS
        if of_loss:
            told += _loss(decision)
        told += [_gate(g) for g in decision.get("gates", ()) if not (of_loss and g["benchmark"] == _LOSS)]
        told.append(f"gate           {decision['verdict']}: {decision['reason']}")
        told += [f"{name:<15}{alias.checkpoint_id}" for name, alias in sorted(aliases(lake, line).items())]
    return told


def _loss(decision: Mapping[str, Any]) -> list[str]:
    return [
        f"held-out loss  {decision['candidate_value']:.4f} nats/token, "
        f"{decision['reference']} has {decision['reference_value']:.4f} ({decision['n']} rows)",
        f"worsening      {decision['d']:+.2%}, 95 % interval "
        f"{worsening('relative', decision['low'], decision['high'])}",
    ]


def _gate(gate: Mapping[str, Any]) -> str:
    """`preference_accuracy  0.640, reference 0.500 (128 items), ...`, or why it was not run."""
    if gate["value"] is None:
        return f"{gate['benchmark']:<20} {gate['reason']}"
    role = "required" if gate["required"] else "reported"
    change = f"95 % interval of worsening {worsening(gate['scale'], gate['low'], gate['high'])}"
    note = f"; {gate['note']}" if gate["note"] else ""
    return (
        f"{gate['benchmark']:<20} {gate['metric']} {gate['value']:.3f}, reference {gate['reference_value']:.3f} "
        f"({gate['n']} items), {change}, {role}{note}"
    )


def _next(lake: Lake) -> list[str]:
    commands = ['sql "SELECT source, count(*) FROM curated GROUP BY ALL"']
    row = _dropped_row(lake)
    commands.append(f"trace {row}" if row else "funnel")
    champions = [aliases(lake, line).get("champion") for line in lake.head("registry").partitions]
    named = [alias.checkpoint_id for alias in champions if alias]
    commands.append(f"rows {named[0]} --limit 5" if named else "status")
    return ["", "try next:", *_elsewhere(lake), *(f"  {_program()} {command}" for command in commands)]


def _elsewhere(lake: Lake) -> list[str]:
    """The line that tells the next command where this lake lies, unless it would look there anyway."""
    roots = {"LAKE_ROOT": lake.zone("open").root, "LAKE_RAW_ROOT": lake.zone("restricted").root}
    default = {
        "LAKE_ROOT": str(Path("data/lake").absolute()),
        "LAKE_RAW_ROOT": str(Path("data/lake_raw").absolute()),
    }
    if roots == default:
        return []
    return ["  export " + " ".join(f"{name}={shlex.quote(root)}" for name, root in roots.items())]


def _program() -> str:
    """What the user types: the command that is running, as a path from here where it is not on PATH."""
    running = Path(sys.argv[0])
    if running.name != "winnow":
        return "winnow"
    if shutil.which("winnow") == str(running.absolute()):
        return "winnow"
    here = Path.cwd()
    return str(running.absolute().relative_to(here) if running.absolute().is_relative_to(here) else running)


def _dropped_row(lake: Lake) -> str | None:
    for batch in lake.scan("verdicts_dedup", columns=["row_id"]):
        if batch.num_rows:
            return str(batch["row_id"][0].as_py())
    return None
