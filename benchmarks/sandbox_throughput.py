"""Boxes a second: the sandbox beside a plain subprocess of the same command, in the same run.

    python benchmarks/sandbox_throughput.py [--runs 200] [--rounds 3] [--slots N]

Medians of interleaved rounds. "of plain" is the rate in boxes over the rate without; 1.00 would mean that a box
costs nothing. The plain side runs as many processes at a time as the sandbox has slots.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from winnow.sandbox import Job, Sandbox, unavailable

COMMANDS = {
    "/bin/true": ("/bin/true",),
    "python -I -S -c pass": ("python", "-I", "-S", "-c", "pass"),
}


def boxed(sandbox: Sandbox, command: Sequence[str], runs: int) -> None:
    for result in sandbox.run_many(Job(tuple(command)) for _ in range(runs)):
        assert result.ok, result


def plain(command: Sequence[str], runs: int, workers: int) -> None:
    words = [sys.executable if command[0] == "python" else command[0], *command[1:]]
    with ThreadPoolExecutor(workers) as pool:
        for code in pool.map(lambda _: subprocess.run(words, capture_output=True).returncode, range(runs)):
            assert code == 0


def rate(run: Callable[..., None], *about: object) -> float:
    started = time.perf_counter()
    run(*about)
    return 1 / (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slots", type=int, default=2 * len(os.sched_getaffinity(0)))
    asked = parser.parse_args()
    if unavailable():
        raise SystemExit(f"not run: {unavailable()}")
    print(f"{asked.runs} runs a round, medians of {asked.rounds} rounds, load {os.getloadavg()[0]:.1f}")
    print(f"{'command':22} {'slots':>5} {'boxes/s':>9} {'plain/s':>9} {'of plain':>9}  memory held by")
    for slots in dict.fromkeys((1, asked.slots)):
        with Sandbox(slots=slots) as sandbox:
            memory_by = sandbox.run(["/bin/true"]).memory_by
            for name, command in COMMANDS.items():
                rates: dict[str, list[float]] = {"box": [], "plain": []}
                for _ in range(asked.rounds):
                    rates["box"].append(rate(boxed, sandbox, command, asked.runs))
                    rates["plain"].append(rate(plain, command, asked.runs, slots))
                box, bare = (asked.runs * statistics.median(rates[side]) for side in ("box", "plain"))
                print(f"{name:22} {sandbox.slots:5} {box:9.1f} {bare:9.1f} {box / bare:9.2f}  {memory_by}")


if __name__ == "__main__":
    main()
