"""Counts what came of the calls of one `complete_many`, and hands their records to the ledger."""

import re
import secrets
import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime

from winnow.models.answer_cache import Kept
from winnow.models.answer_store import CallRecord, Ledger
from winnow.models.reply import CallFailure, ModelReply

_FLUSH = 500
_WORD = re.compile(r"[a-z0-9_.-]{1,40}", re.I)
"""What of a server's words the open zone may show: free text could quote the request."""


@dataclass
class Tally:
    """Requests by what came of them, and dollars."""

    answered: int = 0
    """Calls that were paid now."""
    from_cache: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    """Failures by reason; those not run are not among them."""
    not_run: Counter[str] = field(default_factory=Counter)
    not_run_worst: float = 0.0
    """The most that the requests not run can cost."""
    dollars: float = 0.0
    dollars_at_risk: float = 0.0
    resent: int = 0
    """Calls that an earlier run had sent without learning the answer, and that were sent again."""


class CallLog:
    """Thread-safe. `flush` writes what has come together; a killed run's records return with its answers."""

    def __init__(self, ledger: Ledger, provider: str, model: str, purpose: str) -> None:
        self.tally = Tally()
        self._ledger = ledger
        self._about = {"provider": provider, "model": model, "purpose": purpose}
        self._rows: list[CallRecord] = []
        self._lock = threading.Lock()

    def paid(
        self, reply: ModelReply, called_at: datetime, at_risk: float = 0.0, resent: bool = False
    ) -> CallRecord:
        """The record of a call that was answered."""
        return CallRecord(
            call_id=secrets.token_hex(16),
            called_at=called_at,
            **self._about,
            request_hash=reply.request_hash,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            tokens_cached=reply.tokens_cached,
            dollars=reply.dollars,
            dollars_at_risk=at_risk,
            latency_seconds=reply.latency_seconds,
            attempts=reply.attempts,
            cache_hit=False,
            resent=resent,
            finish_reason=reply.finish_reason if _WORD.fullmatch(reply.finish_reason) else "other",
            failure=None,
        )

    def answered(self, record: CallRecord) -> None:
        """Counts an answer that is stored."""
        with self._lock:
            self.tally.answered += 1
            self.tally.dollars += record.dollars
            self.tally.dollars_at_risk += record.dollars_at_risk
            self.tally.resent += record.resent
            self._rows.append(record)

    def hit(self, kept: Kept) -> ModelReply:
        """A stored answer as a reply that costs nothing. The call that paid for it is recorded again."""
        reply = kept.reply.model_copy(update={"cache_hit": True, "dollars": 0.0, "attempts": 0})
        looked_up = kept.call.model_copy(
            update={
                **self._about,
                "call_id": secrets.token_hex(16),
                "called_at": datetime.now(UTC),
                "dollars": 0.0,
                "dollars_at_risk": 0.0,
                "latency_seconds": None,
                "attempts": 0,
                "cache_hit": True,
                "resent": False,
            }
        )
        with self._lock:
            self.tally.from_cache += 1
            self._rows += [kept.call, looked_up]
        return reply

    def failed(self, failure: CallFailure, worst: float, at_risk: float = 0.0, resent: bool = False) -> None:
        """Counts a request without an answer; it is recorded if it was sent."""
        with self._lock:
            if failure.not_run:
                self.tally.not_run[failure.reason] += 1
                self.tally.not_run_worst += worst
            else:
                self.tally.failed[failure.reason] += 1
            self.tally.dollars_at_risk += at_risk
            self.tally.resent += resent and failure.attempts > 0
            if failure.attempts:
                self._rows.append(self._failure(failure, at_risk, resent))

    def _failure(self, failure: CallFailure, at_risk: float, resent: bool) -> CallRecord:
        return CallRecord(
            call_id=secrets.token_hex(16),
            called_at=datetime.now(UTC),
            **self._about,
            request_hash=failure.request_hash,
            tokens_in=None,
            tokens_out=None,
            tokens_cached=None,
            dollars=0.0,
            dollars_at_risk=at_risk,
            latency_seconds=None,
            attempts=failure.attempts,
            cache_hit=False,
            resent=resent,
            finish_reason=None,
            failure=failure.reason,
        )

    def flush(self, at_least: int = 1) -> None:
        """Hands the records over if there are so many."""
        with self._lock:
            if len(self._rows) < at_least:
                return
            rows, self._rows = self._rows, []
        self._ledger.record(rows)

    def flush_if_many(self) -> None:
        self.flush(_FLUSH)
