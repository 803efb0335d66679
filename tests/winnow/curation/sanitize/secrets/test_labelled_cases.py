"""Labelled rows of scanners' own tests: at most one secret missed, at most one innocent row hit."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from winnow.curation.sanitize.secrets import SECRETS
from winnow.curation.sanitize.views import views

CASES = Path(os.environ.get("WINNOW_CASES") or Path(__file__).parents[6] / "shared" / "cases")


def spans(text: str) -> list[tuple[int, int]]:
    found = {span for detector in SECRETS for span in detector.find(text)}
    for view in views(text):
        found |= {view.back(*span) for detector in SECRETS for span in detector.find(view.text)}
    return sorted(found)


def without(text: str, found: list[tuple[int, int]]) -> str:
    out, at = "", 0
    for start, end in found:
        out += text[at:start] + "\0" if start >= at else ""
        at = max(at, end)
    return out + text[at:]


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    path = CASES / "secrets" / "secrets.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no labelled cases here: {path.name} (set WINNOW_CASES)")
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def test_secrets_are_found_and_nothing_of_them_is_left(rows: list[dict[str, Any]]) -> None:
    positive = [row for row in rows if row["tier"] in ("structured", "context")]
    found = [(row, spans(row["text"])) for row in positive]
    missed = [
        row["id"]
        for row, hits in found
        if not hits or any(value in without(row["text"], hits) for value in row.get("secrets") or [])
    ]
    assert len(positive) >= 50
    assert len(missed) <= 1, missed


def test_innocent_rows_stay(rows: list[dict[str, Any]]) -> None:
    negative = [row for row in rows if row["tier"].startswith("neg-")]
    hit = [row["id"] for row in negative if spans(row["text"])]
    assert len(negative) >= 80
    assert len(hit) <= 1, hit
