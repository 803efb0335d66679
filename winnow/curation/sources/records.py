"""Records as a reader hands them on, and the settings under which it reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyarrow import fs as pafs

from winnow.curation.sources.filesystem import default_filesystem

Resolver = Callable[[str], tuple[pafs.FileSystem, str]]
"""From `s3://bucket/prefix` to a filesystem and the path within it."""


@dataclass(frozen=True)
class ReadSettings:
    """How to read: none of it but `max_record_bytes` can change a row."""

    base: Path = Path()
    """Folder against which relative paths are taken: that of sources.yaml."""
    max_record_bytes: int = 8 << 20
    """A longer record is parked; a line or a file above it is never held whole in memory."""
    batch_rows: int = 512
    batch_bytes: int = 4 << 20
    held_bytes: int = 64 << 20
    """A capped source up to this size is read once, a larger one twice."""
    resolve: Resolver = field(default=default_filesystem)


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a source. `payload` is None where it was not held; `park` is then the rule."""

    payload: bytes | None
    content_hash: str
    payload_kind: str
    size: int
    key: str | None = None
    license: str | None = None
    meta: str | None = None
    fields: Mapping[str, Any] | None = None
    """What filters look at; None where the record could not be parsed, and then no filter drops it."""
    park: str | None = None
