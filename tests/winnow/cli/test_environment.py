"""What a command finds in its environment."""

import os
from pathlib import Path

import pytest

from winnow.cli.environment import cache_dir, dagster_home, prepare_environment
from winnow.core.errors import ConfigError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    for name in ("LAKE_ROOT", "WINNOW_CACHE", "DAGSTER_HOME"):
        os.environ.pop(name, None)
    return tmp_path


def test_a_dotenv_fills_what_is_not_set(here: Path):
    (here / ".env").write_text(
        "# places\nLAKE_ROOT=s3://bucket/a b\nexport LAKE_RAW_ROOT='x'\nAWS_REGION=$HOME\n"
    )
    os.environ.pop("LAKE_RAW_ROOT", None)
    os.environ["AWS_REGION"] = "eu-1"
    prepare_environment()
    assert os.environ["LAKE_ROOT"] == "s3://bucket/a b"
    assert os.environ["LAKE_RAW_ROOT"] == "x"
    assert os.environ["AWS_REGION"] == "eu-1"


def test_a_dollar_in_a_secret_stays(here: Path):
    (here / ".env").write_text("LAKE_ROOT=a${HOME}b\n")
    prepare_environment()
    assert os.environ["LAKE_ROOT"] == "a${HOME}b"


def test_a_dotenv_cannot_switch_telemetry_on(here: Path):
    (here / ".env").write_text("HF_HUB_DISABLE_TELEMETRY=0\n")
    prepare_environment()
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"


def test_the_example_without_edits_changes_no_place(here: Path):
    example = Path(__file__).parents[3] / ".env.example"
    (here / ".env").write_text(example.read_text())
    before = set(os.environ)
    prepare_environment()
    assert set(os.environ) - before <= {"HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK"}


def test_the_cache_is_for_its_owner_only(here: Path):
    os.environ["HOME"] = str(here)
    assert cache_dir() == here / ".cache" / "winnow"
    assert cache_dir().stat().st_mode & 0o777 == 0o700


def test_the_cache_follows_its_variable(here: Path):
    os.environ["WINNOW_CACHE"] = str(here / "elsewhere")
    assert cache_dir() == here / "elsewhere"


def test_dagsters_home_is_absolute_and_holds_the_settings_of_this_directory(here: Path):
    (here / "dagster.yaml").write_text("telemetry: {enabled: false}\n")
    assert dagster_home() == here / "data" / "dagster"
    assert os.environ["DAGSTER_HOME"] == str(here / "data" / "dagster")
    assert (here / "data" / "dagster" / "dagster.yaml").read_text() == "telemetry: {enabled: false}\n"


def test_settings_that_someone_put_into_dagsters_home_stay(here: Path):
    (here / "dagster.yaml").write_text("ours\n")
    (here / "home").mkdir()
    (here / "home" / "dagster.yaml").write_text("theirs\n")
    os.environ["DAGSTER_HOME"] = "home"
    assert dagster_home() == here / "home"
    assert (here / "home" / "dagster.yaml").read_text() == "theirs\n"


def test_dagster_settings_are_the_projects_wherever_the_command_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "home"))
    home = dagster_home()
    assert "enabled: false" in (home / "dagster.yaml").read_text().partition("telemetry:")[2][:30]


def test_a_dagster_home_that_is_a_file_is_told_by_its_setting(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "file"))
    with pytest.raises(ConfigError, match=r"DAGSTER_HOME=.*file cannot be used"):
        dagster_home()
