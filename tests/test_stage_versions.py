"""A stage's source cannot change under an unchanged code version."""

from pathlib import Path

import pytest
from stage_versions import (
    STAGES,
    StageSource,
    complaints,
    declared_version,
    normalised,
    present_stages,
    read_record,
    source_hash,
)


def test_every_stage_is_recorded_as_it_is():
    assert complaints(read_record(), present_stages()) == []


def test_every_stage_exists():
    assert set(present_stages()) == set(STAGES)


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    package = tmp_path / "stage"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rule.py").write_text('CODE_VERSION = "3"\n\ndef keep(n: int) -> bool:\n    return n > 5\n')
    return package


def _source(stage: Path) -> StageSource:
    return StageSource(declared_version(stage.parent, "stage"), source_hash(stage.parent, ["stage"]))


def test_a_comment_a_docstring_and_a_blank_line_are_no_change(stage: Path):
    before = _source(stage)
    (stage / "rule.py").write_text(
        '"""Rules."""\nCODE_VERSION = "3"  # three\n\n\ndef keep(n: int) -> bool:\n    """Why."""\n    return (n > 5)\n'
    )
    assert _source(stage) == before


@pytest.mark.parametrize(
    "edit", [("n > 5", "n > 6"), ("n > 5", "n >= 5"), ("def keep", "def kept"), ('"3"', '"4"')], ids=str
)
def test_any_other_edit_is_a_change(stage: Path, edit: tuple[str, str]):
    before = _source(stage)
    module = stage / "rule.py"
    module.write_text(module.read_text().replace(*edit))
    assert _source(stage) != before


def test_a_moved_module_is_a_change(stage: Path):
    before = _source(stage)
    (stage / "rule.py").rename(stage / "rules.py")
    assert _source(stage) != before


def test_changed_source_with_the_old_version_is_told_both_ways_out():
    (line,) = complaints({"dedup": StageSource("1", "a")}, {"dedup": StageSource("1", "b")})
    assert "still 1" in line
    assert "--same-output dedup" in line


def test_a_raised_version_asks_for_the_record_only():
    (line,) = complaints({"dedup": StageSource("1", "a")}, {"dedup": StageSource("2", "b")})
    assert "not recorded" in line
    assert "--same-output" not in line


def test_two_versions_in_one_stage_are_refused(stage: Path):
    (stage / "other.py").write_text('code_version: str = "4"\n')
    with pytest.raises(SystemExit, match="must assign one literal"):
        declared_version(stage.parent, "stage")


def test_a_text_that_is_not_a_docstring_counts():
    assert normalised('x = "a"') != normalised('x = "b"')
