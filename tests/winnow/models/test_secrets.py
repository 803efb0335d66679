"""The key is read from the environment and turns up nowhere else; prompts turn up in no log."""

import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

import pytest
from model_clients import KEY, KEY_ENV, ask, client, config
from model_servers import Act, ModelServer

from winnow.core.errors import ConfigError, RunError
from winnow.models.answer_store import NoLedger
from winnow.models.call_log import CallLog
from winnow.models.client import ModelClient
from winnow.models.reply import CallFailure, ModelReply

PROMPT = "planted prompt 71c0ffee"


def everything_in(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize(
    "kind", ["echo", "echo reply", "key", "server", "cut", "redirect", "no json", "answer"]
)
def test_the_key_is_nowhere(
    tmp_path: Path,
    protocol: str,
    kind: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where a server repeats the Authorization header in an error or in a reply."""
    monkeypatch.setenv("ANTHROPIC_LOG", "debug")
    monkeypatch.setenv("OPENAI_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    with ModelServer(lambda prompt, before: Act(kind)) as server:
        asked = client(server, protocol, tmp_path)
        run = asked.complete_many([ask(PROMPT)], "test")
        (outcome,) = run
    assert KEY in str(server.seen[0].headers)
    printed = capfd.readouterr()
    shown = [
        repr(asked),
        repr(asked.config),
        repr(outcome),
        run.summary(),
        printed.out,
        printed.err,
        caplog.text,
    ]
    shown += (
        [outcome.detail, outcome.message] if isinstance(outcome, CallFailure) else [outcome.model_dump_json()]
    )
    stored = everything_in(tmp_path)
    assert stored
    # eight characters of it would be enough to search with
    for piece in {KEY[at : at + 8] for at in range(len(KEY) - 7)}:
        assert [text for text in shown if piece in text] == []
        assert piece.encode() not in stored
    assert PROMPT not in printed.out + printed.err + caplog.text
    assert PROMPT.encode() not in everything_in(tmp_path / "lake")


def test_no_frame_of_an_error_shows_the_key(tmp_path: Path, protocol: str) -> None:
    class Full:
        secret = b"s" * 32

        def get(self, name: str) -> bytes | None:
            return None

        def put_if_absent(self, name: str, data: bytes) -> bool:
            raise RunError("the disk is full")

        def remove(self, name: str) -> None:
            raise RunError("the disk is full")

    with ModelServer() as server:
        asked = ModelClient(config(server, protocol), Full())
        with pytest.raises(RunError) as raised:
            asked.complete(ask(PROMPT), "test")
    error = traceback.TracebackException.from_exception(raised.value, capture_locals=True)
    assert KEY not in "".join(error.format())


def test_a_key_that_is_not_set_names_its_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_ENV)
    with ModelServer() as server, pytest.raises(ConfigError, match=f"{KEY_ENV} is not set"):
        client(server, "openai", tmp_path)
    for spec, name in (
        ("anthropic/claude-haiku-4-5", "ANTHROPIC_API_KEY"),
        ("openai/gpt-5-mini", "OPENAI_API_KEY"),
    ):
        with ModelServer() as server, pytest.raises(ConfigError, match=f"{name} is not set"):
            client(
                server,
                spec.partition("/")[0],
                tmp_path,
                model=spec,
                base_url=None,
                api_key_env=None,
                price=None,
            )


def test_a_server_of_ones_own_gets_no_key_unless_one_is_named(
    tmp_path: Path, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "for-anthropic-only")
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-only")
    with ModelServer() as server:
        reply = client(server, protocol, tmp_path, api_key_env=None).complete(ask("hi"), "test")
    assert isinstance(reply, ModelReply)
    assert "only" not in str(server.seen[0].headers)


@pytest.mark.parametrize(("said", "shown"), [("eos_token", "eos_token"), ("after: private text", "other")])
def test_free_text_of_a_server_does_not_reach_the_table_of_calls(said: str, shown: str) -> None:
    reply = ModelReply(
        text="a",
        finish_reason=said,
        model="m",
        tokens_in=1,
        tokens_out=1,
        tokens_cached=None,
        latency_seconds=0.1,
        dollars=0.0,
        request_hash="h",
    )
    record = CallLog(NoLedger(), "openai", "m", "test").paid(reply, datetime.now(UTC))
    assert record.finish_reason == shown


def test_importing_the_client_loads_no_sdk() -> None:
    import subprocess

    code = "import sys, winnow.models.client; print(*{n.partition('.')[0] for n in sys.modules})"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert {"anthropic", "openai", "torch", "transformers", "deltalake"}.isdisjoint(out.stdout.split())
