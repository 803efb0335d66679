"""Each check sees the fault that it is there for."""

import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from winnow.cli import machine_checks as checks
from winnow.sandbox import unavailable


@pytest.mark.parametrize(("version", "ok"), [((3, 11, 0), True), ((3, 10, 9), False), ((3, 12, 1), False)])
def test_python(version: tuple[int, int, int], ok: bool):
    assert checks.python_finding(version).ok is ok


def test_memory_needs_four_gigabytes():
    assert checks.memory_finding(4 * 10**9).ok
    short = checks.memory_finding(4 * 10**9 - 1)
    assert short.fix == "free memory until 4 GB are available"


def test_available_memory_is_between_nothing_and_a_petabyte():
    assert 0 < checks.available_memory() < 10**15


def test_a_missing_extra_is_named_with_the_command(monkeypatch):
    monkeypatch.setattr(checks, "TRAIN_MODULES", ("json", "no_such_module"))
    finding = checks.extras_finding()
    assert finding.fix == "run `make setup`"
    assert finding.seen.startswith("no_such_module not installed")


def test_a_machine_without_a_browser_needs_no_fix(monkeypatch):
    monkeypatch.setattr(checks, "BROWSERS", ("no-such-browser",))
    finding = checks.browser_finding()
    assert finding.ok
    assert "not found" in finding.seen


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def test_a_free_port_is_fine():
    with socket.socket() as once:
        once.bind(("127.0.0.1", 0))
        port = once.getsockname()[1]
    assert checks.port_finding(port).seen == f"{port} is free"


def test_a_port_that_something_else_uses_needs_a_fix(busy_port: int):
    finding = checks.port_finding(busy_port)
    assert finding.fix is not None
    assert f"--port {busy_port + 1}" in finding.fix


def test_a_port_that_a_dagster_ui_uses_is_fine():
    class Reply(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"dagster_webserver_version": "1"}')

        def log_message(self, *_: object) -> None:
            return

    server = http.server.HTTPServer(("127.0.0.1", 0), Reply)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        assert checks.port_finding(server.server_port).ok
    finally:
        server.shutdown()
        server.server_close()


def test_the_sandbox_is_named_with_what_holds_its_memory_or_with_its_remedy():
    finding = checks.sandbox_finding()
    assert finding.ok == (unavailable() is None)
    assert finding.fix == unavailable()
    assert not finding.ok or "memory held by" in finding.seen


def test_without_bubblewrap_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    finding = checks.sandbox_finding()
    assert finding.line().startswith("[fix: bubblewrap is missing: apt-get install bubblewrap] sandbox: ")
