"""Where answers and the records of calls are kept. The lake implements both; this package knows only the shape."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from winnow.core.config import ConfigModel


class CallRecord(ConfigModel):
    """One call in figures, without a word of text: a row of the table `model_calls`."""

    call_id: str
    called_at: datetime
    provider: str
    model: str
    purpose: str
    request_hash: str
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    dollars: float
    dollars_at_risk: float
    """The most that attempts without an answer may have cost beside `dollars`."""
    latency_seconds: float | None
    attempts: int
    cache_hit: bool
    resent: bool
    """An earlier run sent the same request and never learned the answer: it may have been paid before."""
    finish_reason: str | None
    failure: str | None


class AnswerStore(Protocol):
    """Small objects by name, in the restricted zone. Calls come from several threads at once."""

    @property
    def secret(self) -> bytes:
        """Key of the request hashes: who reads only the open zone cannot test a guess against them."""

    def get(self, name: str) -> bytes | None:
        """The object, or None."""

    def put_if_absent(self, name: str, data: bytes) -> bool:
        """Stores an object unless there is one; False when there is. Durable once it returns."""

    def remove(self, name: str) -> None:
        """Removes an object; one that is gone already is no error."""


class Ledger(Protocol):
    """Keeps the records of calls."""

    def record(self, calls: Sequence[CallRecord]) -> None:
        """Adds records; one that is there already, by its `call_id`, changes nothing."""


@dataclass(frozen=True)
class NoLedger:
    """Keeps nothing."""

    def record(self, calls: Sequence[CallRecord]) -> None:
        return None
