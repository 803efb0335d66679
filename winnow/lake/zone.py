"""Files of one root: a directory or a bucket, behind the same few verbs.

Data goes through pyarrow, because Parquet readers want its files; small objects, listings and
put-if-absent go through obstore, because pyarrow's S3 client has no conditional put.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import obstore
from obstore.exceptions import AlreadyExistsError, NotFoundError, PreconditionError
from obstore.store import LocalStore, S3Store

from winnow.lake.faults import explain, named_faults
from winnow.lake.settings import CONNECT_SECONDS, REQUEST_SECONDS, RETRIES, RETRY_SECONDS, ZoneSettings

_CHUNK = 4 << 20
_TRIES = 20
"""How often a folder is made again that another process removes at the same moment."""
_ABSENT = (NotFoundError, FileNotFoundError)


@dataclass(frozen=True)
class Entry:
    """One file: path relative to the root, size in bytes, time of its last change."""

    path: str
    size: int
    modified: datetime


class Zone:
    """Access to the files of one root. Paths are relative to it. Picklable; opens nothing until used.

    Every method raises ConfigError or RunError with one line that names the setting to change.
    """

    def __init__(self, settings: ZoneSettings) -> None:
        self.settings = settings
        self.name = settings.name
        self.root = settings.root

    def __reduce__(self) -> tuple[type, tuple[ZoneSettings]]:
        return (Zone, (self.settings,))

    def __repr__(self) -> str:
        return f"Zone({self.settings.setting})"

    @cached_property
    def _arrow(self) -> tuple[Any, str]:
        return self.settings.pyarrow_fs()

    @cached_property
    def store(self) -> Any:
        """The obstore store of this root, for what the verbs below do not cover."""
        s = self.settings
        if not s.is_s3:
            return LocalStore(prefix=s.root, mkdir=True)
        given = {
            "access_key_id": s.access_key,
            "secret_access_key": s.secret(),
            "session_token": s.token(),
            "endpoint": s.endpoint_url,
        }
        return S3Store(
            s.bucket,
            prefix=s.prefix or None,
            config={"region": s.region, **{key: value for key, value in given.items() if value}},
            client_options={
                "allow_http": (s.endpoint_url or "").startswith("http://"),
                "connect_timeout": timedelta(seconds=CONNECT_SECONDS),
                "timeout": timedelta(seconds=REQUEST_SECONDS),
            },
            retry_config={"max_retries": RETRIES, "retry_timeout": timedelta(seconds=RETRY_SECONDS)},
        )

    def ensure(self) -> None:
        """Makes the directory of a local root; the restricted one is readable by its owner only."""
        if self.settings.is_s3:
            return
        with named_faults(self.settings, "making the directory"):
            root = Path(self.root)
            if self.name == "open":
                root.mkdir(parents=True, exist_ok=True)
                return
            root.parent.mkdir(parents=True, exist_ok=True)
            root.mkdir(mode=0o700, exist_ok=True)
            if root.stat().st_mode & 0o077:
                root.chmod(0o700)

    def uri(self, path: str = "") -> str:
        """What deltalake, Polars and DuckDB call a file or folder of this root."""
        return "/".join(filter(None, (self.root, path)))

    @contextmanager
    def open_input(self, path: str) -> Iterator[Any]:
        """A random-access pyarrow file, never memory-mapped. Raises FileNotFoundError when there is none."""
        filesystem, base = self._arrow
        with named_faults(self.settings, f"reading {path}"):
            file = filesystem.open_input_file(f"{base}/{path}")
        with file:
            yield file

    def create(self, path: str) -> Any:
        """A pyarrow stream to a new file, for the caller to close; on S3 the object appears then."""
        filesystem, base = self._arrow
        with named_faults(self.settings, f"writing {path}"):
            for _ in range(_TRIES):
                self._make_parent(path)
                try:
                    return filesystem.open_output_stream(f"{base}/{path}")
                except FileNotFoundError:
                    continue  # another process removed the folder, empty until now, on its way out
            self._make_parent(path)
            return filesystem.open_output_stream(f"{base}/{path}")

    @contextmanager
    def open_output(self, path: str) -> Iterator[Any]:
        """`create` as a context manager."""
        file = self.create(path)
        with named_faults(self.settings, f"writing {path}"), file:
            yield file

    def _make_parent(self, path: str) -> None:
        if not self.settings.is_s3:
            self.ensure()
            folder = os.path.dirname(f"{self.root}/{path}")
            for _ in range(_TRIES):
                try:
                    return os.makedirs(folder, exist_ok=True)
                except (FileNotFoundError, FileExistsError):
                    continue  # another process removed it, empty until now, while it was made
            os.makedirs(folder, exist_ok=True)

    def read_bytes(self, path: str) -> bytes:
        """The whole of a small file. Raises FileNotFoundError when there is none."""
        if not self._is_there():
            raise FileNotFoundError(self.uri(path))
        with named_faults(self.settings, f"reading {path}"):
            try:
                return bytes(obstore.get(self.store, path).bytes())
            except _ABSENT as error:
                self._tell_missing_bucket(error)
                raise FileNotFoundError(self.uri(path)) from error

    def put(self, path: str, data: bytes) -> None:
        """Writes a small file whole, over any older one."""
        with named_faults(self.settings, f"writing {path}"):
            self.ensure()
            obstore.put(self.store, path, data, use_multipart=False)

    def put_if_absent(self, path: str, data: bytes) -> bool:
        """Writes a small file unless one is there; False when one is. Atomic between processes."""
        with named_faults(self.settings, f"writing {path}"):
            self.ensure()
            try:
                obstore.put(self.store, path, data, mode="create", use_multipart=False)
            except (AlreadyExistsError, PreconditionError, FileExistsError):
                return False
            return True

    def exists(self, path: str) -> bool:
        if not self._is_there():
            return False
        with named_faults(self.settings, f"looking for {path}"):
            try:
                obstore.head(self.store, path)
            except _ABSENT as error:
                self._tell_missing_bucket(error)
                return False
            return True

    def list(self, prefix: str = "") -> Iterator[Entry]:
        """Every file under a folder, at any depth, sorted by path; none when the folder does not exist."""
        if not self._is_there():
            return
        with named_faults(self.settings, f"listing {prefix or 'the root'}"):
            found = [
                Entry(meta["path"], meta["size"], meta["last_modified"])
                for chunk in obstore.list(self.store, prefix.strip("/") or None)
                for meta in chunk
            ]
        yield from sorted(found, key=lambda entry: entry.path)

    def delete(self, paths: Iterable[str]) -> None:
        """Removes files; one that is gone already is no error. Emptied local folders go too."""
        for path in paths:
            with named_faults(self.settings, f"deleting {path}"):
                try:
                    obstore.delete(self.store, path)
                except _ABSENT:
                    continue
                self._prune(path)

    def delete_folder(self, prefix: str) -> None:
        self.delete([entry.path for entry in self.list(prefix)])

    def rename(self, source: str, target: str) -> None:
        """Moves a file within the root: a rename in a directory, a server-side copy in a bucket."""
        with named_faults(self.settings, f"moving {source}"):
            self._make_parent(target)
            if self.settings.is_s3:
                obstore.copy(self.store, source, target)
                obstore.delete(self.store, source)
            else:
                self._replace(source, target)
                self._prune(source)

    def _replace(self, source: str, target: str) -> None:
        for _ in range(_TRIES):
            try:
                os.replace(f"{self.root}/{source}", f"{self.root}/{target}")
            except FileNotFoundError:
                if not os.path.exists(f"{self.root}/{source}"):
                    raise
                self._make_parent(target)
                continue
            return

    def copy_from(self, other: "Zone", source: str, target: str) -> int:
        """Reads a file of another root and writes it here, in pieces of 4 MiB; returns its size in bytes."""
        size = 0
        with other.open_input(source) as reading, self.open_output(target) as writing:
            while piece := reading.read(_CHUNK):
                writing.write(piece)
                size += len(piece)
        return size

    def check(self) -> None:
        """One listing: a wrong endpoint, credentials, bucket or directory is told before work starts."""
        if not self._is_there():
            return
        with named_faults(self.settings, "looking at the root"):
            next(iter(obstore.list(self.store, chunk_size=1)), None)

    def _is_there(self) -> bool:
        # a reader leaves no empty directory behind
        return self.settings.is_s3 or os.path.exists(self.root)

    def _prune(self, path: str) -> None:
        if self.settings.is_s3:
            return
        for folder in Path(path).parents:
            if str(folder) == ".":
                return
            try:
                os.rmdir(f"{self.root}/{folder}")
            except OSError:
                return  # not empty, or another process was quicker

    def _tell_missing_bucket(self, error: BaseException) -> None:
        if "NoSuchBucket" in str(error):
            raise explain(error, self.settings, "reading") from error
