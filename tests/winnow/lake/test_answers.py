from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_lake import lake_in

from schemas.model_calls import MODEL_CALLS
from winnow.core.errors import DataError
from winnow.lake.answers import FOLDER, CallLedger, StoredAnswers
from winnow.lake.lake import Lake
from winnow.lake.sweep import sweep

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Call:
    """A record as winnow.models makes it."""

    values: dict[str, Any]

    def model_dump(self) -> dict[str, Any]:
        return dict(self.values)


def call(call_id: str, called_at: datetime = NOON, **values: Any) -> Call:
    row = {
        "call_id": call_id,
        "called_at": called_at,
        "provider": "openai",
        "model": "m",
        "purpose": "test",
        "request_hash": "h",
        "tokens_in": 3,
        "tokens_out": 2,
        "tokens_cached": None,
        "dollars": 0.5,
        "dollars_at_risk": 0.0,
        "latency_seconds": 1.5,
        "attempts": 1,
        "cache_hit": False,
        "resent": False,
        "finish_reason": "stop",
        "failure": None,
    }
    return Call({**row, **values})


def recorded(lake: Lake) -> list[dict[str, Any]]:
    return [row for batch in lake.scan("model_calls") for row in batch.to_pylist()]


def test_the_first_to_store_an_object_keeps_it(lake: Lake) -> None:
    stores = [StoredAnswers(lake) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        stored = list(pool.map(lambda n: stores[n].put_if_absent("ab01.json", str(n).encode()), range(6)))
    assert sum(stored) == 1
    assert stores[0].get("ab01.json") == str(stored.index(True)).encode()
    stores[1].remove("ab01.json")
    stores[2].remove("ab01.json")
    assert stores[3].get("ab01.json") is None
    assert stores[4].put_if_absent("ab01.json", b"new")


def test_all_processes_of_a_lake_hash_alike_and_two_lakes_do_not(tmp_path: Path) -> None:
    one, other = lake_in(tmp_path / "a"), lake_in(tmp_path / "b")
    assert StoredAnswers(one).secret == StoredAnswers(one).secret != StoredAnswers(other).secret


def test_answers_are_for_their_owner_only_and_outlive_every_sweep(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    StoredAnswers(lake).put_if_absent("ab01.json", b"paid for")
    assert (tmp_path / "lake_raw").stat().st_mode & 0o077 == 0
    sweep(lake, grace=timedelta(0))
    assert StoredAnswers(lake).get("ab01.json") == b"paid for"
    assert not list((tmp_path / "lake").rglob(f"*{FOLDER}*"))


def test_a_record_lies_in_the_partition_of_its_utc_day(lake: Lake) -> None:
    CallLedger(lake).record([call("a"), call("b", NOON + timedelta(hours=13))])
    assert [(row["call_id"], row["day"]) for row in recorded(lake)] == [
        ("a", "2026-03-01"),
        ("b", "2026-03-02"),
    ]


def test_a_record_that_is_there_changes_nothing(lake: Lake) -> None:
    ledger = CallLedger(lake)
    ledger.record([call("a"), call("b")])
    version = lake.head("model_calls").version
    ledger.record([call("a"), call("a")])
    assert lake.head("model_calls").version == version
    assert len(recorded(lake)) == 2


def test_many_runs_at_once_lose_no_record(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: CallLedger(lake).record([call(f"{n}-{k}") for k in range(3)]), range(6)))
    assert {row["call_id"] for row in recorded(lake)} == {f"{n}-{k}" for n in range(6) for k in range(3)}


@pytest.mark.parametrize(
    ("values", "invariant"),
    [
        ({"finish_reason": None}, "a call has a reply or a failure"),
        ({"failure": "key"}, "a call has a reply or a failure"),
        ({"cache_hit": True}, "a call from the cache costs nothing"),
        ({"dollars": -1.0}, "nothing costs less than nothing"),
    ],
)
def test_a_record_that_cannot_be_is_refused(tmp_path: Path, values: dict[str, Any], invariant: str) -> None:
    with pytest.raises(DataError, match=invariant):
        CallLedger(lake_in(tmp_path)).record([call("a", **values)])


def test_who_when_and_how_much_stay_out_of_the_content() -> None:
    operational = {column.name for column in MODEL_CALLS.columns if column.operational}
    assert {"called_at", "dollars", "latency_seconds", "attempts"} <= operational
    assert MODEL_CALLS.zone == "open"
    assert not {"text", "messages", "prompt", "reply"} & set(MODEL_CALLS.names)
