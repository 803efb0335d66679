"""kill -9 in the middle of 200 paid calls: no answer that arrived is paid for again, and the totals are equal."""

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from model_clients import KEY, KEY_ENV, PRICE, calls
from model_servers import Act, ModelServer

from winnow.lake.answers import FOLDER
from winnow.lake.lake import Lake
from winnow.lake.settings import LakeSettings
from winnow.models.prices import Price

SUPPORT = Path(__file__).parents[2] / "support"
CALLS, SLOTS, KILLED_AT = 200, 8, 90
ANSWER = Price.model_validate(PRICE).dollars(4, 4, 2)
"""Of `question n`, answered by `you said question n`; the servers say that two more tokens were cached."""


def start(env: dict[str, str], server: ModelServer, protocol: str) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        str(SUPPORT / "paying_run.py"),
        server.base_url(protocol),
        protocol,
        str(CALLS),
    ]
    path = os.pathsep.join([str(SUPPORT), str(SUPPORT.parents[1])])
    environment = {**os.environ, **env, KEY_ENV: KEY, "PYTHONPATH": path}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def finish(env: dict[str, str], server: ModelServer, protocol: str) -> list[str]:
    """The hashes that a run handed on, and its summary."""
    with start(env, server, protocol) as run:
        out, _ = run.communicate(timeout=120)
    assert run.returncode == 0
    return out.splitlines()


def kill_in_the_middle(env: dict[str, str], server: ModelServer, protocol: str) -> list[str]:
    """The hashes that the run had handed on by then."""
    with start(env, server, protocol) as run:
        deadline = time.monotonic() + 60
        while sum(server.bills.values()) < KILLED_AT and time.monotonic() < deadline:
            time.sleep(0.005)
        run.kill()
        out, _ = run.communicate(timeout=60)
    while server.in_flight:  # what was under way is answered into nothing, and billed
        time.sleep(0.01)
    assert run.returncode == -9
    handed = out.splitlines()
    return handed if out.endswith("\n") else handed[:-1]


def stored(lake: Lake, suffix: str) -> set[str]:
    names = [entry.path.rpartition("/")[2] for entry in lake.zone("restricted").list(FOLDER)]
    return {name.removesuffix(suffix) for name in names if name.endswith(suffix)}


@pytest.mark.parametrize(("protocol", "honours_keys"), [("anthropic", True), ("openai", False)])
def test_no_call_is_paid_twice(lake_env: dict[str, str], protocol: str, honours_keys: bool) -> None:
    """Where the server knows idempotency keys, not even what was under way at the kill is."""
    lake = Lake.open(LakeSettings.from_env(lake_env))
    with ModelServer(lambda prompt, before: Act(seconds=0.05), honours_keys) as server:
        handed = kill_in_the_middle(lake_env, server, protocol)
        kept, asked = stored(lake, ".json"), stored(lake, ".sent")
        billed_before = Counter(server.bills)
        sent_before = len(server.seen)
        assert set(handed) <= kept, "an answer was handed on that is not stored"
        assert len(kept) < CALLS
        *again, summary = finish(lake_env, server, protocol)
    resent = [seen.idempotency_key for seen in server.seen[sent_before:]]
    assert kept.isdisjoint(resent), "a stored answer was asked for again"
    assert len(again) == len(set(resent) | kept) == CALLS
    twice = {name for name, times in server.bills.items() if times > 1}
    under_way = set(billed_before) - kept
    assert twice == (set() if honours_keys else under_way)
    assert under_way <= asked, "a call was sent without a note of it"
    assert len(under_way) <= SLOTS
    assert stored(lake, ".sent") <= kept, "a kill between answer and note leaves the note, which says nothing"
    assert f"{len(kept)} from the cache" in summary
    rows = [row for row in calls(lake) if not row["cache_hit"]]
    assert under_way <= {row["request_hash"] for row in rows if row["resent"]} <= asked
    assert len(rows) == len({row["request_hash"] for row in rows}) == CALLS
    assert [sum(row[name] for row in rows) for name in ("tokens_in", "tokens_out")] == [4 * CALLS, 4 * CALLS]
    assert sum(row["dollars"] for row in rows) == pytest.approx(CALLS * ANSWER)
