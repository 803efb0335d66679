"""What a release is: a manifest of exact files, and the hash of what they say."""

from datetime import UTC, datetime
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

from winnow.core.errors import DataError, near_miss
from winnow.core.identity import digest

FOLDER = "releases"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReleasedFile(_Part):
    """A data file: path relative to the open root, bytes, SHA-256 of them, rows."""

    path: str
    size: int
    sha256: str
    rows: int


class ReleasedPartition(_Part):
    """A partition as it was released."""

    stage_version: str
    data_version: str
    verdict_version: int | None
    rows: int
    files: tuple[ReleasedFile, ...]


class ReleasedTable(_Part):
    """A table as it was released; `columns` are name, Arrow type and nullability in contract order."""

    delta_version: int
    columns: tuple[tuple[str, str, bool], ...]
    partitions: dict[str, ReleasedPartition]

    @property
    def rows(self) -> int:
        return sum(p.rows for p in self.partitions.values())


class Release(_Part):
    """A manifest. Two releases of equal `content_hash` hold the same rows under the same columns."""

    name: str
    created_at: datetime
    content_hash: str
    tables: dict[str, ReleasedTable]
    explanation: dict[str, ReleasedTable] = {}
    """Verdicts and counts of the layers behind the tables, pinned so that the release can be explained."""
    seal: str = ""
    """Hash of all of the above, so that a changed path, size or checksum is told from the one released."""

    def table(self, name: str) -> ReleasedTable:
        """A pinned table, of rows or of the explanation; DataError when the release does not hold it."""
        pinned = self.tables | self.explanation
        if name not in pinned:
            raise DataError(
                f"Release {self.name} holds no table `{name}`, only {', '.join(sorted(pinned))}."
                f"{near_miss(name, pinned)}"
            )
        return pinned[name]

    @classmethod
    def of(
        cls, name: str | None, tables: dict[str, ReleasedTable], explanation: dict[str, ReleasedTable]
    ) -> Self:
        """A release made now; without a name it is called by its content."""
        content = content_hash(tables)
        release = cls(
            name=name or f"r-{content[:12]}",
            created_at=datetime.now(UTC),
            content_hash=content,
            tables=tables,
            explanation=explanation,
        )
        return release.model_copy(update={"seal": seal_of(release)})


def seal_of(release: Release) -> str:
    """Hash of everything in a manifest but the seal itself."""
    return digest(release.model_dump(mode="json", exclude={"seal"}), size=32)


def content_hash(tables: dict[str, ReleasedTable]) -> str:
    """What released tables say: columns, and the data version of each partition.

    Files, sizes, times and log versions stay out, and so does how the rows came about: the same rows made by
    newer code are the same release.
    """
    return digest(
        {
            name: {
                "columns": table.columns,
                "partitions": {key: [p.data_version, p.rows] for key, p in table.partitions.items()},
            }
            for name, table in tables.items()
        },
        size=32,
    )


def parse_manifest(name: str, text: bytes) -> Release:
    """The release that a manifest holds. Raises DataError for a text that is none, or was altered."""
    try:
        release = Release.model_validate_json(text)
    except ValidationError as error:
        raise DataError(
            f"{manifest_path(name)} is not a release manifest ({error.error_count()} faults)."
        ) from error
    genuine = release.content_hash == content_hash(release.tables) and release.seal == seal_of(release)
    if release.name != name or not genuine:
        raise DataError(
            f"{manifest_path(name)} was altered after it was written. Restore it, or release again."
        )
    return release


def manifest_path(name: str) -> str:
    """Where the manifest of a release lies, relative to the open root."""
    return f"{FOLDER}/{name}.json"
