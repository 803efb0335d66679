"""What a server does wrong has one outcome in both protocols, and a call is sent again only where that may help."""

import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from model_clients import ask, client, texts
from model_servers import Act, ModelServer, Plan

from winnow.models.reply import CallFailure, ModelReply


def first(*acts: Act) -> Plan:
    """These in turn, then an answer."""
    return lambda prompt, before: acts[before] if before < len(acts) else Act()


def always(act: Act) -> Plan:
    return lambda prompt, before: act


PASSING = ["rate", "server", "cut", "silence", "no json", "no reply"]
LASTING = {
    "rate": ("rate_limit", "concurrency"),
    "server": ("server", "attempts"),
    "cut": ("connection", "attempts"),
    "silence": ("connection", "attempts"),
    "no json": ("malformed", "base_url"),
    "no reply": ("malformed", "base_url"),
}
REFUSED = {
    "key": ("key", "api_key_env"),
    "forbidden": ("forbidden", "model"),
    "model": ("model", "base_url"),
    "context": ("context", "max_tokens"),
    "request": ("request", "sampling"),
    "quota": ("credit", "top it up"),
    "redirect": ("redirect", "base_url"),
    "echo": ("request", "sampling"),
}


@pytest.mark.parametrize("fault", PASSING)
def test_a_passing_fault_is_tried_again(tmp_path: Path, protocol: str, fault: str) -> None:
    with ModelServer(first(Act(fault))) as server:
        reply = client(server, protocol, tmp_path).complete(ask("hi"), "test")
    assert isinstance(reply, ModelReply)
    assert (reply.text, reply.attempts, len(server.seen)) == ("you said hi", 2, 2)


@pytest.mark.parametrize("fault", LASTING)
def test_a_lasting_fault_ends_after_the_attempts_allowed(tmp_path: Path, protocol: str, fault: str) -> None:
    reason, setting = LASTING[fault]
    with ModelServer(always(Act(fault))) as server:
        failure = client(server, protocol, tmp_path).complete(ask("hi"), "test")
    assert isinstance(failure, CallFailure)
    assert (failure.reason, failure.attempts, len(server.seen)) == (reason, 3, 3)
    assert f"`{setting}`" in failure.message


@pytest.mark.parametrize("fault", REFUSED)
def test_a_refusal_is_not_sent_again(tmp_path: Path, protocol: str, fault: str) -> None:
    reason, remedy = REFUSED[fault]
    with ModelServer(always(Act(fault))) as server:
        failure = client(server, protocol, tmp_path).complete(ask("hi"), "test")
    assert isinstance(failure, CallFailure)
    assert (failure.reason, failure.attempts, len(server.seen)) == (reason, 1, 1)
    assert remedy in failure.message


def test_a_request_that_fails_costs_no_other_its_reply(tmp_path: Path, protocol: str) -> None:
    def plan(prompt: str, before: int) -> Act:
        return Act({"b": "context", "d": "request", "e": "server"}.get(prompt, "answer"))

    with ModelServer(plan) as server:
        outcomes = client(server, protocol, tmp_path).complete_many(map(ask, "abcdef"), "test")
        assert texts(outcomes) == [
            "you said a",
            "<context>",
            "you said c",
            "<request>",
            "<server>",
            "you said f",
        ]
    assert outcomes.tally.failed == {"context": 1, "request": 1, "server": 1}


@pytest.mark.parametrize("fault", ["key", "model", "quota", "redirect"])
def test_what_would_fail_alike_is_not_sent(tmp_path: Path, protocol: str, fault: str) -> None:
    with ModelServer(always(Act(fault))) as server:
        outcomes = client(server, protocol, tmp_path, concurrency=1).complete_many(map(ask, "abcdef"), "test")
        assert texts(outcomes) == [f"<{REFUSED[fault][0]}>"] * 6
    assert len(server.seen) == 1


def test_a_slow_answer_is_given_up_as_a_whole(tmp_path: Path, protocol: str) -> None:
    """Also where each byte comes in time."""
    with ModelServer(first(Act("answer", seconds=1.5), Act("drip", seconds=1.5))) as server:
        started = time.monotonic()
        reply = client(server, protocol, tmp_path, timeout_seconds=0.5).complete(ask("hi"), "test")
        taken = time.monotonic() - started
    assert isinstance(reply, ModelReply), reply
    assert reply.attempts == 3
    assert 1.0 <= taken < 2.5


def test_no_answer_in_time_names_the_setting(tmp_path: Path, protocol: str) -> None:
    with ModelServer(always(Act("answer", seconds=0.4))) as server:
        failure = client(server, protocol, tmp_path, timeout_seconds=0.1).complete(ask("hi"), "test")
    assert isinstance(failure, CallFailure)
    assert failure.reason == "timeout"
    assert "`timeout_seconds`" in failure.message


@pytest.mark.parametrize("header", ["seconds", "date", "milliseconds"])
def test_the_wait_that_the_server_asks_for_is_kept(tmp_path: Path, protocol: str, header: str) -> None:
    headers = {
        "seconds": lambda: {"retry-after": "1"},
        "date": lambda: {"retry-after": formatdate(time.time() + 2, usegmt=True)},
        "milliseconds": lambda: {"retry-after-ms": "900"},
    }[header]

    def plan(prompt: str, before: int) -> Act:
        return Act("rate", headers()) if before == 0 else Act()

    with ModelServer(plan) as server:
        assert texts([client(server, protocol, tmp_path).complete(ask("hi"), "test")]) == ["you said hi"]
    waited = server.seen[1].at - server.seen[0].at
    assert 0.85 <= waited < 4


def test_one_that_asks_to_wait_holds_the_others_back(tmp_path: Path, protocol: str) -> None:
    def plan(prompt: str, before: int) -> Act:
        return Act("rate", {"retry-after": "1"}) if prompt == "a" and before == 0 else Act(seconds=0.05)

    with ModelServer(plan) as server:
        outcomes = client(server, protocol, tmp_path, concurrency=1).complete_many(map(ask, "abc"), "test")
        assert texts(outcomes) == ["you said a", "you said b", "you said c"]
    assert all(seen.at - server.seen[0].at >= 0.95 for seen in server.seen[1:])


def test_a_wait_that_is_too_long_is_not_waited(tmp_path: Path, protocol: str) -> None:
    with ModelServer(always(Act("rate", {"retry-after": "3600"}))) as server:
        failure = client(server, protocol, tmp_path).complete(ask("hi"), "test")
    assert isinstance(failure, CallFailure)
    assert (failure.reason, len(server.seen)) == ("rate_limit", 1)
    assert "3600 s" in failure.message
    assert "`longest_wait_seconds`" in failure.message


def test_a_server_that_is_not_there(tmp_path: Path, protocol: str) -> None:
    with ModelServer() as server:
        pass
    asked = client(server, protocol, tmp_path)
    failure = asked.complete(ask("hi"), "test")
    assert isinstance(failure, CallFailure)
    assert (failure.reason, failure.attempts) == ("connection", 3)
    assert "`base_url`" in failure.message
    assert asked.budget.at_risk == 0, "nothing was sent"


def test_a_redirect_is_not_followed(tmp_path: Path, protocol: str) -> None:
    """Prompts and keys go to the address of the configuration and nowhere else."""
    with ModelServer() as other, ModelServer(always(Act("redirect", {"location": other.root}))) as server:
        client(server, protocol, tmp_path).complete(ask("hi"), "test")
    assert other.seen == []


def test_the_environment_does_not_move_the_address(
    tmp_path: Path, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as elsewhere, ModelServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", elsewhere.root)
        monkeypatch.setenv("OPENAI_BASE_URL", elsewhere.root)
        client(server, protocol, tmp_path).complete(ask("hi"), "test")
    assert (len(server.seen), len(elsewhere.seen)) == (1, 0)


TOOLS = '[{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]'
TALK: list[dict[str, Any]] = [
    {"role": "system", "content": "be brief"},
    {"role": "user", "content": "look twice"},
    {
        "role": "assistant",
        "content": None,
        "reasoning": "private",
        "tool_calls": [
            {"id": "a", "name": "look", "arguments": '{"at": 1}'},
            {"id": "b", "name": "look", "arguments": '{"at": 2}'},
        ],
    },
    {"role": "tool", "content": "one", "tool_call_id": "a"},
    {"role": "tool", "content": "two", "tool_call_id": "b"},
    {"role": "user", "content": "again"},
]


def test_what_is_asked_arrives_and_what_is_said_comes_back(tmp_path: Path, protocol: str) -> None:
    request = ask(
        "x", tools=TOOLS, sampling={"max_tokens": 7, "temperature": 0.5, "top_p": 0.9, "stop": ["END"]}
    )
    request = type(request).model_validate({**request.model_dump(), "messages": TALK})
    with ModelServer() as server:
        reply = client(server, protocol, tmp_path).complete(request, "test")
    assert isinstance(reply, ModelReply)
    body = server.seen[0].body
    assert (body["model"], body["max_tokens"], body["temperature"], body["top_p"]) == ("m-1", 7, 0.5, 0.9)
    assert "private" not in str(body)
    if protocol == "anthropic":
        assert body["system"] == "be brief"
        assert body["stop_sequences"] == ["END"]
        assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
        assert [b["type"] for b in body["messages"][2]["content"]] == ["tool_result", "tool_result", "text"]
        assert body["messages"][1]["content"][1]["input"] == {"at": 2}
    else:
        assert [turn["role"] for turn in body["messages"]] == [turn["role"] for turn in TALK]
        assert body["stop"] == ["END"]
        assert body["messages"][2]["tool_calls"][1]["function"]["arguments"] == '{"at": 2}'
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("you said again", "hm", "tool_calls")
    assert [(c.name, c.arguments) for c in reply.tool_calls] == [("look", '{"at": "again"}')]
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_cached) == (3, 3, 2)
    assert reply.dollars == pytest.approx((1 * 1.0 + 2 * 0.5 + 3 * 2.0) / 1e6)


def test_logprobs_and_seed_where_there_are(tmp_path: Path) -> None:
    request = ask("hi", logprobs=1, sampling={"max_tokens": 5, "seed": 3})
    with ModelServer() as server:
        reply = client(server, "openai", tmp_path / "o").complete(request, "test")
        refused = client(server, "anthropic", tmp_path / "a").complete(request, "test")
        other = client(server, "anthropic", tmp_path / "a").complete(ask("hi", logprobs=1), "test")
    assert isinstance(reply, ModelReply)
    assert reply.logprobs is not None
    assert next((t.token, t.logprob, t.alternatives) for t in reply.logprobs) == ("you", -0.5, (("x", -1.5),))
    assert server.seen[0].body["seed"] == 3
    assert len(server.seen) == 1
    for failure, field in ((refused, "seed"), (other, "logprobs")):
        assert isinstance(failure, CallFailure)
        assert failure.reason == "unsupported"
        assert field in failure.message


def test_the_limit_is_called_as_the_server_knows_it(tmp_path: Path) -> None:
    with ModelServer() as server:
        client(server, "openai", tmp_path, max_tokens_field="max_completion_tokens").complete(
            ask("hi"), "test"
        )
    assert server.seen[0].body["max_completion_tokens"] == 10
    assert "max_tokens" not in server.seen[0].body
