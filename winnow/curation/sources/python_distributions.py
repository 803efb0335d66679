"""The Python files of the standard library and of installed distributions: a record is a file's bytes."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from winnow.core.errors import DataError
from winnow.core.identity import payload_hash
from winnow.curation.sources import distributions
from winnow.curation.sources.config import Source
from winnow.curation.sources.records import ReadSettings, Record


def content(source: Source, settings: ReadSettings) -> str:
    """A hash of names, versions, licences and file bytes."""
    return distributions.content(source)


def records(source: Source, settings: ReadSettings) -> Iterator[Record]:
    """One record a file, by distribution and path; key `distribution/path`.

    `meta`, which filters look at: distribution, version, path, bytes.
    """
    for distribution in distributions.distributions(source):
        for path in distribution.files:
            yield _record(distribution, path, settings.max_record_bytes)


def _record(distribution: distributions.Distribution, path: str, limit: int) -> Record:
    file = distribution.root / path
    try:
        size = file.stat().st_size
        payload = file.read_bytes() if size <= limit else None
        hashed = payload_hash(payload) if payload is not None else _streamed_hash(file)
    except OSError as error:
        raise DataError(
            f"{distribution.name}/{path} cannot be read: {error.strerror}. Reinstall it."
        ) from None
    meta: dict[str, Any] = {
        "distribution": distribution.name,
        "version": distribution.version,
        "path": path,
        "bytes": size,
    }
    return Record(
        payload=payload,
        content_hash=hashed,
        payload_kind="text",
        size=size,
        key=f"{distribution.name}/{path}",
        license=distribution.license,
        meta=orjson.dumps(meta, option=orjson.OPT_SORT_KEYS).decode(),
        fields=meta,
        park=None if payload is not None else "record-too-large",
    )


def _streamed_hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
