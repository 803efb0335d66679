"""The sanitize stage: every string of every row through the detectors, and what they find replaced."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
from pydantic import Field, SecretStr, field_validator

from winnow.core.config import ConfigModel
from winnow.core.errors import near_miss
from winnow.core.identity import canonical, conversation_hash
from winnow.core.stage import Span, StageOutput, Verdict, verdict_batch
from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.registry import DETECTORS
from winnow.curation.sanitize.scan import Hit, replace, scan
from winnow.curation.text import JSON_STRINGS, map_row_strings, row_strings
from winnow.curation.tokens import ROW_TOKENS, RowTokens
from winnow.models.tokenizer import TokenCounter

_RULES = tuple(detector.rule for detector in DETECTORS)


class SanitizeConfig(ConfigModel):
    """What to look for, and the key under which evidence is fingerprinted."""

    detectors: tuple[str, ...] = Field(default=_RULES, description="Rules to apply, as `category/detector`.")
    fingerprint_key: SecretStr | None = Field(
        default=None, description="Key of the HMAC over what was found; without one there is no fingerprint."
    )

    @field_validator("detectors")
    @classmethod
    def _known(cls, detectors: tuple[str, ...]) -> tuple[str, ...]:
        for rule in detectors:
            if rule not in _RULES:
                known = ", ".join(_RULES)
                raise ValueError(f"No detector is called {rule!r}.{near_miss(rule, _RULES)} Known: {known}")
        return detectors


class SanitizeStage:
    """Replaces what the detectors find by `<CATEGORY>`; no row is dropped.

    A changed row gets the verdict `redact` with the rule of its first hit, spans into the input row, and a
    new content hash. With a token counter, `side` holds `row_tokens`: the tokens of each row before and after.
    """

    name = "sanitize"
    code_version = "2"

    def __init__(self, config: SanitizeConfig | None = None, counter: TokenCounter | None = None) -> None:
        self.config = config or SanitizeConfig()
        self.tokens = RowTokens(counter) if counter else None
        self._rules = tuple(r for r in _RULES if r in self.config.detectors)

    def identity(self) -> Mapping[str, Any]:
        """Rules with their placeholders, and the tokenizer; the fingerprint key leaves no trace."""
        detectors = self._detectors()
        return {
            "rules": [[d.rule, d.placeholder] for d in detectors],
            "tokenizer": self.tokens.counter.hash if self.tokens else None,
        }

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        detectors = self._detectors()
        verdicts: list[Verdict] = []
        changed: list[dict[str, Any]] = []
        order = list(range(batch.num_rows))
        for index, row in enumerate(batch.to_pylist()):
            hits = _scan_row(row, detectors)
            if hits:
                order[index] = batch.num_rows + len(changed)
                changed.append(_redacted(row, hits))
                verdicts.append(self._verdict(row, hits))
        kept = batch
        if changed:
            replaced = pa.RecordBatch.from_pylist(changed, schema=batch.schema)
            both = pa.Table.from_batches([batch, replaced]).take(pa.array(order))
            kept = both.combine_chunks().to_batches()[0]
        return StageOutput(batch.num_rows, kept, verdict_batch(verdicts), self._side(batch, kept))

    def _detectors(self) -> tuple[Detector, ...]:
        return tuple(d for d in DETECTORS if d.rule in self._rules)

    def _verdict(self, row: Mapping[str, Any], hits: Mapping[str, list[Hit]]) -> Verdict:
        spans = [
            Span(hit.detector.category, hit.detector.detector, path, hit.start, hit.end)
            for path, found in hits.items()
            for hit in found
        ]
        rules = [f"{span.category}/{span.detector}" for span in spans]
        return Verdict(
            row["row_id"],
            row["source"],
            "redact",
            rules[0],
            rules=tuple(rules),
            spans=tuple(spans),
            fingerprint=self._fingerprint(row, hits),
        )

    def _fingerprint(self, row: Mapping[str, Any], hits: Mapping[str, list[Hit]]) -> str | None:
        """HMAC-SHA256 over the distinct (category, text) pairs found, sorted."""
        if self.config.fingerprint_key is None:
            return None
        texts = dict(row_strings(row))
        found = {(h.detector.category, texts[path][h.start : h.end]) for path, hs in hits.items() for h in hs}
        key = self.config.fingerprint_key.get_secret_value().encode()
        return hmac.new(key, canonical(sorted(found)), hashlib.sha256).hexdigest()

    def _side(self, batch: pa.RecordBatch, kept: pa.RecordBatch) -> dict[str, pa.RecordBatch]:
        if self.tokens is None:
            return {}
        before, after = self.tokens.count(batch), self.tokens.count(kept)
        columns = [batch.column("row_id"), pa.array(before, pa.int64()), pa.array(after, pa.int64())]
        return {"row_tokens": pa.RecordBatch.from_arrays(columns, schema=ROW_TOKENS)}


def _scan_row(row: Mapping[str, Any], detectors: tuple[Detector, ...]) -> dict[str, list[Hit]]:
    """Hits by path, only of strings that have some, in the order of `row_strings`."""
    found: dict[str, list[Hit]] = {}
    for path, text in row_strings(row):
        if hits := scan(text, detectors, path.rpartition("/")[2] in JSON_STRINGS):
            found[path] = hits
    return found


def _redacted(row: Mapping[str, Any], hits: Mapping[str, list[Hit]]) -> dict[str, Any]:
    changed = map_row_strings(row, lambda path, text: replace(text, hits[path]) if path in hits else text)
    changed["content_hash"] = conversation_hash(changed["messages"], changed["tools"])
    return changed
