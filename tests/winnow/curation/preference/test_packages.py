"""What a box has to see of this environment, and what is said where it could not."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from winnow.core.errors import ConfigError
from winnow.curation.preference import package_folders
from winnow.sandbox import Sandbox

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user's boxes read what he may read")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages with two in it, below one that is for its owner only or not."""
    top = Path(tempfile.mkdtemp(dir="/var/tmp"))
    top.chmod(0o755)
    packages = top / "inner" / "site-packages"
    for name in ("one", "two"):
        (packages / name).mkdir(parents=True)
    (packages / "three.py").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(packages))
    yield packages
    shutil.rmtree(top)


def test_the_packages_of_this_environment_are_there():
    folders = package_folders()
    assert any(Path(pytest.__file__).is_relative_to(folder) for folder in folders)
    assert len(set(folders)) == len(folders)


@root_only
def test_open_folders_are_taken(folder: Path):
    assert package_folders() == (folder,)


@root_only
def test_a_closed_folder_above_is_no_hindrance(folder: Path):
    """A box sees them all the same, as those of a project in root's home."""
    (folder / "three.py").write_text("def f():\n    return 3\n")
    folder.parent.chmod(0o700)
    assert package_folders() == (folder,)
    with Sandbox(slots=1, read_only=package_folders()) as sandbox:
        command = f"import sys; sys.path.append({str(folder)!r}); import three; print(three.f())"
        assert sandbox.run(["python", "-s", "-S", "-c", command]).stdout == b"3\n"


@root_only
@pytest.mark.parametrize(("name", "mode"), [("one", 0o750), ("three.py", 0o640), (".", 0o711)])
def test_packages_that_cannot_be_read_are_told_with_the_edit(name: str, mode: int, folder: Path):
    (folder / name).chmod(mode)
    with pytest.raises(ConfigError, match=f"Run: chmod -R o\\+rX {folder}$"):
        package_folders()


@root_only
def test_the_edit_helps(folder: Path):
    (folder / "one").chmod(0o700)
    (folder / "three.py").chmod(0o600)
    with pytest.raises(ConfigError) as told:
        package_folders()
    subprocess.run(str(told.value).partition("Run: ")[2].split(), check=True)
    assert package_folders() == (folder,)


def test_the_guest_needs_nothing_but_the_standard_library():
    """It is sent as text, and no package of ours is in the box."""
    guest = Path(sys.modules["winnow.curation.preference.trials"].GUEST)
    done = subprocess.run(
        [sys.executable, "-I", "-S", guest, "/nowhere"], input=b"", capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
