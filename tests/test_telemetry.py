"""Nothing that runs here reports to its maker."""

import subprocess
import sys
from pathlib import Path

import yaml
from dagster._core.instance.config import dagster_instance_config

ROOT = Path(__file__).parents[1]


def test_dagster_accepts_the_instance_settings_and_sends_nothing():
    settings, _ = dagster_instance_config(str(ROOT))
    assert settings["telemetry"] == {"enabled": False}
    assert settings["concurrency"]["runs"]["max_concurrent_runs"] == 2
    assert settings["run_monitoring"]["enabled"]


def test_the_settings_keep_dagster_on_sqlite():
    assert "storage" not in yaml.safe_load((ROOT / "dagster.yaml").read_text(encoding="utf-8"))


def test_dg_reads_its_telemetry_setting_from_the_home_that_winnow_makes(tmp_path: Path, monkeypatch):
    from dagster_shared.telemetry import get_telemetry_enabled_from_dagster_yaml

    from winnow.cli.environment import dagster_home

    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "home"))
    assert get_telemetry_enabled_from_dagster_yaml()
    dagster_home()
    assert not get_telemetry_enabled_from_dagster_yaml()


def test_the_hub_client_of_a_winnow_process_sends_nothing(tmp_path: Path):
    code = (
        "from winnow.cli.environment import prepare_environment as p; p()\n"
        "from huggingface_hub.constants import HF_HUB_DISABLE_TELEMETRY as off; print(off)"
    )
    environment = {"PATH": "", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert result.stdout == "True\n", result.stderr
