"""In how many rows each category of a stage fired, counted from its verdicts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa


@dataclass(frozen=True)
class Fired:
    """Rows looked at, and in how many of them each category fired; whether they were dropped is no matter."""

    rows: int
    categories: Mapping[str, int] = field(default_factory=dict)

    def share(self, category: str) -> float:
        """Part of the rows in which a category fired; 0 of no rows."""
        return self.categories.get(category, 0) / self.rows if self.rows else 0.0


def fired_categories(verdicts: Iterable[pa.RecordBatch]) -> Counter[str]:
    """Number of rows by category; a row counts once in each category of its spans and rules.

    A rule is `category/detector`; one without a slash, such as that of a parked row, names no category. Of each
    batch the columns `rules` and `spans` are read.
    """
    found: Counter[str] = Counter()
    for batch in verdicts:
        for rules, spans in zip(
            batch.column("rules").to_pylist(), batch.column("spans").to_pylist(), strict=True
        ):
            named = {rule.partition("/")[0] for rule in rules or () if "/" in rule}
            found.update(named | {span["category"] for span in spans or ()})
    return found
