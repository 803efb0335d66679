"""House rules that a person forgets and a test does not."""

import ast
import os
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("winnow", "schemas", "assets", "dagster_project", "training", "evaluation")
LONGEST_FILE, LONGEST_FUNCTION = 300, 60
TEXT = {".py", ".md", ".toml", ".yaml", ".yml", ".sql", ".txt", ".sh", ".in", ".json", ".example", ""}
MODULES = [path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))]
# Set by the tests that kill a process, and by Dagster for its child.
NOT_FOR_USERS = {"WINNOW_CRASH_AT", "WINNOW_CRASH_DIR", "DAGSTER_PIPES_CONTEXT", "DAGSTER_PIPES_MESSAGES"}
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "stuff"}


@cache
def committed_texts() -> tuple[Path, ...]:
    """Every text file but what is hidden, installed or made by a run."""
    seen = {".ci", ".env.example", ".gitignore"}
    unseen = re.compile(r"\..*|data|dist|__pycache__|.*\.egg-info")
    found: list[Path] = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name in seen or not unseen.fullmatch(name)]
        named = [Path(folder, name) for name in files if name in seen or not unseen.fullmatch(name)]
        found += [path for path in named if path.suffix in TEXT]
    return tuple(sorted(found))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_there_is_something_to_look_at():
    assert len(MODULES) > 20
    assert len(committed_texts()) > len(MODULES)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_fits_in_the_head_and_a_function_on_a_screen(path: Path):
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= LONGEST_FILE
    functions = [
        n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    lengths = {f.name: (f.end_lineno or f.lineno) - f.lineno + 1 for f in functions}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_named_for_what_it_holds(path: Path):
    assert path.stem not in VAGUE
    assert path.parent.name not in VAGUE


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_error_is_swallowed_and_nothing_is_left_to_do(path: Path):
    source = path.read_text(encoding="utf-8")
    assert re.findall(r"\b(?:TODO|FIXME|XXX)\b", source) == []
    handlers = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ExceptHandler)]
    assert [
        h.lineno for h in handlers if h.type is None or (len(h.body) == 1 and isinstance(h.body[0], ast.Pass))
    ] == []


# Each is written in two halves, so that this file does not hold what it forbids.
MACHINE = [r"(?<![\w.])/ro" r"ot/", r"(?<![\w.])/wo" r"rk/", r"(?<![\w.])/opt/py" r"pi"]
REGISTRIES = [
    r"py" r"pi\.org",
    r"python" r"hosted\.",
    r"npm" r"js\.",
    r"deb\.deb" r"ian",
    r"download\.py" r"torch",
]


@pytest.mark.parametrize("pattern", [*MACHINE, *REGISTRIES])
def test_no_path_of_one_machine_and_no_registry_host_is_committed(pattern: str):
    found = [name_of(p) for p in committed_texts() if re.search(pattern, p.read_text(encoding="utf-8"))]
    assert found == []


def test_every_variable_that_is_read_is_in_the_example():
    documented = set(re.findall(r"^#?([A-Z][A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M))
    own = re.compile(r"""["']((?:LAKE|WINNOW|DAGSTER)_[A-Z][A-Z_]+)["']""")
    read = {name for path in MODULES for name in own.findall(path.read_text(encoding="utf-8"))}
    assert "LAKE_ROOT" in read
    assert {name for name in read if not name.endswith("_")} - NOT_FOR_USERS - documented == set()


DETECTORS = "winnow/curation/sanitize"


@pytest.mark.parametrize("package", ["pii", "pollution", "secrets"])
def test_a_detector_that_searches_by_itself_is_named_in_the_tests_at_the_same_place(package: str):
    """What is only a shape is drawn from that shape by the test of all shapes."""
    modules = sorted((ROOT / DETECTORS / package).rglob("*.py"))
    own = [m for m in modules if re.search(r"^def search", m.read_text(encoding="utf-8"), re.M)]
    tests = (ROOT / "tests" / DETECTORS / package).rglob("test_*.py")
    told = "\n".join(path.read_text(encoding="utf-8") for path in tests)
    assert own
    assert [m.stem for m in own if not re.search(rf"\b{m.stem}\b", told)] == []


def test_a_package_has_tests_at_the_same_place():
    packages = {path.parent for path in MODULES if path.name != "__init__.py"}
    tested = [p for p in packages if p.relative_to(ROOT).parts[0] in ("winnow", "training", "evaluation")]

    def tests_of(package: Path) -> list[Path]:
        place = ROOT / "tests" / package.relative_to(ROOT)
        return [*place.glob("test_*.py"), *place.parent.glob(f"test_{package.name}.py")]

    assert sorted(name_of(package) for package in tested if not tests_of(package)) == []
