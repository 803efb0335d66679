"""A rerun is free, whatever differs is another call, and no answer is handed on before it is stored."""

import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from model_clients import ask, asks, calls, client, config, texts
from model_servers import Act, ModelServer
from small_lake import lake_in

from winnow.core.errors import DataError, RunError
from winnow.lake.answers import CallLedger, StoredAnswers
from winnow.lake.lake import Lake
from winnow.models.answer_cache import AnswerCache, Kept
from winnow.models.answer_store import NoLedger
from winnow.models.call_log import CallLog
from winnow.models.client import ModelClient
from winnow.models.reply import ModelReply, TokenLogprob
from winnow.models.request import ModelRequest


def test_a_rerun_is_free_and_says_the_same(lake: Lake, protocol: str) -> None:
    with ModelServer() as server:
        runs = [client(server, protocol, lake).complete_many(asks(12), "test") for _ in range(2)]
        first, second = ([o for o in run if isinstance(o, ModelReply)] for run in runs)
    assert len(server.seen) == 12
    assert (
        [r.text for r in first] == [r.text for r in second] == [f"you said question {n}" for n in range(12)]
    )
    assert all(r.cache_hit and r.dollars == 0 for r in second)
    assert (runs[1].tally.answered, runs[1].tally.from_cache) == (0, 12)
    rows = calls(lake)
    assert sum(row["cache_hit"] for row in rows) == 12
    assert sum(row["dollars"] for row in rows) == pytest.approx(sum(r.dollars for r in first))
    assert len({row["request_hash"] for row in rows}) == 12


BASE = {"messages": [{"role": "user", "content": "hi"}]}
OTHERS: dict[str, dict[str, Any]] = {
    "text": {"messages": [{"role": "user", "content": "hi "}]},
    "role": {"messages": [{"role": "assistant", "content": "hi"}]},
    "reasoning": {"messages": [{"role": "user", "content": "hi", "reasoning": "r"}]},
    "turns": {"messages": [{"role": "user", "content": "hi"}, {"role": "user", "content": ""}]},
    "tools": {"tools": '[{"name": "f"}]'},
    "no tools": {"tools": "[]"},
    "length": {"sampling": {"max_tokens": 2}},
    "temperature": {"sampling": {"temperature": 0.0}},
    "top_p": {"sampling": {"top_p": 0.5}},
    "stop": {"sampling": {"stop": ["a"]}},
    "seed": {"sampling": {"seed": 0}},
    "logprobs": {"logprobs": 0},
    "sample": {"sample": 1},
}


def test_whatever_differs_is_another_call(tmp_path: Path, protocol: str) -> None:
    requests = [ModelRequest.model_validate(BASE | other) for other in ({}, *OTHERS.values())]
    with ModelServer() as server, ModelServer() as twin:
        clients = [
            client(server, protocol, tmp_path),
            client(server, protocol, tmp_path, model=f"{protocol}/m-2"),
            client(twin, protocol, tmp_path),
        ]
    names = {asked._cache.name(request) for asked in clients for request in requests}
    assert len(names) == len(clients) * len(requests)


def test_settings_that_change_no_answer_are_no_other_call(
    tmp_path: Path, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = ask("hi")
    with ModelServer() as server:
        one = client(server, protocol, tmp_path)
        monkeypatch.setenv("OTHER_KEY", "another key")
        other = client(
            server,
            protocol,
            tmp_path,
            concurrency=1,
            timeout_seconds=1.0,
            attempts=1,
            api_key_env="OTHER_KEY",
        )
    assert one._cache.name(request) == other._cache.name(request)


def test_samples_of_one_prompt_are_so_many_calls(tmp_path: Path, protocol: str) -> None:
    requests = [ask("hi", sample=n) for n in range(5)]
    with ModelServer() as server:
        list(client(server, protocol, tmp_path).complete_many(requests, "test"))
        list(client(server, protocol, tmp_path).complete_many(requests, "test"))
    assert len(server.seen) == 5
    assert len({seen.idempotency_key for seen in server.seen}) == 5


def test_equal_requests_of_one_run_are_one_call(tmp_path: Path, protocol: str) -> None:
    with ModelServer(lambda prompt, before: Act(seconds=0.1)) as server:
        run = client(server, protocol, tmp_path).complete_many([ask("hi")] * 10, "test")
        assert texts(run) == ["you said hi"] * 10
    assert len(server.seen) == 1
    assert (run.tally.answered, run.tally.from_cache) == (1, 9)


def test_a_log_probability_that_is_no_finite_number_is_read_again(lake: Lake) -> None:
    """A server gives -Infinity for a token that could not come; what was paid for must not be lost by it."""
    cache = AnswerCache(StoredAnswers(lake), {"model": "m"})
    reply = ModelReply(
        text="a",
        finish_reason="stop",
        model="m",
        tokens_in=1,
        tokens_out=1,
        tokens_cached=None,
        logprobs=(TokenLogprob(token="a", logprob=-0.5, alternatives=(("b", float("-inf")),)),),
        latency_seconds=0.1,
        dollars=0.0,
        request_hash=cache.name(ask("hi")),
    )
    record = CallLog(NoLedger(), "openai", "m", "test").paid(reply, datetime.now(UTC))
    cache.keep(Kept(reply=reply, call=record))
    found = cache.find(reply.request_hash)
    assert found is not None
    assert found.reply == reply


class Watched:
    """A store that says what is in it at any moment, and that can fail."""

    def __init__(self, inner: StoredAnswers, fails: bool = False) -> None:
        self._inner, self.fails, self.names = inner, fails, set[str]()

    @property
    def secret(self) -> bytes:
        return self._inner.secret

    def get(self, name: str) -> bytes | None:
        return self._inner.get(name)

    def put_if_absent(self, name: str, data: bytes) -> bool:
        if self.fails and name.endswith(".json"):
            raise RunError("the disk is full")
        stored = self._inner.put_if_absent(name, data)
        self.names.add(name)
        return stored

    def remove(self, name: str) -> None:
        self._inner.remove(name)


def test_an_answer_is_stored_before_it_is_handed_on(tmp_path: Path, protocol: str) -> None:
    lake = lake_in(tmp_path)
    store = Watched(StoredAnswers(lake))
    with ModelServer() as server:
        for outcome in ModelClient(config(server, protocol), store).complete_many(asks(30), "test"):
            assert f"{outcome.request_hash}.json" in store.names
    assert not [e.path for e in lake.zone("restricted").list("answers") if e.path.endswith(".sent")]


def test_a_store_that_fails_ends_the_run_and_no_more_is_paid(tmp_path: Path, protocol: str) -> None:
    store = Watched(StoredAnswers(lake_in(tmp_path)), fails=True)
    with ModelServer() as server:
        asked = ModelClient(config(server, protocol, concurrency=2), store)
        with pytest.raises(RunError, match="disk is full"):
            list(asked.complete_many(asks(200), "test"))
    assert len(server.seen) < 200


def test_a_stored_answer_that_was_altered_is_told(tmp_path: Path, protocol: str) -> None:
    with ModelServer() as server:
        reply = client(server, protocol, tmp_path).complete(ask("hi"), "test")
        (path,) = (tmp_path / "lake_raw" / "answers").rglob(f"{reply.request_hash}.json")
        path.write_text(path.read_text().replace('"text"', '"txt"'))
        with pytest.raises(DataError, match=f"{reply.request_hash} cannot be read. Remove it"):
            client(server, protocol, tmp_path).complete(ask("hi"), "test")


def test_leaving_early_keeps_what_is_under_way(tmp_path: Path, protocol: str) -> None:
    with ModelServer(lambda prompt, before: Act(seconds=0.2)) as server:
        asked = client(server, protocol, tmp_path, concurrency=4)
        run = asked.complete_many(asks(60), "test")
        next(run)
        run.close()
        sent = len(server.seen)
        assert sent < 60
        assert len(list((tmp_path / "lake_raw" / "answers").rglob("*.json"))) == sent
        assert len(calls(tmp_path)) == sent
        list(client(server, protocol, tmp_path).complete_many(asks(60), "test"))
    assert len(server.seen) == 60


def test_no_more_calls_at_once_than_allowed(tmp_path: Path, protocol: str) -> None:
    with ModelServer(lambda prompt, before: Act(seconds=0.05)) as server:
        list(client(server, protocol, tmp_path, concurrency=5).complete_many(asks(40), "test"))
    assert server.most_in_flight == 5


def test_outcomes_come_while_later_ones_are_under_way(tmp_path: Path, protocol: str) -> None:
    go = threading.Event()

    def plan(prompt: str, before: int) -> Act:
        if prompt == "question 3":
            go.wait(20)
        return Act()

    with ModelServer(plan) as server:
        run = client(server, protocol, tmp_path, concurrency=4).complete_many(asks(6), "test")
        first = [next(run), next(run), next(run)]
        go.set()
        assert texts([*first, *run]) == [f"you said question {n}" for n in range(6)]


def test_requests_are_taken_as_they_are_needed(tmp_path: Path, protocol: str) -> None:
    taken = []

    def source() -> Any:
        for n in range(100_000):
            taken.append(n)
            yield ask(f"question {n}")

    with ModelServer() as server:
        run = client(server, protocol, tmp_path, concurrency=2).complete_many(source(), "test")
        next(run)
        run.close()
    assert len(taken) <= 66


def test_two_processes_that_ask_the_same_end_with_one_answer(tmp_path: Path, protocol: str) -> None:
    """The first to store an answer keeps it; the other's call was paid too and is recorded."""
    lake = lake_in(tmp_path)
    met = threading.Barrier(2)

    def plan(prompt: str, before: int) -> Act:
        met.wait(20)
        return Act()

    replies: list[Any] = []
    with ModelServer(plan) as server:
        clients = [
            ModelClient(config(server, protocol), StoredAnswers(lake), CallLedger(lake)) for _ in range(2)
        ]
        threads = [
            threading.Thread(target=lambda c=c: replies.append(c.complete(ask("hi"), "test")))
            for c in clients
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert replies[0].text == replies[1].text == "you said hi"
    assert sorted(row["resent"] for row in calls(lake)) == [False, True]
