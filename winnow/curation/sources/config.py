"""sources.yaml: what is read, from where, and how much of it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Field,
    PositiveInt,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from winnow.core.config import ConfigModel, load_model
from winnow.core.errors import ConfigError, near_miss
from winnow.curation.normalize.fields import FieldMap
from winnow.curation.sources.records import ReadSettings

Kind = Literal["jsonl", "parquet", "python_distributions", "docstring_functions"]
PYTHON_KINDS = ("python_distributions", "docstring_functions")
Operator = Literal["==", "!=", ">=", "<=", ">", "<", "in"]
Scalar = str | int | float | bool
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]


def _one_fault(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    """A union reports a fault for each of its members; a reader of the message needs one."""
    try:
        return handler(tuple(value) if isinstance(value, list) else value)
    except ValidationError:
        raise ValueError("Input should be text, a number, true, false or a list of these.") from None


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


class Filter(ConfigModel):
    """A condition that a record must meet; one without the field, or with another type in it, does not."""

    field: Text
    """A field of the record (of its `meta` for the two python kinds); dots walk into objects."""
    op: Operator
    value: Annotated[Scalar | tuple[Scalar, ...], WrapValidator(_one_fault)]


class Source(ConfigModel):
    """One entry of sources.yaml."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
    """Immutable: it is hashed into row ids and names the partition."""
    name: str = ""
    """For display; a rename recomputes nothing."""
    kind: Kind
    location: Annotated[tuple[Text, ...], BeforeValidator(_as_tuple), Field(min_length=1)]
    """Files: paths (relative to sources.yaml), folders, globs or s3://bucket/prefix.
    Python kinds: names of distributions, `stdlib`, or `*` for every installed distribution."""
    revision: Text | None = None
    """Any text; without it a hash of the content stands for it."""
    key: Text | None = None
    """Top-level field that names a record within the source; without it its content does."""
    fields: FieldMap = FieldMap()
    cap: PositiveInt | None = None
    """At most this many rows: those with the smallest hash of their row id, wherever they stand."""
    filters: tuple[Filter, ...] = ()
    licence: Text | None = None
    """SPDX expression or plain words; for the python kinds it stands in where the metadata states none."""

    def hashed(self) -> dict[str, Any]:
        """All that reading depends on: the entry without its display name and what only `normalize` uses."""
        return self.model_dump(mode="json", exclude={"name", "fields"})


class SourcesFile(ConfigModel):
    """The whole of a sources.yaml."""

    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Sources:
    """The validated entries in file order, and the file they came from."""

    path: Path
    sources: tuple[Source, ...]

    def read_settings(self) -> ReadSettings:
        """Settings under which relative locations lie beside this file."""
        return ReadSettings(base=self.path.parent)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(source.id for source in self.sources)

    def by_id(self, source_id: str) -> Source:
        """The entry of that id; a ConfigError that names the near miss where there is none."""
        for source in self.sources:
            if source.id == source_id:
                return source
        raise ConfigError(
            f"{self.path.name} has no source `{source_id}`.{near_miss(source_id, self.ids)} "
            f"Known ids: {', '.join(self.ids)}."
        )


def load_sources(path: str | Path) -> Sources:
    """The sources that a file declares; a ConfigError that lists every fault at once if it is not valid."""
    loaded = load_model(SourcesFile, Path(path), cross_faults=_cross_faults)
    return Sources(path=Path(path), sources=loaded.sources)


def _cross_faults(raw: Mapping[str, Any]) -> list[str]:
    """What is wrong between entries, and between the fields of one."""
    listed = raw.get("sources")
    entries = listed if isinstance(listed, list) else []
    mappings = [(place, entry) for place, entry in enumerate(entries) if isinstance(entry, Mapping)]
    counted = Counter(entry["id"] for _, entry in mappings if isinstance(entry.get("id"), str))
    lines = [
        f"`id`: `{named}` stands {count} times. Give each source an id of its own."
        for named, count in counted.items()
        if count > 1
    ]
    if listed == []:
        lines.append("`sources`: the list is empty. Declare at least one source.")
    for place, entry in mappings:
        lines.extend(_entry_faults(f"sources.{place}", entry))
    return lines


def _entry_faults(place: str, entry: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    if entry.get("kind") in PYTHON_KINDS:
        lines.extend(
            f"`{place}.{field}`: a `{entry['kind']}` source names and shapes its records itself. Remove it."
            for field in ("key", "fields")
            if entry.get(field) is not None
        )
    conditions = entry.get("filters")
    for index, condition in enumerate(conditions if isinstance(conditions, list) else ()):
        if isinstance(condition, Mapping):
            lines.extend(_filter_faults(f"`{place}.filters.{index}.value`", condition))
    return lines


def _filter_faults(place: str, condition: Mapping[str, Any]) -> list[str]:
    op, value = condition.get("op"), condition.get("value")
    if op == "in" and isinstance(value, Scalar):
        return [f"{place}: got one value. `in` needs a list: write it as `[...]`."]
    if op != "in" and isinstance(value, list):
        return [f"{place}: got a list. Only `op: in` takes one."]
    if op in (">=", "<=", ">", "<") and isinstance(value, bool):
        return [f"{place}: got `{str(value).lower()}`. `{op}` needs a number or text."]
    return []
