"""A real HTTP server on loopback that speaks Anthropic's messages and OpenAI's chat completions, and misbehaves."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATHS = {"anthropic": "/v1/messages", "openai": "/v1/chat/completions"}
ERRORS: dict[str, dict[str, tuple[int, dict[str, Any]]]] = {
    "openai": {
        "rate": (429, {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}),
        "quota": (
            429,
            {
                "message": "You exceeded your current quota",
                "type": "insufficient_quota",
                "code": "insufficient_quota",
            },
        ),
        "server": (
            500,
            {"message": "The server had an error", "type": "server_error", "param": None, "code": None},
        ),
        "model": (
            404,
            {
                "message": "The model does not exist",
                "type": "invalid_request_error",
                "code": "model_not_found",
            },
        ),
        "context": (
            400,
            {
                "message": "This model's maximum context length is 8 tokens.",
                "type": "invalid_request_error",
                "param": "messages",
                "code": "context_length_exceeded",
            },
        ),
        "key": (
            401,
            {
                "message": "Incorrect API key provided",
                "type": "invalid_request_error",
                "code": "invalid_api_key",
            },
        ),
        "forbidden": (403, {"message": "Not allowed", "type": "permission_error", "code": None}),
        "request": (
            400,
            {
                "message": "Invalid value",
                "type": "invalid_request_error",
                "param": "temperature",
                "code": None,
            },
        ),
    },
    "anthropic": {
        "rate": (429, {"type": "rate_limit_error", "message": "This request would exceed your rate limit"}),
        "quota": (
            400,
            {
                "type": "invalid_request_error",
                "message": "Your credit balance is too low to access the Anthropic API",
            },
        ),
        "server": (529, {"type": "overloaded_error", "message": "Overloaded"}),
        "model": (404, {"type": "not_found_error", "message": "model: claude-none"}),
        "context": (
            400,
            {"type": "invalid_request_error", "message": "prompt is too long: 9 tokens > 8 maximum"},
        ),
        "key": (401, {"type": "authentication_error", "message": "invalid x-api-key"}),
        "forbidden": (403, {"type": "permission_error", "message": "Not allowed"}),
        "request": (400, {"type": "invalid_request_error", "message": "temperature: out of range"}),
    },
}


@dataclass(frozen=True)
class Act:
    """What the server does with a call: `answer`, an error of ERRORS, `cut`, `no json`, `no reply`, `redirect`,
    `silence`, `drip`, `echo` (an error that repeats the headers) or `echo reply`."""

    kind: str = "answer"
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True)
class Seen:
    """One call that arrived."""

    protocol: str
    prompt: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    at: float

    @property
    def idempotency_key(self) -> str:
        return self.headers["idempotency-key"]


Plan = Callable[[str, int], Act]
"""From the last message and how many calls with it came before, what to do."""


class ModelServer:
    """`bills` counts what a provider would charge for: once a key where it honours them, else once an answer."""

    def __init__(self, plan: Plan = lambda prompt, before: Act(), honours_keys: bool = False) -> None:
        self.plan, self.honours_keys = plan, honours_keys
        self.seen: list[Seen] = []
        self.bills: Counter[str] = Counter()
        self.in_flight = self.most_in_flight = 0
        self._before: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._server = _Quiet(("127.0.0.1", 0), _Handler)
        self._server.model = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=[0.05], daemon=True)

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def base_url(self, protocol: str) -> str:
        return self.root if protocol == "anthropic" else f"{self.root}/v1"

    def arrived(self, seen: Seen) -> Act:
        with self._lock:
            self.seen.append(seen)
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            before = self._before[seen.prompt]
            self._before[seen.prompt] += 1
        return self.plan(seen.prompt, before)

    def left(self) -> None:
        with self._lock:
            self.in_flight -= 1

    def bill(self, seen: Seen) -> None:
        with self._lock:
            if not (self.honours_keys and self.bills[seen.idempotency_key]):
                self.bills[seen.idempotency_key] += 1


def tokens(text: str) -> int:
    return len(text.split())


def reply_to(prompt: str) -> str:
    return f"you said {prompt}"


def answer(protocol: str, body: dict[str, Any], prompt: str, text: str | None = None) -> dict[str, Any]:
    said = reply_to(prompt) if text is None else text
    call = {"name": "look", "arguments": {"at": prompt}} if body.get("tools") else None
    if protocol == "anthropic":
        content: list[dict[str, Any]] = [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": said},
        ]
        if call:
            content.append({"type": "tool_use", "id": "t1", "name": call["name"], "input": call["arguments"]})
        usage = {
            "input_tokens": tokens(prompt),
            "cache_read_input_tokens": 2,
            "output_tokens": tokens(said),
        }
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": "tool_use" if call else "end_turn",
            "usage": usage,
        }
    message: dict[str, Any] = {"role": "assistant", "content": said, "reasoning_content": "hm"}
    if call:
        message["tool_calls"] = [
            {
                "id": "t1",
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
            }
        ]
    logprobs = {
        "content": [
            {"token": w, "logprob": -0.5, "top_logprobs": [{"token": "x", "logprob": -1.5}]}
            for w in said.split()
        ]
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": "tool_calls" if call else "stop",
                "logprobs": logprobs if body.get("logprobs") else None,
            }
        ],
        "usage": {
            "prompt_tokens": tokens(prompt) + 2,
            "completion_tokens": tokens(said),
            "prompt_tokens_details": {"cached_tokens": 2},
        },
    }


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    model: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what these tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Quiet

    def log_message(self, format: str, *args: Any) -> None:
        return

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        protocol = next((p for p, path in PATHS.items() if path == self.path), "")
        content = body["messages"][-1]["content"]
        prompt = content if isinstance(content, str) else content[-1].get("text", "tool")
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(protocol, prompt, headers, body, time.monotonic())
        act = self.server.model.arrived(seen)
        try:
            self._act(act, seen)
        finally:
            self.server.model.left()

    def _act(self, act: Act, seen: Seen) -> None:
        time.sleep(act.seconds if act.kind != "drip" else 0)
        if act.kind == "answer":
            self.server.model.bill(seen)
            return self._send(200, answer(seen.protocol, seen.body, seen.prompt), act.headers)
        if act.kind == "cut":
            self.server.model.bill(seen)
            return self._cut(json.dumps(answer(seen.protocol, seen.body, seen.prompt)).encode())
        if act.kind == "no json":
            return self._send(200, "<html>sign in</html>", act.headers)
        if act.kind == "no reply":
            return self._send(200, {"choices": [], "type": "message", "content": None}, act.headers)
        if act.kind == "redirect":
            return self._send(307, {}, {"location": f"{self.server.model.root}/elsewhere", **act.headers})
        if act.kind == "silence":
            self.close_connection = True
            return None
        if act.kind == "drip":
            return self._drip(act.seconds)
        if act.kind == "echo reply":
            return self._send(
                200, answer(seen.protocol, seen.body, seen.prompt, json.dumps(dict(seen.headers))), {}
            )
        if act.kind == "echo":
            told = {
                "message": f"bad request: {json.dumps(dict(seen.headers))}",
                "type": "invalid_request_error",
            }
            return self._send(400, {"type": "error", "error": told}, dict(seen.headers))
        status, error = ERRORS[seen.protocol][act.kind]
        return self._send(status, {"type": "error", "error": error}, act.headers)

    def _send(self, status: int, said: Any, headers: Mapping[str, str]) -> None:
        data = said.encode() if isinstance(said, str) else json.dumps(said).encode()
        self.send_response(status)
        skipped = {"content-length", "host", "connection", "content-type", "accept-encoding"}
        for name, value in headers.items():
            if name not in skipped:
                self.send_header(name, value)
        self.send_header("content-type", "text/html" if isinstance(said, str) else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _cut(self, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2])
        self.wfile.flush()
        self.close_connection = True

    def _drip(self, seconds: float) -> None:
        """A byte at a time, so that no single read is slow."""
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "10000")
        self.end_headers()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.02)
        self.close_connection = True
