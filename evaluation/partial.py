"""Records appended as they are made, so that a killed evaluation goes on where it was."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Generic, TypeVar

R = TypeVar("R")
Key = tuple[str, str]


class PartialRecords(Generic[R]):
    """Dataclass records of one job by key, from disk as far as they are there; a line torn by a kill is dropped.

    The first line is the job's fingerprint: records of another job are thrown away.
    """

    def __init__(
        self, path: Path, fingerprint: str, record: Callable[..., R], key: Callable[[R], Key]
    ) -> None:
        self.path = path
        self._key = key
        self._records: dict[Key, R] = {}
        lines = list(self._read())
        if lines and lines[0] == {"job": fingerprint}:
            self._records = {key(r): r for r in (record(**line) for line in lines[1:])}
        self._rewrite(fingerprint)

    def __getitem__(self, key: Key) -> R:
        return self._records[key]

    def __contains__(self, key: Key) -> bool:
        return key in self._records

    def add(self, records: Sequence[R]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(_line(r) for r in records))
        self._records.update({self._key(r): r for r in records})

    def _read(self) -> Iterator[dict[str, Any]]:
        if not self.path.exists():
            return
        for line in self.path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n"):
                return
            yield json.loads(line)

    def _rewrite(self, fingerprint: str) -> None:
        lines = [json.dumps({"job": fingerprint}) + "\n", *map(_line, self._records.values())]
        scratch = self.path.with_suffix(".part")
        scratch.write_text("".join(lines), encoding="utf-8")
        scratch.replace(self.path)


def _line(record: Any) -> str:
    return json.dumps(asdict(record), allow_nan=False) + "\n"
