"""The files that a location names, on disk or on S3."""

import fnmatch
import gzip
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

import pyarrow as pa
from pyarrow import fs as pafs

from winnow.core.errors import ConfigError, DataError, RunError, WinnowError
from winnow.core.identity import digest
from winnow.curation.sources.config import Source
from winnow.curation.sources.records import ReadSettings

_WILD = frozenset("*?[")
_S3_REMEDY = "Check the bucket, AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a source; `remote` is None for a local one."""

    path: str
    remote: pafs.FileSystem | None = None

    def open_stream(self) -> BinaryIO:
        """Its bytes from the start, as stored."""
        if self.remote is None:
            return Path(self.path).open("rb")
        return cast(BinaryIO, self.remote.open_input_stream(self.path, compression=None))

    def open_random(self) -> pa.NativeFile:
        """The file for reading at any place."""
        return self.remote.open_input_file(self.path) if self.remote else pa.OSFile(self.path, "rb")

    def content(self) -> str:
        """What stands for its bytes: ETag and size where the store gives an ETag, else their SHA-256."""
        if self.remote is None:
            with Path(self.path).open("rb") as local:
                return hashlib.file_digest(local, "sha256").hexdigest()
        with self.remote.open_input_stream(self.path, compression=None) as stream:
            metadata: dict[Any, Any] = dict(stream.metadata())
            etag = metadata.get("ETag") or metadata.get(b"ETag")
            if not etag:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        return f"{etag!r}-{self.remote.get_file_info(self.path).size}"


def unreadable(source: Source, file: SourceFile, error: BaseException) -> WinnowError:
    """The error to raise for a file that broke off: of the machine where S3 failed, else of the data."""
    reason = (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(".")
    if file.remote is not None and isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile):
        return RunError(
            f"source `{source.id}`: `{file.path}` cannot be read from S3: {reason}. {_S3_REMEDY}."
        )
    return DataError(
        f"source `{source.id}`: `{file.path}` cannot be read to its end: {reason}. "
        "Write the file again, or take it out of `location`."
    )


def content_of(source: Source, files: Sequence[SourceFile]) -> str:
    """A hash of the stored bytes of the files, in reading order."""
    hashes = []
    for file in files:
        try:
            hashes.append(file.content())
        except OSError as error:
            raise unreadable(source, file, error) from None
    return digest(hashes)


def locate(source: Source, settings: ReadSettings, suffixes: Sequence[str]) -> tuple[SourceFile, ...]:
    """The regular files of all locations, each once: locations in the order given, sorted by path in each.

    A file is taken whatever its name; of a folder or prefix, the files below with one of `suffixes`; of a
    glob (`*`, `?`, `[...]`, `**` for any depth), those that match. Links to folders are followed, except back
    into a folder that they lie in.
    Raises ConfigError where a location names nothing, RunError where S3 cannot be reached.
    """
    found: dict[str, SourceFile] = {}
    for location in source.location:
        files = _on_s3(source, location, settings, suffixes) if "://" in location else None
        if files is None:
            files = _on_disk(location, settings, suffixes)
        if not files:
            raise ConfigError(
                f"source `{source.id}`, `location`: got `{location}`. It names no readable file"
                f"{_hint(location, suffixes)}. Put the data there, or edit `location`."
            )
        for file in sorted(files, key=lambda f: f.path):
            found.setdefault(file.path, file)
    return tuple(found.values())


def _hint(location: str, suffixes: Sequence[str]) -> str:
    return "" if _WILD & set(location) else f" (in a folder: {', '.join(suffixes)})"


def _on_disk(location: str, settings: ReadSettings, suffixes: Sequence[str]) -> list[SourceFile]:
    path = settings.base / location
    if path.is_file():
        return [SourceFile(str(path))]
    if path.is_dir():
        return [SourceFile(str(p)) for p, _ in _walk(path) if p.name.lower().endswith(tuple(suffixes))]
    base, pattern = _split_glob(str(path))
    return [SourceFile(str(p)) for p, parts in _walk(Path(base)) if pattern and matches(parts, pattern)]


def _refuse(error: OSError) -> None:
    """A folder that cannot be listed is no empty folder: its rows would be missing without a word."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise RunError(
            f"the folder `{error.filename}` cannot be listed: {error.strerror}. "
            "Make it readable, or take it out of `location`."
        )


def _walk(root: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Regular files below a folder, with their path within it; pipes, devices and dead links left out."""
    for folder, below, names in os.walk(root, onerror=_refuse, followlinks=True):
        below[:] = [name for name in below if not _leads_back(os.path.join(folder, name))]
        for name in names:
            path = Path(folder, name)
            try:
                regular = stat.S_ISREG(path.stat().st_mode)
            except OSError:
                continue
            if regular:
                yield path, path.relative_to(root).parts


def _leads_back(folder: str) -> bool:
    """Whether this is a link to a folder on the way to it, or above one, which would never end."""
    if not os.path.islink(folder):
        return False
    target = os.path.realpath(folder)
    way = (os.path.realpath(parent) for parent in Path(folder).absolute().parents)
    return any(os.path.commonpath([target, passed]) == target for passed in way)


def _split_glob(path: str) -> tuple[str, tuple[str, ...]]:
    """The folder before the first wildcard, and the pattern after it, by segments."""
    parts = PurePosixPath(path).parts
    fixed = next((i for i, part in enumerate(parts) if _WILD & set(part)), len(parts))
    return (str(PurePosixPath(*parts[:fixed])) if fixed else ".", parts[fixed:])


def matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path, by segments, matches a glob; `**` stands for any number of folders, none included.

    >>> matches(("a", "b.jsonl"), ("**", "*.jsonl")), matches(("a", "b.jsonl"), ("*.jsonl",))
    (True, False)
    """
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(matches(parts[skip:], pattern[1:]) for skip in range(len(parts) + 1))
    return bool(parts) and fnmatch.fnmatchcase(parts[0], pattern[0]) and matches(parts[1:], pattern[1:])


def _on_s3(
    source: Source, location: str, settings: ReadSettings, suffixes: Sequence[str]
) -> list[SourceFile]:
    base, pattern = _split_glob(location.replace("://", ":/", 1))
    try:
        filesystem, inner = settings.resolve(base.replace(":/", "://", 1))
        info = filesystem.get_file_info(inner)
        if info.type == pafs.FileType.File and not pattern:
            return [SourceFile(inner, filesystem)]
        if info.type == pafs.FileType.NotFound:
            return []
        below = filesystem.get_file_info(pafs.FileSelector(inner, recursive=True))
    except OSError as error:
        reason = str(error).splitlines()[0][:200].rstrip(".")
        raise RunError(
            f"source `{source.id}`: `{location}` cannot be listed: {reason}. {_S3_REMEDY}."
        ) from None
    paths = [i.path for i in below if i.type == pafs.FileType.File]
    if pattern:
        paths = [p for p in paths if matches(PurePosixPath(p).relative_to(inner).parts, pattern)]
    else:
        paths = [p for p in paths if p.lower().endswith(tuple(suffixes))]
    return [SourceFile(path, filesystem) for path in paths]
