"""The profiles are cut out of one lock, and the lock holds what pyproject.toml asks for."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "requirements"
MACHINE_WHEELS = re.compile(r"torch|triton|nvidia-.*|cuda-.*")
PROFILES = ["core.txt", "all.txt"]


def locked(name: str) -> dict[str, tuple[str, frozenset[str]]]:
    """Package to its version and hashes."""
    text = (REQUIREMENTS / name).read_text(encoding="utf-8").replace("\\\n", " ")
    entries = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            pin = re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", line)
            assert pin, f"{name}: not a pin: {line[:60]}"
            hashes = frozenset(re.findall(r"--hash=(sha256:[0-9a-f]{64})", line))
            entries[canonicalize_name(pin[1])] = (pin[2], hashes)
    return entries


def wanted() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = [line for extra in project["optional-dependencies"].values() for line in extra]
    return [Requirement(line) for line in [*project["dependencies"], *listed]]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_is_a_subset_of_the_lock_with_the_same_versions_and_hashes(profile: str):
    lock, part = locked("lock.txt"), locked(profile)
    assert part
    assert {name: lock.get(name) for name in part} == part


@pytest.mark.parametrize("name", ["lock.txt", "data.txt", *PROFILES])
def test_every_pin_has_a_hash(name: str):
    assert [package for package, (_, hashes) in locked(name).items() if not hashes] == []


@pytest.mark.parametrize("name", ["lock.txt", *PROFILES])
def test_wheels_that_differ_between_machines_stay_out(name: str):
    assert [package for package in locked(name) if MACHINE_WHEELS.fullmatch(package)] == []


def test_every_dependency_is_locked_at_a_version_that_it_allows():
    lock = locked("lock.txt")
    assert wanted()
    wrong = [
        str(need)
        for need in wanted()
        if canonicalize_name(need.name) not in lock
        or not need.specifier.contains(lock[canonicalize_name(need.name)][0])
    ]
    assert wrong == []


def test_the_build_backend_is_locked_in_every_profile():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert [name for name in build for profile in PROFILES if name not in locked(profile)] == []


def test_core_does_not_hold_what_only_training_needs():
    assert (
        locked("core.txt").keys().isdisjoint({"transformers", "trl", "peft", "datasets", "spacy", "pandas"})
    )


@pytest.mark.parametrize("path", sorted(REQUIREMENTS.glob("*.txt")), ids=lambda path: path.name)
def test_no_place_of_download_is_written_down(path: Path):
    options = r"^\s*(--(?:extra-)?index-url|--find-links|-f|-i|--trusted-host)\b|://|file:"
    assert re.findall(options, path.read_text(encoding="utf-8"), re.M) == []


def test_each_dependency_says_why_it_is_there():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text[text.index("[project.optional-dependencies]") : text.index("[project.scripts]")]
    one_line_extras = re.findall(r"^(\w+) = \[.*\](.*)$", block, re.M)
    listed = re.findall(r'^  "([^"]+)",(.*)$', block, re.M)
    assert len(listed) > 30
    above = {name for name, _ in one_line_extras if re.search(rf"^#.*\n{name} = ", block, re.M)}
    silent = [name for name, rest in one_line_extras if "#" not in rest and name not in above]
    assert silent + [line for line, rest in listed if "#" not in rest] == []
