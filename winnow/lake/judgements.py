"""Findings of the sanitize stage drawn for a person to judge, and what persons said of them."""

import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from schemas.judgements import JUDGEMENTS
from winnow.core.errors import DataError, near_miss
from winnow.lake.changes import answer, rows_by_id
from winnow.lake.keys import fingerprint_key
from winnow.lake.lake import Lake
from winnow.lake.records import replace_rows
from winnow.lake.views import connect

if TYPE_CHECKING:
    import duckdb

StringsOf = Callable[[Mapping[str, Any]], Iterable[tuple[str, str]]]
"""The strings of a row with their paths."""
_PLACE = ("row_id", "category", "detector", "path", "start", "end")
_AROUND = 2_000
_AT_ONCE = 16
"""Rows whose text is in memory at a time."""
_DRAWN = """
WITH found AS (
    SELECT row_id, source, decision, span.category, span.detector, span.path, span."start", span."end"
    FROM (
        FROM verdicts SELECT row_id, source, decision, unnest(spans) AS span
        WHERE stage = 'sanitize' AND list_contains(?, decision)
    )
),
numbered AS (
    FROM found SELECT *, row_number() OVER (
        PARTITION BY category, detector
        ORDER BY md5(concat_ws('/', ?, row_id, path, "start", "end")), row_id, path, "start"
    ) AS number, count(*) OVER (PARTITION BY category, detector) AS findings
),
judged AS (
    FROM judgements SELECT row_id, category, detector, path, "start", "end", judged, content_hash
    QUALIFY row_number() OVER (
        PARTITION BY row_id, category, detector, path, "start", "end" ORDER BY judged_at DESC, who
    ) = 1
)
FROM numbered LEFT JOIN judged USING (row_id, category, detector, path, "start", "end")
WHERE number <= ? OR judged IS NOT NULL
ORDER BY category, detector, number
"""


@dataclass(frozen=True)
class Finding:
    """One span of a verdict: where something was found, by what, and what became of the row."""

    row_id: str
    source: str
    decision: str
    category: str
    detector: str
    path: str
    start: int
    end: int

    @property
    def rule(self) -> str:
        return f"{self.category}/{self.detector}"


@dataclass(frozen=True)
class Judgement:
    """What a person said of a finding; `content_hash` is keyed, see schemas/judgements.py."""

    finding: Finding
    content_hash: str
    judged: str
    note: str | None = None


@dataclass(frozen=True)
class Shown:
    """A finding with the text around it: `text[start:end]` is what was found. Restricted."""

    finding: Finding
    content_hash: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Tally:
    """One detector: its findings, how they were judged, and how many of the sample are left to judge."""

    category: str
    detector: str
    findings: int
    right: int
    wrong: int
    unsure: int
    left: int


class Sample:
    """Findings of each detector, drawn by a hash of `seed`, so that a later draw goes on with the same ones.

    `per_detector` of each are drawn; those that somebody judged count wherever they stand in the order. A judgement
    holds as long as the same place is found by the same detector, and the latest one counts. Raises DataError for a
    `detector` (`category/detector`) that found nothing.
    """

    def __init__(
        self,
        sql: "duckdb.DuckDBPyConnection",
        per_detector: int,
        decisions: Sequence[str],
        seed: int,
        detector: str | None = None,
    ) -> None:
        self._sql = sql
        self._per_detector = per_detector
        rows = answer(sql, _DRAWN, [list(decisions), str(seed), per_detector])
        rules = sorted({f"{row['category']}/{row['detector']}" for row in rows})
        if detector is not None and detector not in rules:
            listed = f"Those that did: {', '.join(rules)}." if rules else "None did."
            raise DataError(f"No detector `{detector}` found anything.{near_miss(detector, rules)} {listed}")
        self._rows = [row for row in rows if detector in (None, f"{row['category']}/{row['detector']}")]

    def tallies(self) -> list[Tally]:
        """Every detector that found something, by name."""
        found = []
        for (category, detector), rows in groupby(self._rows, lambda r: (r["category"], r["detector"])):
            listed = list(rows)
            said = Counter(row["judged"] for row in listed)
            left = sum(map(self._is_left, listed))
            counts = (said["right"], said["wrong"], said["unsure"])
            found.append(Tally(category, detector, listed[0]["findings"], *counts, left))
        return found

    def left(self) -> list[Finding]:
        """What nobody has judged yet, by detector and in the order drawn."""
        return [_finding(row) for row in self._rows if self._is_left(row)]

    def shown(self, key: bytes, strings_of: StringsOf) -> Iterator[Shown]:
        """What is left to judge, with its text; a place that is no longer in its row is passed over.

        Needs a connection to the restricted zone.
        """
        left = self.left()
        for at in range(0, len(left), _AT_ONCE):
            findings = left[at : at + _AT_ONCE]
            ids = [{"row_id": f.row_id, "source": f.source} for f in findings]
            rows = rows_by_id(self._sql, "conversations", ids)
            for finding in findings:
                row = rows.get(finding.row_id)
                text = dict(strings_of(row)).get(finding.path, "") if row else ""
                if row is not None and finding.end <= len(text):
                    yield _shown(finding, text, keyed_hash(key, str(row["content_hash"])))

    def _is_left(self, row: Mapping[str, Any]) -> bool:
        return row["judged"] is None and row["number"] <= self._per_detector


def _finding(row: Mapping[str, Any]) -> Finding:
    return Finding(**{name: row[name] for name in Finding.__dataclass_fields__})


def _shown(finding: Finding, text: str, content_hash: str) -> Shown:
    first = max(0, finding.start - _AROUND)
    window = text[first : finding.end + _AROUND]
    return Shown(finding, content_hash, window, finding.start - first, finding.end - first)


def keyed_hash(key: bytes, content_hash: str) -> str:
    """HMAC-SHA256 of a content hash under the lake's key; 64 hex digits."""
    return hmac.new(key, content_hash.encode(), hashlib.sha256).hexdigest()


def judging_key(lake: Lake) -> bytes:
    """The key under which content is named in judgements: the one of the fingerprints."""
    return fingerprint_key(lake.zone("restricted"))


def known_places(lake: Lake, row_ids: Iterable[str]) -> dict[tuple[Any, ...], Finding]:
    """The findings of rows by row id, category, detector, path, start and end, as the lake holds them now."""
    query = (
        'SELECT row_id, source, decision, span.category, span.detector, span.path, span."start", span."end" FROM ('
        "FROM verdicts SELECT row_id, source, decision, unnest(spans) AS span "
        "WHERE stage = 'sanitize' AND list_contains(?, row_id))"
    )
    with connect(lake) as sql:
        found = [_finding(row) for row in answer(sql, query, [sorted(set(row_ids))])]
    return {place_of(finding): finding for finding in found}


def place_of(finding: Finding) -> tuple[Any, ...]:
    """What tells one finding from another."""
    return tuple(getattr(finding, name) for name in _PLACE)


def record(lake: Lake, judgements: Iterable[Judgement], who: str) -> None:
    """Writes judgements down, one commit a source; a later one by the same person takes the place of an earlier."""
    by_source: dict[str, list[dict[str, Any]]] = defaultdict(list)
    now = datetime.now(UTC)
    for judgement in judgements:
        row = asdict(judgement.finding)
        said = {
            "content_hash": judgement.content_hash,
            "judged": judgement.judged,
            "note": judgement.note or None,
        }
        by_source[row.pop("source")].append({**row, **said, "who": who, "judged_at": now})
    schema = pa.schema([field for field in JUDGEMENTS.arrow_schema() if field.name != "source"])
    for source, rows in sorted(by_source.items()):
        replace_rows(lake, JUDGEMENTS, source, pa.Table.from_pylist(rows, schema=schema))
