"""Peak memory of curation: 200,000 rows against 20,000 rows of the same lengths.

    python -m benchmarks.memory            both sizes and their ratio, as a table
    python -m benchmarks.memory --rows 20000

Measured is the summed PSS of the process tree of `winnow demo --no-train` over one JSON Lines source, ten times
a second. The rows are 2 kB on average; one in twenty is an edited copy of an earlier one.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

HERTZ = 10
SMALL, LARGE = 20_000, 200_000
LIMIT_RATIO, LIMIT_BYTES = 1.10, 2 << 30
_WORDS = 6_000


def texts(rows: int, seed: int = 20260707) -> Iterator[str]:
    """Code-like texts; row n has the same length for any number of rows."""
    rng = random.Random(seed)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz_", k=rng.randint(3, 12))) for _ in range(_WORDS)]
    lengths = [rng.randint(400, 3_600) for _ in range(SMALL)]
    earlier = ""
    for number in range(rows):
        fresh = random.Random(seed + number)
        if number % 20 == 19:
            yield earlier + f"\n# edited copy {number}\n"
            continue
        lines = []
        size = 0
        while size < lengths[number % SMALL]:
            a, b, c = fresh.choices(words, k=3)
            lines.append(f"{a} = {b}({c}, {fresh.randrange(10_000)})")
            size += len(lines[-1]) + 1
        earlier = "\n".join(lines)
        yield earlier


def write_source(path: Path, rows: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts(rows)):
            file.write(json.dumps({"id": number, "text": text, "language": "python"}) + "\n")


def pss(process: psutil.Process) -> int:
    """Bytes of the process and all its children, shared pages divided among those that share them."""
    total = 0
    try:
        tree = [process, *process.children(recursive=True)]
    except psutil.Error:
        return 0
    for member in tree:
        try:
            lines = Path(f"/proc/{member.pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total


def measure(rows: int) -> tuple[int, float, str]:
    """Peak bytes, seconds, and the last lines of the run."""
    with tempfile.TemporaryDirectory(prefix="winnow-memory-") as folder:
        root = Path(folder)
        write_source(root / "rows.jsonl", rows)
        entry = "sources:\n  - {id: rows, name: Rows, kind: jsonl, location: rows.jsonl, key: id}\n"
        (root / "sources.yaml").write_text(entry, encoding="utf-8")
        names = {
            "LAKE_ROOT": "lake",
            "LAKE_RAW_ROOT": "raw",
            "DAGSTER_HOME": "dagster",
            "WINNOW_WORK": "work",
        }
        environment = {**os.environ, "WINNOW_SOURCES": str(root / "sources.yaml")}
        environment |= {name: str(root / part) for name, part in names.items()}
        command = [sys.executable, "-m", "winnow.cli.main", "demo", "--no-train"]
        began = time.monotonic()
        with (root / "output.log").open("w+", encoding="utf-8") as log:
            running = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
            process = psutil.Process(running.pid)
            peak = 0
            while running.poll() is None:
                peak = max(peak, pss(process))
                time.sleep(1 / HERTZ)
            log.seek(0)
            output = log.read()
        if running.returncode:
            raise SystemExit(f"the run over {rows} rows failed:\n{output}")
        return peak, time.monotonic() - began, output


def main() -> int:
    """Prints the table; exit code 1 where a limit is broken."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, action="append", help="measure this size only; may be repeated")
    parser.add_argument("--verbose", action="store_true", help="show the output of the runs")
    options = parser.parse_args()
    peaks = {}
    print("| rows | peak PSS, MB | seconds | rows/s |\n|---|---|---|---|", flush=True)
    for rows in options.rows or [SMALL, LARGE]:
        peak, seconds, output = measure(rows)
        peaks[rows] = peak
        print(f"| {rows:,} | {peak / 1e6:,.0f} | {seconds:,.1f} | {rows / seconds:,.0f} |", flush=True)
        if options.verbose:
            print(output)
    if set(peaks) < {SMALL, LARGE}:
        return 0
    ratio = peaks[LARGE] / peaks[SMALL]
    print(f"\nratio {ratio:.3f} (at most {LIMIT_RATIO}), peak {peaks[LARGE] / 1e6:,.0f} MB (under 2,147 MB)")
    return int(ratio > LIMIT_RATIO or peaks[LARGE] > LIMIT_BYTES)


if __name__ == "__main__":
    sys.exit(main())
