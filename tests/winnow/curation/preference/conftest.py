"""A sandbox that sees a folder of modules which the tests write."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from documented_rows import WrittenModules

from winnow.curation.preference import PreferenceConfig
from winnow.curation.preference.runner import Runner
from winnow.sandbox import Sandbox, unavailable


@pytest.fixture(scope="session")
def modules() -> Iterator[WrittenModules]:
    """Where any uid may read: the boxes have one of their own."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    folder.chmod(0o755)
    yield WrittenModules(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def sandbox(modules: WrittenModules) -> Iterator[Sandbox]:
    if remedy := unavailable():
        pytest.skip(f"no sandbox here: {remedy}")
    with Sandbox(2, read_only=[modules.folder]) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def config() -> PreferenceConfig:
    return PreferenceConfig(example_seconds=1)


@pytest.fixture(scope="module")
def runner(sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig) -> Iterator[Runner]:
    with Runner(sandbox, config, [modules.folder], 0, questions=50) as runner:
        yield runner
