"""The sanitize stage: every string of every row through the detectors, and what they find kept out."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from schemas.findings import FINDINGS
from winnow.core.errors import ConfigError
from winnow.core.identity import canonical
from winnow.core.stage import Span, StageOutput, Verdict, verdict_batch
from winnow.curation.sanitize.config import SanitizeConfig
from winnow.curation.sanitize.finder import NAME_DETECTORS, Found, finder
from winnow.curation.sanitize.libraries import library_versions
from winnow.curation.sanitize.placeholders import Placeholders, fingerprint, names_in
from winnow.curation.sanitize.policy import Action, action_of, strongest
from winnow.curation.sanitize.redaction import BREAKS_CODE, redacted
from winnow.curation.sanitize.scan import Hit, merged
from winnow.curation.text import row_strings
from winnow.curation.tokens import ROW_TOKENS, RowTokens
from winnow.models.tokenizer import TokenCounter

_FINDINGS = FINDINGS.arrow_schema()


@dataclass
class _Outcome:
    """What a batch comes to."""

    kept: list[int] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)


class SanitizeStage:
    """Drops, redacts, pseudonymizes or flags by category what the detectors find.

    A changed row gets the verdict `redact`, a flagged one `keep`, with the rule of the strongest action's first
    hit, spans into the input row, and a new content hash where it changed. `side` holds `findings`, one a span;
    with a token counter also `row_tokens`: the tokens of each row before and after.
    """

    name = "sanitize"
    code_version = "4"

    def __init__(self, config: SanitizeConfig | None = None, counter: TokenCounter | None = None) -> None:
        self.config = config or SanitizeConfig()
        self.tokens = RowTokens(counter) if counter else None
        detectors = (*self.config.chosen(), *(NAME_DETECTORS.values() if self.config.names else ()))
        self._rank = {detector.rule: position for position, detector in enumerate(detectors)}
        self._actions = {d.category: action_of(d.category, self.config.policies) for d in detectors}
        if "pseudonymize" in self._actions.values() and self.config.fingerprint_key is None:
            raise ConfigError(
                "a policy is `pseudonymize`, and there is no key: without one a pseudonym can be guessed. "
                "Set `fingerprint_key`, or `redact`; a lake has a key of its own"
            )

    def identity(self) -> Mapping[str, Any]:
        """Rules and configuration, the model of names and the tokenizer; the key leaves no trace."""
        return {
            "rules": list(self._rank),
            "config": self.config.model_dump(mode="json", exclude={"fingerprint_key", "detectors", "firing"}),
            "libraries": library_versions(self.config.names),
            "tokenizer": self.tokens.counter.hash if self.tokens else None,
        }

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        out = _Outcome()
        rows = batch.to_pylist()
        for index, (row, found) in enumerate(zip(rows, finder(self.config).find(rows), strict=True)):
            out.kept.append(index)
            if found.parked:
                out.kept.pop()
                out.verdicts.append(Verdict(row["row_id"], row["source"], "park", found.parked))
            elif found.hits:
                self._judge(row, found, out, batch.num_rows)
        kept = batch
        if out.verdicts:
            changed = pa.RecordBatch.from_pylist(out.changed, schema=batch.schema)
            both = pa.Table.from_batches([batch, changed]).take(pa.array(out.kept, pa.int64()))
            batches = both.combine_chunks().to_batches()
            kept = batches[0] if batches else batch.slice(0, 0)
        return StageOutput(batch.num_rows, kept, verdict_batch(out.verdicts), self._side(batch, kept, out))

    def _judge(self, row: Mapping[str, Any], found: Found, out: _Outcome, base: int) -> None:
        """Adds verdict and findings of a row with hits; `out.kept` ends with the row's index."""
        order = {path: self._ordered(hits) for path, hits in found.hits.items()}
        actions = {self._actions[h.detector.category] for hits in order.values() for h in hits}
        action = strongest(list(actions))
        decision, park = {"drop": "drop", "flag": "keep"}.get(action, "redact"), ""
        spans = order
        if decision == "redact":
            spans = {path: self._replaced(hits) for path, hits in order.items()}
            spans = {path: hits for path, hits in spans.items() if hits}
            taken = names_in(text for _, text in row_strings(row))
            changed = redacted(row, spans, Placeholders(self._actions, self._key(), taken))
            if changed is None:
                decision, park = "park", BREAKS_CODE
            else:
                out.kept[-1] = base + len(out.changed)
                out.changed.append(changed)
            spans = {path: [*spans.get(path, ()), *self._flagged(hits)] for path, hits in order.items()}
        if decision in ("drop", "park"):
            out.kept.pop()
        out.verdicts.append(self._verdict(row, decision, park, action, spans))
        out.findings += self._findings(row, order)

    def _ordered(self, hits: Sequence[Hit]) -> list[Hit]:
        return sorted(set(hits), key=lambda h: (h.start, -h.end, self._rank[h.detector.rule], h.value))

    def _replaced(self, hits: Sequence[Hit]) -> list[Hit]:
        goes = [hit for hit in hits if self._actions[hit.detector.category] != "flag"]
        return merged(goes, {hit.detector: self._rank[hit.detector.rule] for hit in goes})

    def _flagged(self, hits: Sequence[Hit]) -> list[Hit]:
        return [hit for hit in hits if self._actions[hit.detector.category] == "flag"]

    def _verdict(
        self,
        row: Mapping[str, Any],
        decision: str,
        park: str,
        action: Action,
        spans: Mapping[str, Sequence[Hit]],
    ) -> Verdict:
        hits = [(path, hit) for path, found in spans.items() for hit in found]
        decisive = [h.detector.rule for _, h in hits if self._actions[h.detector.category] == action]
        rules = {hit.detector.rule for _, hit in hits}
        found = [Span(h.detector.category, h.detector.detector, path, h.start, h.end) for path, h in hits]
        return Verdict(
            row["row_id"],
            row["source"],
            decision,
            park or next(iter(decisive), next(iter(sorted(rules)))),
            rules=tuple(sorted(rules)),
            spans=tuple(found),
            fingerprint=self._evidence({(hit.detector.category, hit.value) for _, hit in hits}),
        )

    def _findings(self, row: Mapping[str, Any], order: Mapping[str, Sequence[Hit]]) -> list[dict[str, Any]]:
        key = self._key()
        return [
            {
                "row_id": row["row_id"],
                "source": row["source"],
                "category": hit.detector.category,
                "detector": hit.detector.detector,
                "confidence": hit.detector.confidence,
                "path": path,
                "start": hit.start,
                "end": hit.end,
                "occurrence": occurrence,
                "fingerprint": fingerprint(key, hit.detector.category, hit.value) if key else None,
                "action": self._actions[hit.detector.category],
            }
            for path, hits in order.items()
            for occurrence, hit in _numbered(hits)
        ]

    def _key(self) -> bytes | None:
        key = self.config.fingerprint_key
        return key.get_secret_value().encode() if key else None

    def _evidence(self, found: set[tuple[str, str]]) -> str | None:
        """HMAC-SHA256 over the distinct (category, value) pairs found, sorted."""
        key = self._key()
        if key is None:
            return None
        return hmac.new(key, canonical(sorted(found)), hashlib.sha256).hexdigest()

    def _side(self, batch: pa.RecordBatch, kept: pa.RecordBatch, out: _Outcome) -> dict[str, pa.RecordBatch]:
        side = {"findings": pa.RecordBatch.from_pylist(out.findings, schema=_FINDINGS)}
        if self.tokens is None:
            return side
        before, after = self.tokens.count(batch), self.tokens.count(kept)
        taken = batch.column("row_id").to_pylist()
        given = dict(zip(kept.column("row_id").to_pylist(), after, strict=True))
        columns = [
            batch.column("row_id"),
            pa.array(before, pa.int64()),
            pa.array([given.get(row, 0) for row in taken], pa.int64()),
        ]
        return {**side, "row_tokens": pa.RecordBatch.from_arrays(columns, schema=ROW_TOKENS)}


def _numbered(hits: Sequence[Hit]) -> Iterator[tuple[int, Hit]]:
    """Hits with their number among those of one detector at one place: several values in one base64 text."""
    seen: Counter[tuple[int, int, str]] = Counter()
    for hit in hits:
        place = (hit.start, hit.end, hit.detector.rule)
        yield seen[place], hit
        seen[place] += 1
