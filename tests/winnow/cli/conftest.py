"""Commands run in this process, on a small lake."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from trained_lake import trained

from winnow.cli import main
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Winnow = Callable[..., Answer]


@pytest.fixture
def winnow(tmp_path: Path, monkeypatch, capsys) -> Winnow:
    """Runs a command in an empty directory whose lake, empty too, is beside it."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("LAKE_ROOT", str(tmp_path / "lake"))
    monkeypatch.setenv("LAKE_RAW_ROOT", str(tmp_path / "lake_raw"))
    monkeypatch.setenv("WINNOW_WORKERS", "1")
    monkeypatch.setenv("WINNOW_DEBUG", "1")
    monkeypatch.delenv("WINNOW_CONFIG", raising=False)

    def run(*arguments: object) -> Answer:
        capsys.readouterr()
        code = main.run([str(argument) for argument in arguments])
        return Answer(code, *capsys.readouterr())

    return run


@pytest.fixture
def lake(winnow: Winnow, tmp_path: Path) -> tuple[Lake, Release]:
    """The lake of the `winnow` fixture, grown and trained on."""
    return trained(tmp_path)
