"""Runs every line by which this project is judged and that a command can run, and prints the closing table.

    python -m benchmarks.judge                    all lines; `--list` tells how long each takes on two idle cores
    python -m benchmarks.judge --only kills demo  some of them
    python -m benchmarks.judge --list             what there is

The output of each command is kept under data/judge. Exit code 1 when a line failed or could not be run.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.judged_lines import LINES, Finding, Line

ROOT = Path(__file__).parents[1]
LOGS = ROOT / "data" / "judge"
_OURS = ("LAKE_", "WINNOW_", "AWS_", "DAGSTER_")


@dataclass(frozen=True)
class Judged:
    """A line after its run."""

    line: Line
    shown: str
    finding: Finding
    seconds: float


def judge(line: Line) -> Judged:
    """Runs the line in an empty folder and reads what it printed."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{line.name}.log"
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"winnow-judge-{line.name}-") as folder:
        results = Path(folder) / "results.xml"
        command = _tests(line, results) if line.tests else list(line.command)
        output, code = _run(command, _environment(line, Path(folder)), log)
        if line.tests:
            finding = read_tests(results) if results.exists() else Finding(False, "no test ran")
        elif line.read is not None and not code:
            finding = _read(line, output)
        else:
            finding = Finding(False, _last(output))
    shown = f"pytest --judge {' '.join(line.tests)}" if line.tests else _shown(line.command)
    ok = finding.ok and code == 0
    return Judged(line, shown, Finding(ok, finding.text), time.monotonic() - began)


def _tests(line: Line, results: Path) -> list[str]:
    # The whole suite leaves out what the other lines ran at length
    long = ["--judge"] if line.tests != ("tests",) else []
    junit = [f"--junit-xml={results}", "-o", "junit_family=xunit1"]  # which alone keeps what tests measured
    return [sys.executable, "-m", "pytest", "-q", *junit, *long, *line.tests]


def _environment(line: Line, folder: Path) -> dict[str, str]:
    """Without the settings of whoever runs this: a judged lake is one that the line made."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**plain, **{name: str(folder / part) for name, part in line.places.items()}}


def _run(command: Sequence[str], environment: dict[str, str], log: Path) -> tuple[str, int]:
    with log.open("w+", encoding="utf-8") as out:
        done = subprocess.run(
            command, env=environment, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, check=False
        )
        out.seek(0)
        return out.read(), done.returncode


def _read(line: Line, output: str) -> Finding:
    assert line.read is not None
    try:
        return line.read(output)
    except (ValueError, IndexError):
        return Finding(False, f"unreadable: {_last(output)}")


def read_tests(results: Path) -> Finding:
    """Counts of a pytest run, and what its tests recorded as `measured`; a skipped test is not a passed one."""
    suite = ElementTree.parse(results).getroot()
    cases = list(suite.iter("testcase"))
    broken = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    failed = [case.get("name", "") for case in broken]
    skipped = [reason for case in cases if (reason := case.find("skipped")) is not None]
    measured = [
        value
        for found in suite.iter("property")
        if found.get("name") == "measured" and (value := found.get("value"))
    ]
    told = [f"{len(cases) - len(failed) - len(skipped)} passed"]
    told += [f"{len(failed)} failed: {', '.join(failed[:4])}"] if failed else []
    told += [f"{len(skipped)} not run: {skipped[0].get('message', '')}"] if skipped else []
    return Finding(bool(cases) and not failed and not skipped, "; ".join([*told, *measured]))


def _last(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "it printed nothing"


def _shown(command: Sequence[str]) -> str:
    words = [Path(word).name if word.startswith("/") else word for word in command]
    return " ".join("'...'" if len(word) > 40 else word for word in words)


def table(judged: Sequence[Judged]) -> Iterator[str]:
    """The closing table, as markdown."""
    yield "| line | what it says | command | what it showed | time | |"
    yield "|---|---|---|---|---|---|"
    for one in judged:
        cells = [one.line.name, one.line.says, f"`{one.shown}`", one.finding.text]
        cells += [f"{one.seconds:,.0f} s", "ok" if one.finding.ok else "**failed**"]
        yield f"| {' | '.join(cell.replace('|', '/').replace(chr(10), ' ') for cell in cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the lines asked for, one after another."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [line.name for line in LINES]
    parser.add_argument(
        "--only", nargs="+", action="extend", metavar="LINE", choices=names, help=f"of {', '.join(names)}"
    )
    parser.add_argument("--list", action="store_true", help="show the lines and run none")
    options = parser.parse_args(arguments)
    chosen = [line for line in LINES if options.only is None or line.name in options.only]
    if options.list:
        for line in chosen:
            print(f"{line.name:<9} {line.minutes:>5.1f} min  {line.says}")
        return 0
    shutil.rmtree(LOGS, ignore_errors=True)
    judged: list[Judged] = []
    for number, line in enumerate(chosen, 1):
        about = f"about {line.minutes:g} min"
        print(f"[{number}/{len(chosen)}] {line.name}: {line.says} ({about})", flush=True)
        judged.append(judge(line))
        last = judged[-1]
        state = "ok" if last.finding.ok else f"FAILED, see {LOGS.relative_to(ROOT)}/{line.name}.log"
        print(f"      {state} in {last.seconds:,.0f} s: {last.finding.text}", flush=True)
    print("\n" + "\n".join(table(judged)))
    failed = [one.line.name for one in judged if not one.finding.ok]
    holding = f"{len(judged) - len(failed)} of {len(judged)} lines hold"
    print(f"\n{holding}; not: {', '.join(failed)}" if failed else f"\n{holding}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
