"""`winnow doctor`: a line a finding, and an exit code that a script can trust."""

import json
import re
from pathlib import Path

import pytest

from winnow.cli import doctor, main
from winnow.cli.findings import Finding
from winnow.cli.place_checks import place_findings

TOKEN = "hf_planted0token0value"


@pytest.fixture
def lake(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAKE_ROOT", str(tmp_path / "lake"))
    monkeypatch.setenv("LAKE_RAW_ROOT", str(tmp_path / "raw"))
    monkeypatch.setenv("DAGSTER_HOME", "")
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setenv("OPENAI_API_KEY", TOKEN)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    return tmp_path


def output(capsys, *arguments: str) -> tuple[int, str]:
    code = main.run(["doctor", *arguments])
    return code, capsys.readouterr().out


def test_every_line_is_ok_or_a_fix(lake: Path, capsys):
    _, text = output(capsys)
    assert all(re.match(r"\[(ok|fix: [^\]]+)\] [^:]+: \S", line) for line in text.splitlines()), text


def test_the_code_says_whether_a_fix_is_needed(monkeypatch, capsys):
    good, bad = Finding("a", "1"), Finding("b", "0", "do it")
    monkeypatch.setattr(doctor, "examine", lambda: [good])
    assert output(capsys) == (0, "[ok] a: 1\n")
    monkeypatch.setattr(doctor, "examine", lambda: [good, bad])
    assert output(capsys) == (1, "[ok] a: 1\n[fix: do it] b: 0\n")


def test_json_says_the_same(lake: Path, capsys):
    code, text = output(capsys, "--json")
    report = json.loads(text)
    assert report["ready"] == (code == 0) == all(finding["ok"] for finding in report["findings"])
    assert len(report["findings"]) == len(doctor.examine())


def test_a_token_is_reported_and_never_shown(lake: Path, capsys):
    for arguments in ([], ["--json"]):
        _, text = output(capsys, *arguments)
        assert TOKEN not in text
    assert "HF_TOKEN: set" in output(capsys)[1]
    assert "OPENAI_API_KEY: set" in output(capsys)[1]
    assert "ANTHROPIC_API_KEY: not set" in output(capsys)[1]


def test_looking_makes_nothing(lake: Path, capsys):
    output(capsys)
    assert list(lake.iterdir()) == []


def test_roots_that_cannot_be_used_are_one_finding(lake: Path, monkeypatch):
    monkeypatch.setenv("LAKE_RAW_ROOT", str(lake / "lake" / "raw"))
    (finding,) = [f for f in place_findings() if f.name == "lake roots"]
    assert finding.fix is not None
    assert "LAKE_RAW_ROOT" in finding.fix
