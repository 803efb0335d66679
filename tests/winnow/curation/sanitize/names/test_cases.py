import gzip
import json
from pathlib import Path

import pytest

from winnow.curation.sanitize.names import NameFinder

CASES = Path(__file__).parents[6] / "shared" / "cases" / "pii" / "pii.jsonl.gz"
CATEGORIES = {"PERSON": "person", "ADDRESS": "address", "STREET_ADDRESS": "address"}
NEAR = ("GPE", "TITLE")


def test_labelled_persons_and_addresses_are_found_and_little_else() -> None:
    if not CASES.exists():
        pytest.skip(f"{CASES.name} is not on this machine")
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    labels = found = wrong = 0
    for row, hits in zip(rows, NameFinder().find([row["text"] for row in rows]), strict=True):
        named = [e for e in row["entities"] if e["type"] in CATEGORIES]
        labels += len(named)
        for e in named:
            same = [h for h in hits if h.category == CATEGORIES[e["type"]]]
            shared = sum(max(0, min(e["end"], h.end) - max(e["start"], h.start)) for h in same)
            found += 2 * shared >= e["end"] - e["start"]
        for h in hits:
            near = [e for e in row["entities"] if e["type"] in CATEGORIES or e["type"] in NEAR]
            wrong += not any(e["start"] < h.end and h.start < e["end"] for e in near)
    assert labels > 20
    assert found / labels >= 0.9
    assert wrong <= 1
