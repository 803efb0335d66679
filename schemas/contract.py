"""What a table is: its columns, key, partitions and zone."""

from dataclasses import dataclass, field
from typing import Literal

import pyarrow as pa

Zone = Literal["open", "restricted"]


@dataclass(frozen=True)
class Column:
    """One column of a contract; `operational` columns say who and when, and stay out of `winnow hash`."""

    name: str
    type: pa.DataType
    description: str
    nullable: bool = False
    operational: bool = False


@dataclass(frozen=True)
class Contract:
    """The one declaration of a table. Writes are cast to it; readers and views are generated from it."""

    table: str
    zone: Zone
    description: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    partition_by: tuple[str, ...] = ("source",)
    invariants: dict[str, str] = field(default_factory=dict)
    """Name to a SQL condition that every row must meet, over the columns of the table."""
    overridable: frozenset[str] = frozenset()
    """Invariants that a person may let one candidate break; columns, types, nulls, keys and accounts never."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def arrow_schema(self) -> pa.Schema:
        """Every column in contract order, partition columns included."""
        return pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in self.columns])

    def file_schema(self) -> pa.Schema:
        """What a data file holds: the partition columns live in its path."""
        return pa.schema(
            [
                pa.field(c.name, c.type, nullable=c.nullable)
                for c in self.columns
                if c.name not in self.partition_by
            ]
        )
