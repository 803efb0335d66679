"""JSON Lines sources that grow: revised, renamed, removed and added between runs, with copies between them."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_WORDS = [f"{first}{last}" for first in ("al", "be", "co", "du", "en", "fo") for last in range(100)]


def original(source: str, number: int, revision: int = 1) -> str:
    """Fifty words that no other row shares in this order."""
    rng = random.Random(f"{source}/{number}/{revision}")
    return " ".join(rng.choices(_WORDS, k=50))


def originals(source: str, count: int) -> dict[str, str]:
    """`count` texts by key."""
    return {f"{source}-{number}": original(source, number) for number in range(count)}


@dataclass
class WrittenSources:
    """A sources.yaml and the files that it declares, in keep order."""

    folder: Path
    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return self.folder / "sources.yaml"

    def put(self, source: str, rows: Mapping[str, str], name: str | None = None) -> None:
        """Adds a source at the end, or replaces the rows of one that is there."""
        self.rows[source] = dict(rows)
        self.names[source] = name or self.names.get(source, source)
        self._write([source])

    def remove(self, source: str) -> None:
        del self.rows[source], self.names[source]
        self._write([])

    def rename(self, source: str, name: str) -> None:
        self.names[source] = name
        self._write([])

    def _write(self, changed: Sequence[str]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for source in changed:
            lines = (json.dumps({"id": key, "text": text}) for key, text in self.rows[source].items())
            (self.folder / f"{source}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        entries = [
            {
                "id": source,
                "name": self.names[source],
                "kind": "jsonl",
                "location": f"{source}.jsonl",
                "key": "id",
            }
            for source in self.rows
        ]
        self.path.write_text(json.dumps({"sources": entries}, indent=1), encoding="utf-8")
