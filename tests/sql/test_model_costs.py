"""The percentiles that SQL gives are those of numpy, and each request is counted once in its place."""

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_lake import lake_in

from winnow.lake.answers import CallLedger
from winnow.lake.views import connect, question
from winnow.models.answer_store import CallRecord

WHEN = datetime(2026, 3, 1, tzinfo=UTC)
CALL = st.fixed_dictionaries(
    {
        "provider": st.just("openai"),
        "model": st.sampled_from(["m", "n"]),
        "purpose": st.sampled_from(["judge", "teach"]),
        "tokens_in": st.integers(0, 10**6),
        "tokens_out": st.integers(0, 10**5),
        "dollars": st.floats(0, 10),
        "latency_seconds": st.floats(0.001, 100),
        "kind": st.sampled_from(["answered", "answered", "hit", "failed"]),
    }
)


def record(number: int, drawn: dict[str, Any]) -> CallRecord:
    kind = drawn["kind"]
    row = {key: value for key, value in drawn.items() if key != "kind"}
    if kind != "answered":
        row |= {"dollars": 0.0, "latency_seconds": None}
    if kind == "failed":
        row |= {"tokens_in": None, "tokens_out": None}
    return CallRecord(
        call_id=str(number),
        called_at=WHEN,
        request_hash="h",
        tokens_cached=None,
        dollars_at_risk=0.25 if kind == "failed" else 0.0,
        attempts=0 if kind == "hit" else 1,
        cache_hit=kind == "hit",
        resent=False,
        finish_reason=None if kind == "failed" else "stop",
        failure="server" if kind == "failed" else None,
        **row,
    )


def asked(records: list[CallRecord]) -> dict[tuple[str, str], dict[str, Any]]:
    with tempfile.TemporaryDirectory() as root:
        lake = lake_in(Path(root))
        CallLedger(lake).record(records)
        with connect(lake) as sql:
            found = sql.execute(question("model_costs"))
            names = [column[0] for column in found.description]
            rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    return {(row["model"], row["purpose"]): row for row in rows}


@settings(max_examples=12, deadline=None)
@given(st.lists(CALL, min_size=1, max_size=25))
def test_percentiles_are_those_of_numpy(drawn: list[dict[str, Any]]) -> None:
    records = [record(number, one) for number, one in enumerate(drawn)]
    groups: dict[tuple[str, str], list[CallRecord]] = {}
    for one in records:
        groups.setdefault((one.model, one.purpose), []).append(one)
    told = asked(records)
    assert told.keys() == groups.keys()
    for key, members in groups.items():
        answered = [m for m in members if m.failure is None and not m.cache_hit]
        row = told[key]
        assert row["requests"] == len(members)
        assert row["answered"] == len(answered)
        assert row["hit_rate"] == pytest.approx(sum(m.cache_hit for m in members) / len(members))
        assert row["dollars"] == pytest.approx(sum(m.dollars for m in members))
        assert row["dollars_at_risk"] == pytest.approx(sum(m.dollars_at_risk for m in members))
        for name, column in (
            ("latency", "latency_seconds"),
            ("dollars", "dollars"),
            ("tokens_in", "tokens_in"),
            ("tokens_out", "tokens_out"),
        ):
            values = [getattr(m, column) for m in answered]
            for percent in (50, 95):
                expected = float(np.percentile(values, percent)) if values else None
                assert row[f"{name}_p{percent}"] == (
                    None if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-12)
                ), json.dumps([key, name, percent])
