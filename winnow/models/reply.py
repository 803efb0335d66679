"""What came of a request: a reply, or why there is none."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import ConfigDict

from winnow.core.config import ConfigModel
from winnow.models.request import ToolCall

Reason = Literal[
    "key",
    "forbidden",
    "credit",
    "model",
    "context",
    "request",
    "unsupported",
    "redirect",
    "rate_limit",
    "server",
    "connection",
    "timeout",
    "malformed",
    "dollars",
    "minutes",
    "stopped",
]
NOT_RUN = ("dollars", "minutes", "stopped")
"""Reasons of a request that was not sent, or not sent again, because a limit of ours came first."""


class TokenLogprob(ConfigModel):
    """A token of the reply and its natural log-probability; `alternatives` are others at its place."""

    # some servers send -Infinity for what could not come; written as null it could not be read again
    model_config = ConfigDict(ser_json_inf_nan="constants")

    token: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...] = ()


class ModelReply(ConfigModel):
    """A reply. Latency is of the call that answered, waits left out; a reply out of the cache costs nothing.

    Token counts are None where the server tells none; `dollars` is then the most that the call can have cost.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str | None = None
    finish_reason: str
    """`stop`, `length`, `tool_calls`, `refusal`, or what else the server said."""
    model: str
    """The model that the server says has answered."""
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    """Tokens of the prompt that the server had in a cache of its own; part of `tokens_in`."""
    logprobs: tuple[TokenLogprob, ...] | None = None
    latency_seconds: float
    dollars: float
    attempts: int = 1
    cache_hit: bool = False
    request_hash: str


@dataclass(frozen=True)
class CallFailure:
    """Why a request has no reply. `message` names the setting to change and never quotes a text."""

    reason: Reason
    message: str
    request_hash: str
    attempts: int = 0
    detail: str = field(default="", repr=False)
    """The server's own words, which may quote the request: not for the open zone."""

    @property
    def not_run(self) -> bool:
        """Whether a limit of ours kept it from being sent: a rerun with a higher limit goes on with it."""
        return self.reason in NOT_RUN


Outcome = ModelReply | CallFailure
