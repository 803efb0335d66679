"""What went wrong with an attempt: whether another may pass, whether it may have been paid, and the remedy."""

import email.utils
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from winnow.models.reply import Reason

_SHOWN = 300
_PIECE = 8
_TOO_LONG = re.compile(
    r"prompt is too long|context[_ ](?:length|limit|window|size)|maximum context|too many (?:input )?tokens",
    re.I,
)
_NO_CREDIT = re.compile(r"credit balance|billing", re.I)
_QUOTA = ("insufficient_quota", "billing_hard_limit_reached")
"""Told with status 429, and not passed by waiting."""
_WORD = re.compile(r"[a-z0-9_.\[\]-]{1,60}", re.I)


@dataclass(frozen=True)
class Fault:
    """An attempt without an answer. `ends_all`: every other request of this client would fail alike."""

    reason: Reason
    message: str
    retry: bool = False
    maybe_paid: bool = False
    retry_after: float | None = None
    ends_all: bool = False
    detail: str = field(default="", repr=False)


def of_status(status: int, headers: Mapping[str, str], body: bytes, key: str | None) -> Fault:
    """The fault that an HTTP status other than 2xx stands for, in either protocol. Servers do not bill for these."""
    kind, param, words = _said(body)
    fault = _classified(status, kind, f"{kind} {words}")
    about = ", ".join(filter(None, [f"HTTP {status}", kind, param]))
    if status in (301, 302, 303, 307, 308):
        about += f" to {_host(headers.get('location', ''))}"
    return replace(
        fault,
        message=f"{fault.message} ({scrubbed(about, key)})",
        retry_after=retry_after(headers),
        detail=scrubbed(words, key)[:_SHOWN],
    )


def _classified(status: int, kind: str, said: str) -> Fault:
    if status in (301, 302, 303, 307, 308):
        return Fault(
            "redirect", "the server sends calls elsewhere; set `base_url` to the new address", ends_all=True
        )
    if status == 402 or kind in _QUOTA or (status in (400, 403) and _NO_CREDIT.search(said)):
        return Fault("credit", "the account has no credit; top it up, then run again", ends_all=True)
    if status in (400, 413, 422) and (status == 413 or _TOO_LONG.search(said)):
        return Fault(
            "context", "the request is too long for the model; shorten it, or lower `sampling.max_tokens`"
        )
    if status == 401:
        return Fault(
            "key", "the key is refused; correct the variable that `api_key_env` names", ends_all=True
        )
    if status == 403:
        return Fault("forbidden", "the key may not do this; give it access to the model, or change `model`")
    if status == 404:
        return Fault("model", "no such model at this address; correct `model` or `base_url`", ends_all=True)
    if status == 429:
        return Fault("rate_limit", "too many calls; lower `concurrency`, or raise `attempts`", retry=True)
    if status >= 500 or status in (408, 409, 425):
        return Fault("server", "the server failed; raise `attempts`, or run again later", retry=True)
    return Fault("request", "the server refuses the request; correct its messages, tools or sampling")


def lost(what: str) -> Fault:
    """A connection that ended before the whole answer was here."""
    return Fault("connection", f"{what}; raise `attempts`, or run again later", retry=True, maybe_paid=True)


def unreachable(what: str) -> Fault:
    """A connection that was never made: nothing was sent."""
    return Fault("connection", f"{what}; correct `base_url`, or run again later", retry=True)


def slow(seconds: float) -> Fault:
    """An attempt that took longer than allowed."""
    message = f"no answer within {seconds:g} s; raise `timeout_seconds`, or lower `sampling.max_tokens`"
    return Fault("timeout", message, retry=True, maybe_paid=True)


def malformed(what: str) -> Fault:
    """A success whose body is not what the protocol says."""
    message = f"the answer is malformed: {what}; see whether `base_url` is a server of this protocol"
    return Fault("malformed", message, retry=True, maybe_paid=True)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, or Retry-After in seconds or as a date.

    >>> retry_after({"retry-after": "2.5"}), retry_after({"retry-after": "soon"}), retry_after({})
    (2.5, None, None)
    """
    try:
        return max(0.0, float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        asked = headers.get("retry-after", "")
    seconds: float | None
    try:
        seconds = float(asked)
    except ValueError:
        seconds = _seconds_until(asked)
    if seconds is None:
        return None
    return max(0.0, seconds) if seconds == seconds and seconds != float("inf") else None


def scrubbed(text: str, key: str | None) -> str:
    """The text, or a note in its place where it holds any eight characters of the key in a row.

    >>> scrubbed("Bearer sk-abcdefgh", "sk-abcdefghij")
    '[left out: it repeats part of the key]'
    """
    pieces = {key[at : at + _PIECE] for at in range(max(1, len(key) - _PIECE + 1))} if key else set()
    if any(piece in text for piece in pieces):
        return "[left out: it repeats part of the key]"
    return text


def _seconds_until(date: str) -> float | None:
    parsed = email.utils.parsedate_tz(date)
    try:
        return None if parsed is None else email.utils.mktime_tz(parsed) - time.time()
    except (ValueError, OverflowError):  # a year that no calendar has
        return None


def _said(body: bytes) -> tuple[str, str, str]:
    """Kind, parameter and words of an error in either protocol; empty where it says none."""
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        return "", "", ""
    error = raw.get("error", raw) if isinstance(raw, Mapping) else {}
    if isinstance(error, str):
        return "", "", error
    if not isinstance(error, Mapping):
        return "", "", ""
    return (
        _word(error, "code") or _word(error, "type"),
        _word(error, "param"),
        str(error.get("message") or ""),
    )


def _word(error: Mapping[str, Any], name: str) -> str:
    """A field that is a plain identifier; free text could quote the request."""
    value = error.get(name)
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""


def _host(location: str) -> str:
    found = re.match(r"(https?://[A-Za-z0-9.:-]+)", location)
    return found[1] if found else "another path of it"
