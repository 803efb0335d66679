"""Answers of models in the restricted zone, an object each, and the records of their calls in `model_calls`.

Both fit the shapes that winnow.models asks for; neither package imports the other.
"""

import os
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from schemas.model_calls import MODEL_CALLS
from winnow.lake.faults import named_faults
from winnow.lake.keys import fingerprint_key
from winnow.lake.lake import Lake
from winnow.lake.probe import require_put_if_absent
from winnow.lake.records import replace_rows
from winnow.lake.zone import Zone

FOLDER = "answers"
"""Folder of the restricted root. It is no cache of results: what lies here was paid for, and no sweep removes it."""


class StoredAnswers:
    """Small objects by name. Safe for many threads and processes: the first to store an object keeps it."""

    def __init__(self, lake: Lake) -> None:
        """Raises ConfigError where the store cannot tell who was first."""
        self._zone = lake.zone("restricted")
        require_put_if_absent(lake.settings, self._zone)
        self._secret = fingerprint_key(self._zone)

    @property
    def secret(self) -> bytes:
        """The lake's own key, for hashes that the open zone may show."""
        return self._secret

    def get(self, name: str) -> bytes | None:
        try:
            return self._zone.read_bytes(_path(name))
        except FileNotFoundError:
            return None

    def put_if_absent(self, name: str, data: bytes) -> bool:
        """Stores an object unless there is one. On its return it survives a kill and, in a directory, a power cut."""
        stored = self._zone.put_if_absent(_path(name), data)
        if stored and not self._zone.settings.is_s3:
            _sync(self._zone, _path(name))
        return stored

    def remove(self, name: str) -> None:
        self._zone.delete([_path(name)])


class Dumps(Protocol):
    """A record of a call as winnow.models makes it."""

    def model_dump(self) -> dict[str, Any]:
        """The columns of `model_calls` but `day`."""


class CallLedger:
    """Adds records of calls to `model_calls`. Many runs may write at once: none loses a row of another."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake

    def record(self, calls: Sequence[Dumps]) -> None:
        """Adds the records, each in the partition of its day; one that is there already changes nothing."""
        days: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
        for row in (call.model_dump() for call in calls):
            called_at: datetime = row["called_at"]
            days[f"{called_at.astimezone(UTC):%Y-%m-%d}"][row["call_id"]] = row
        schema = pa.schema([pa.field(c.name, c.type) for c in MODEL_CALLS.columns if c.name != "day"])
        for day, rows in sorted(days.items()):
            replace_rows(
                self._lake, MODEL_CALLS, day, pa.Table.from_pylist(list(rows.values()), schema=schema)
            )


def _path(name: str) -> str:
    return f"{FOLDER}/{name[:2]}/{name}"


def _sync(zone: Zone, path: str) -> None:
    with named_faults(zone.settings, f"writing {path}"):
        place = Path(zone.root, path)
        for each in (place, place.parent):
            opened = os.open(each, os.O_RDONLY)
            try:
                os.fsync(opened)
            finally:
                os.close(opened)
