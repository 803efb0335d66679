"""Fixtures for every test: a lake in two directories and in two buckets, and the S3 server behind them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from seaweed import Seaweed

from winnow.lake.lake import Lake
from winnow.lake.settings import LakeSettings


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--judge", action="store_true", help="Run the long tests of `make judge` too.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--judge"):
        return
    long = [item for item in items if item.get_closest_marker("judge")]
    items[:] = [item for item in items if item not in long]
    config.hook.pytest_deselected(items=long)


@pytest.fixture(scope="session")
def seaweed() -> Iterator[Seaweed]:
    server = Seaweed()
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture(params=["dir", pytest.param("s3", marks=pytest.mark.s3)])
def lake_env(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Environment variables of an empty lake, once in directories and once on S3."""
    if request.param == "s3":
        server: Seaweed = request.getfixturevalue("seaweed")
        return server.lake_env()
    return {"LAKE_ROOT": str(tmp_path / "lake"), "LAKE_RAW_ROOT": str(tmp_path / "lake_raw")}


@pytest.fixture
def lake(lake_env: dict[str, str]) -> Lake:
    """An empty lake, once in directories and once on S3."""
    return Lake.open(LakeSettings.from_env(lake_env))
