from pathlib import Path

import pytest
import yaml
from model_clients import KEY_ENV, ask, asks, calls, client, texts
from model_servers import Act, ModelServer
from small_lake import lake_in

from winnow.core.errors import ConfigError
from winnow.lake.answers import CallLedger, StoredAnswers
from winnow.models.client import ModelClient
from winnow.models.reply import ModelReply


def test_a_file_is_enough(tmp_path: Path, protocol: str) -> None:
    lake = lake_in(tmp_path)
    with ModelServer() as server:
        settings = {
            "model": f"{protocol}/m",
            "base_url": server.base_url(protocol),
            "api_key_env": KEY_ENV,
            "price": {"input": 1.0, "output": 5.0},
            "budget": {"dollars": 0.5},
        }
        (tmp_path / "judge.yaml").write_text(yaml.safe_dump(settings))
        asked = ModelClient.from_yaml(tmp_path / "judge.yaml", StoredAnswers(lake), CallLedger(lake))
        reply = asked.complete(ask("hi"), "judge")
    assert isinstance(reply, ModelReply)
    assert (reply.text, reply.finish_reason, reply.model) == ("you said hi", "stop", "m")


def test_each_call_is_a_row_of_what_it_was(tmp_path: Path, protocol: str) -> None:
    def plan(prompt: str, before: int) -> Act:
        return Act(
            {"b": "context", "c": "cut"}.get(prompt, "answer") if before == 0 or prompt == "b" else "answer"
        )

    with ModelServer(plan) as server:
        for purpose in ("judge", "teach"):
            list(client(server, protocol, tmp_path).complete_many(map(ask, "abc"), purpose))
    rows = {(row["purpose"], row["cache_hit"], row["failure"], row["attempts"]) for row in calls(tmp_path)}
    assert rows == {
        ("judge", False, None, 1),
        ("judge", False, None, 2),
        ("judge", False, "context", 1),
        ("teach", True, None, 0),
        ("teach", False, "context", 1),
    }
    retried = next(row for row in calls(tmp_path) if row["attempts"] == 2)
    assert retried["dollars_at_risk"] > retried["dollars"] > 0
    assert retried["latency_seconds"] > 0
    assert {(row["provider"], row["model"]) for row in calls(tmp_path)} == {(protocol, "m-1")}


def test_the_summary_says_what_is_done(tmp_path: Path, protocol: str) -> None:
    with ModelServer(lambda prompt, before: Act("request" if prompt == "question 1" else "answer")) as server:
        list(client(server, protocol, tmp_path).complete_many(asks(3), "test"))
        run = client(server, protocol, tmp_path).complete_many(asks(5), "test")
        texts(run)
    cost = f"{run.tally.dollars:.4f}"
    assert run.summary() == f"2 answered for ${cost}, 2 from the cache, 1 failed (request)"


def test_a_call_needs_a_purpose(tmp_path: Path, protocol: str) -> None:
    with ModelServer() as server, pytest.raises(ConfigError, match="needs a purpose"):
        client(server, protocol, tmp_path).complete_many(asks(1), " ")


def test_no_requests_no_calls(tmp_path: Path, protocol: str) -> None:
    with ModelServer() as server:
        run = client(server, protocol, tmp_path).complete_many([], "test")
        assert list(run) == []
    assert run.summary() == "0 answered for $0.0000, 0 from the cache"
    assert calls(tmp_path) == []
