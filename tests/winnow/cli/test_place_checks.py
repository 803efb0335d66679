"""Each place is judged without being changed, and every fix names what to edit."""

import os
from pathlib import Path

import pytest
from seaweed import Seaweed

from winnow.cli import place_checks as checks
from winnow.lake.settings import LakeSettings
from winnow.lake.zone import Zone


@pytest.fixture
def settings(tmp_path: Path) -> LakeSettings:
    return LakeSettings.from_env(
        {"LAKE_ROOT": str(tmp_path / "open"), "LAKE_RAW_ROOT": str(tmp_path / "raw")}
    )


def test_a_root_that_exists_is_probed_and_left_as_it_was(settings: LakeSettings):
    Path(settings.open.root).mkdir()
    finding = checks.reach_finding(settings.open, settings)
    assert finding.ok, finding.line()
    assert "put-if-absent" in finding.seen
    assert list(Path(settings.open.root).rglob("*")) == []


def test_a_root_that_is_a_file_needs_a_fix(settings: LakeSettings):
    Path(settings.open.root).write_text("")
    finding = checks.reach_finding(settings.open, settings)
    assert finding.fix is not None
    assert "LAKE_ROOT" in finding.fix


def test_a_parent_that_cannot_be_written_needs_a_fix(settings: LakeSettings, monkeypatch):
    # Root, as which the tests may run, is refused nowhere.
    monkeypatch.setattr(os, "access", lambda path, _: not str(settings.open.root).startswith(str(path)))
    finding = checks.reach_finding(settings.open, settings)
    assert finding.fix == "set LAKE_ROOT to a directory of your own"


def test_an_s3_server_that_does_not_answer_names_the_endpoint():
    settings = LakeSettings.from_env(
        {
            "LAKE_ROOT": "s3://bucket/lake",
            "LAKE_RAW_ROOT": "s3://other/lake",
            "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
            "AWS_ACCESS_KEY_ID": "id",
            "AWS_SECRET_ACCESS_KEY": "planted",
        }
    )
    finding = checks.reach_finding(settings.open, settings)
    assert finding.fix is not None
    assert "AWS_ENDPOINT_URL" in finding.fix
    assert "planted" not in finding.line()


@pytest.mark.parametrize(("mode", "fix"), [(0o700, False), (0o750, True), (0o755, True)])
def test_the_restricted_root_is_for_its_owner_only(settings: LakeSettings, mode: int, fix: bool):
    root = Path(settings.restricted.root)
    root.mkdir()
    root.chmod(mode)
    assert checks.mode_finding(settings.restricted).fix == (f"chmod 700 {root}" if fix else None)


def test_a_disk_with_too_little_space_names_the_root(settings: LakeSettings, monkeypatch):
    assert checks.disk_finding(settings.open).ok
    monkeypatch.setattr(checks, "DISK_NEEDED", 10**18)
    fix = checks.disk_finding(settings.restricted).fix
    assert fix is not None
    assert "LAKE_RAW_ROOT" in fix


def test_missing_s3_keys_are_named_for_each_root():
    settings = LakeSettings.from_env(
        {"LAKE_ROOT": "s3://a/x", "LAKE_RAW_ROOT": "s3://b/x", "LAKE_RAW_AWS_ACCESS_KEY_ID": "planted"}
    )
    first, second = checks.key_findings(settings)
    assert first.fix == "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in .env"
    assert second.fix == "set LAKE_RAW_AWS_SECRET_ACCESS_KEY in .env"
    assert "planted" not in first.line() + second.line()


def test_a_lake_on_disk_needs_no_keys(settings: LakeSettings):
    assert checks.key_findings(settings) == []


def test_dagsters_home(tmp_path: Path):
    assert checks.home_finding({}).ok
    assert "whole path" in (checks.home_finding({"DAGSTER_HOME": "home"}).fix or "")
    assert checks.home_finding({"DAGSTER_HOME": str(tmp_path)}).fix == f"cp dagster.yaml {tmp_path}/"
    (tmp_path / "dagster.yaml").write_text("")
    assert checks.home_finding({"DAGSTER_HOME": str(tmp_path)}).ok


@pytest.mark.s3
def test_on_s3_both_roots_are_probed_and_left_empty(seaweed: Seaweed):
    settings = LakeSettings.from_env(seaweed.lake_env())
    for zone in (settings.open, settings.restricted):
        finding = checks.reach_finding(zone, settings)
        assert finding.ok, finding.line()
        assert finding.seen.endswith("can be written and honours put-if-absent")
        assert list(Zone(zone).list("")) == []


@pytest.mark.s3
@pytest.mark.parametrize(
    ("wrong", "setting"),
    [
        ({"LAKE_ROOT": "s3://no-such-bucket/lake"}, "LAKE_ROOT"),
        ({"AWS_SECRET_ACCESS_KEY": "planted-wrong-key"}, "AWS_SECRET_ACCESS_KEY"),
    ],
    ids=["no bucket", "wrong key"],
)
def test_on_s3_a_fault_names_the_setting_and_no_secret(seaweed: Seaweed, wrong: dict[str, str], setting: str):
    environment = {**seaweed.lake_env(), **wrong}
    settings = LakeSettings.from_env(environment)
    finding = checks.reach_finding(settings.open, settings)
    assert finding.fix is not None
    assert setting in finding.fix
    assert environment["AWS_SECRET_ACCESS_KEY"] not in finding.line()
