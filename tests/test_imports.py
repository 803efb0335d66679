"""Arrows point one way, and what is heavy is loaded only where it is used."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("winnow", "schemas", "assets", "dagster_project", "training", "evaluation")
HEAVY = ("torch", "transformers", "spacy", "great_expectations", "pandas")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The packages and the contracts, where something can be planted."""
    for name in PACKAGES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(directory: Path) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120)


def test_the_arrows_hold():
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("module", "planted", "contract"),
    [
        ("winnow/core/planted.py", "import dagster\n", "only assets and dagster_project import dagster"),
        ("schemas/planted.py", "import winnow.core.errors\n", "arrows point one way"),
        ("winnow/lake/planted.py", "import winnow.curation\n", "arrows point one way"),
        ("winnow/curation/planted.py", "import training\n", "arrows point one way"),
        ("winnow/lake/planted.py", "import winnow.models\n", "arrows point one way"),
        ("winnow/core/planted.py", "def f():\n    import assets\n", "arrows point one way"),
    ],
)
def test_a_forbidden_import_breaks_its_contract(copy: Path, module: str, planted: str, contract: str):
    (copy / module).write_text(planted)
    result = lint(copy)
    assert result.returncode == 1, result.stderr
    assert f"{contract} BROKEN" in result.stdout
    assert "planted" in result.stdout


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a fresh interpreter holds after the statement."""
    code = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}}, file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, result.stderr
    return set(result.stderr.splitlines()[-1].split())


def test_the_code_location_loads_nothing_heavy():
    loaded = loaded_by("import dagster_project.definitions")
    assert "dagster" in loaded
    assert loaded.isdisjoint(HEAVY), loaded & set(HEAVY)


def test_the_code_location_loads_in_under_four_seconds():
    code = "import dagster_project.definitions, time; print(time.process_time())"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert float(result.stdout) < 4, result.stderr


def test_help_loads_no_dagster_and_no_engine():
    command = "from winnow.cli.main import run\nassert run(['--help']) == 0"
    loaded = loaded_by(command)
    assert "typer" in loaded
    unwanted = {"dagster", "dagster_shared", "deltalake", "duckdb", "pyarrow", "numpy", "polars", *HEAVY}
    assert loaded.isdisjoint(unwanted), loaded & unwanted
