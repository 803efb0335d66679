import json
import time
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_servers import ERRORS

from winnow.models.faults import of_status, retry_after, scrubbed

KEY = "sk-0123456789abcdef"


@given(
    st.integers(300, 599), st.binary(max_size=200), st.dictionaries(st.text(max_size=5), st.text(max_size=9))
)
def test_every_answer_of_a_server_has_an_outcome(status: int, body: bytes, headers: dict[str, str]) -> None:
    fault = of_status(status, headers, body, KEY)
    assert fault.message.endswith(f"(HTTP {status})") or f"(HTTP {status}, " in fault.message or status < 400
    assert not fault.maybe_paid, "an error is not billed"
    assert fault.retry == (fault.reason in ("rate_limit", "server"))


@given(st.text(max_size=30), st.text(max_size=30), st.integers(0, len(KEY) - 8), st.integers(8, len(KEY)))
def test_no_eight_characters_of_the_key_are_left(before: str, after: str, start: int, length: int) -> None:
    words = before + KEY[start : start + length] + after
    body = json.dumps(
        {"error": {"message": words, "type": "bad", "param": KEY[start : start + length]}}
    ).encode()
    fault = of_status(400, {"location": words}, body, KEY)
    for shown in (scrubbed(words, KEY), fault.detail, fault.message, repr(fault)):
        assert all(KEY[at : at + 8] not in shown for at in range(len(KEY) - 7))


def test_the_words_of_a_server_stay_out_of_the_message() -> None:
    """They may quote the request, and messages go to logs."""
    body = json.dumps({"error": {"message": "invalid: private text", "type": "private text", "param": "a b"}})
    fault = of_status(400, {}, body.encode(), KEY)
    assert "private" not in fault.message + repr(fault)
    assert fault.detail == "invalid: private text"


@pytest.mark.parametrize("protocol", ERRORS)
def test_the_servers_code_is_named(protocol: str) -> None:
    status, error = ERRORS[protocol]["context"]
    fault = of_status(status, {}, json.dumps({"type": "error", "error": error}).encode(), KEY)
    assert fault.reason == "context"
    assert (error.get("code") or error["type"]) in fault.message


@pytest.mark.parametrize(
    ("status", "error", "reason"),
    [
        # vLLM, llama.cpp, and Anthropic's second way to say it
        (
            400,
            {"message": "This model's maximum context length is 4096 tokens", "type": "BadRequestError"},
            "context",
        ),
        (400, {"message": "too long", "type": "exceed_context_size_error"}, "context"),
        (
            400,
            {"message": "input length and `max_tokens` exceed context limit", "type": "invalid"},
            "context",
        ),
        (413, {"message": "Request exceeds the maximum size", "type": "request_too_large"}, "context"),
        (402, {"message": "pay", "type": "billing_error"}, "credit"),
        # a rate limit whose words mention billing is still one
        (
            429,
            {"message": "Visit the billing page to increase your rate limit", "type": "requests"},
            "rate_limit",
        ),
        (529, {"message": "Overloaded", "type": "overloaded_error"}, "server"),
        (409, {"message": "the same key is under way", "type": "idempotency"}, "server"),
        (422, {"message": "no", "type": "x"}, "request"),
    ],
)
def test_what_servers_are_known_to_say(status: int, error: dict[str, str], reason: str) -> None:
    assert of_status(status, {}, json.dumps({"error": error}).encode(), KEY).reason == reason


def test_a_date_in_the_past_asks_for_no_wait() -> None:
    assert retry_after({"retry-after": formatdate(time.time() - 60, usegmt=True)}) == 0.0
    assert retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)}) == pytest.approx(60, abs=2)
    assert retry_after({"retry-after": "nan"}) is None
    assert retry_after({"retry-after": "-5"}) == 0.0
    assert retry_after({"retry-after-ms": "250", "retry-after": "9"}) == 0.25


def test_a_date_of_no_calendar_asks_for_no_wait() -> None:
    headers = {"retry-after": "Wed, 21 Oct 99999 07:28:00 GMT"}
    assert of_status(429, headers, b"", KEY).retry_after is None
