"""A sandbox once as root and once as an ordinary user."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from boxes_under_attack import Attacker

from winnow.sandbox import groups, running, unavailable


@pytest.fixture(scope="module")
def shared() -> Iterator[Path]:
    """A folder that every box sees read-only, though its permissions would let anyone write."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    folder.chmod(0o777)
    (folder / "file").write_text("as it was", encoding="ascii")
    (folder / "file").chmod(0o666)
    (folder / "inside").mkdir(mode=0o777)
    (folder / "inside").chmod(0o777)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module", params=["root", "root-bare", "nobody"])
def attacker(request: pytest.FixtureRequest, shared: Path) -> Iterator[Attacker]:
    """As root with all there is, as root without control groups and filter of calls, and as an ordinary user."""
    if unavailable():
        pytest.skip(f"no sandbox here: {unavailable()}")
    user, _, bare = request.param.partition("-")
    if user == "root" and os.geteuid() != 0:
        pytest.skip("the tests do not run as root")
    with pytest.MonkeyPatch.context() as patch:
        if bare:
            patch.setattr(groups, "own_groups", dict)
            patch.setattr(running, "refusals", lambda: None)
        made = Attacker(user, shared)
        yield made
        made.close()


@pytest.fixture
def attack(attacker: Attacker) -> Iterator[Attacker]:
    """The attacker; after each attack the machine is looked at."""
    yield attacker
    attacker.assert_unharmed()
