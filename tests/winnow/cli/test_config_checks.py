"""`winnow doctor` looks at what every run reads before a run does."""

from pathlib import Path

import pytest

from winnow.cli.config_checks import config_findings


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("WINNOW_SOURCES", "WINNOW_CONFIG", "WINNOW_WORKERS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LAKE_ROOT", str(tmp_path / "lake"))
    monkeypatch.setenv("LAKE_RAW_ROOT", str(tmp_path / "raw"))
    (tmp_path / "sources.yaml").write_text("sources:\n  - {id: a, name: A, kind: jsonl, location: a.jsonl}\n")
    return tmp_path


def fixes() -> dict[str, str | None]:
    return {finding.name: finding.fix for finding in config_findings()}


def test_a_sound_configuration_needs_nothing() -> None:
    assert fixes() == dict.fromkeys(("sources", "configuration", "workers", "tables"))


@pytest.mark.parametrize(
    ("name", "variable", "value", "told"),
    [
        ("sources", "WINNOW_SOURCES", "gone.yaml", "gone.yaml: no such file"),
        ("configuration", "WINNOW_CONFIG", "gone.yaml", "gone.yaml: no such file"),
        ("workers", "WINNOW_WORKERS", "-3", "at least 1"),
        ("workers", "WINNOW_WORKERS", "two", "'two'"),
    ],
)
def test_each_fault_names_its_place(
    name: str, variable: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    assert told in (fixes()[name] or "")


def test_a_table_that_something_else_wrote_is_told(here: Path) -> None:
    import pyarrow as pa
    from deltalake import write_deltalake

    write_deltalake(str(here / "lake" / "curated"), pa.table({"x": [1]}))
    assert "written by something else" in (fixes()["tables"] or "")
