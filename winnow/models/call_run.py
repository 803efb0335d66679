"""The calls of one `complete_many` to a hosted model: an event loop beside the caller, and the rules of a call."""

import asyncio
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal, TypeVar
from weakref import WeakValueDictionary

from winnow.models.answer import Answer
from winnow.models.answer_cache import AnswerCache, Kept
from winnow.models.budget import Budget
from winnow.models.call_log import CallLog
from winnow.models.client_config import ClientConfig
from winnow.models.faults import Fault
from winnow.models.hosted import HostedModel, open_hosted
from winnow.models.prices import Price
from winnow.models.reply import CallFailure, ModelReply, Outcome
from winnow.models.request import ModelRequest

T = TypeVar("T")
_POLL_SECONDS = 0.02
_STORE_THREADS = 16
_AHEAD = 8
"""So many requests a slot may be under way or answered before the caller has taken the oldest."""


class HostedRun:
    """Sends requests and gives their outcomes in input order; see ModelClient for what holds."""

    def __init__(
        self, config: ClientConfig, price: Price, cache: AnswerCache, budget: Budget, log: CallLog
    ) -> None:
        self._config, self._price, self._cache = config, price, cache
        self._budget, self._log = budget, log
        self._ended: Fault | None = None
        self._last: asyncio.Event | None = None
        self._paused_until = 0.0
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def outcomes(self, requests: Iterable[ModelRequest]) -> Iterator[Outcome]:
        """One outcome a request, in order. Left early, it lets calls under way end and keeps their answers."""
        ahead = max(64, _AHEAD * self._config.concurrency)
        pending: deque[Future[Outcome]] = deque()
        self._open()
        try:
            for request in requests:
                pending.append(asyncio.run_coroutine_threadsafe(self._queued(request), self._loop))
                while len(pending) >= ahead or (pending and pending[0].done()):
                    yield pending.popleft().result()
                self._log.flush_if_many()
            while pending:
                yield pending.popleft().result()
        finally:
            self._close(pending)

    def _open(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(ThreadPoolExecutor(_STORE_THREADS, "answers"))
        self._thread = threading.Thread(target=self._loop.run_forever, name="model-calls", daemon=True)
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._prepare(), self._loop).result()
        except BaseException:
            self._stop()
            raise

    async def _prepare(self) -> None:
        self._model: HostedModel = open_hosted(self._config)
        self._slots = asyncio.Semaphore(self._config.concurrency)
        self._door = asyncio.Lock()
        self._closing = asyncio.Event()

    def _close(self, pending: Iterable[Future[Outcome]]) -> None:
        try:
            self._loop.call_soon_threadsafe(self._closing.set)
            wait(pending)
            asyncio.run_coroutine_threadsafe(self._model.close(), self._loop).result()
        finally:
            self._stop()
            self._log.flush()

    def _stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._loop.shutdown_default_executor(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _off(self, call: Callable[..., T], *arguments: object) -> T:
        """Runs what blocks on the store in a thread."""
        return await self._loop.run_in_executor(None, call, *arguments)

    async def _queued(self, request: ModelRequest) -> Outcome:
        before, turn = self._last, asyncio.Event()
        self._last = turn
        try:
            return await self._one(request, before, turn)
        finally:
            turn.set()

    async def _one(self, request: ModelRequest, before: asyncio.Event | None, turn: asyncio.Event) -> Outcome:
        """Sets `turn` once the next request may be let go: so a budget that ends cuts the input in two."""
        name = self._cache.name(request)
        lock = self._locks.setdefault(name, asyncio.Lock())
        if lock.locked():
            turn.set()  # an equal request is under way, and its answer will do for this one
        async with lock:
            kept = await self._off(self._cache.find, name)
            if before is not None:
                await before.wait()
            if kept is not None:
                return self._log.hit(kept)
            worst = self._price.worst(request.size(), len(request.messages), request.sampling.max_tokens)
            async with self._slots:
                return await _Call(self, request, name, worst, turn).outcome()


class _Call:
    """One request on its way: attempts, what they may have cost, and the end."""

    def __init__(
        self, run: HostedRun, request: ModelRequest, name: str, worst: float, turn: asyncio.Event
    ) -> None:
        self._run, self._request, self._name, self._worst = run, request, name, worst
        self._turn = turn
        self._attempts = 0
        self._at_risk = 0.0
        self._resent = False

    async def outcome(self) -> Outcome:
        if (missing := self._run._model.unsupported(self._request)) is not None:
            return await self._failed(Fault("unsupported", missing))
        while True:
            if (refusal := await self._refusal()) is not None:
                return await self._failed(refusal)
            called_at, started = datetime.now(UTC), time.monotonic()
            result = await self._asked()
            if isinstance(result, Answer):
                return await self._answered(result, called_at, time.monotonic() - started)
            if (pause := self._pause(result)) is None:
                return await self._failed(result)
            if not self._run._budget.has_time(pause + self._run._config.timeout_seconds):
                return await self._failed(self._over("minutes"))
            await self._sleep(pause)

    async def _refusal(self) -> Fault | None:
        """None once the call is let go, in the order of asking; else why it is not."""
        run, seconds = self._run, self._run._config.timeout_seconds
        async with run._door:
            pause = max(0.0, run._paused_until - time.monotonic())
            if not run._budget.has_time(pause + seconds):
                return self._over("minutes")
            await self._sleep(pause)
            while (refusal := self._stopped()) is None:
                verdict = run._budget.ask(self._worst, seconds)
                if verdict != "wait":
                    break
                await asyncio.sleep(_POLL_SECONDS)
            else:
                return refusal
        self._turn.set()
        if verdict == "go":
            return None
        return self._over(verdict)

    def _stopped(self) -> Fault | None:
        """Why no further call is sent, whatever the budget says."""
        run = self._run
        if run._closing.is_set():
            return Fault("stopped", "not sent: the caller stopped; run again")
        if run._ended is not None:
            return replace(run._ended, message=f"not sent after an earlier call: {run._ended.message}")
        return None

    def _over(self, limit: Literal["dollars", "minutes"]) -> Fault:
        config, budget = self._run._config, self._run._budget
        return Fault(limit, budget.why(limit, self._worst, config.timeout_seconds))

    async def _asked(self) -> Answer | Fault:
        """One attempt. What a lost answer may have cost counts as spent."""
        run, lost = self._run, self._worst
        try:
            if not self._attempts:
                self._resent = not await run._off(run._cache.begin, self._name)
            self._attempts += 1
            result = await run._model.ask(self._request, self._name)
            if isinstance(result, Answer):
                lost = 0.0
                run._budget.settle(0.0, paid=self._dollars(result))
                return result
            lost = self._worst if result.maybe_paid else 0.0
            self._at_risk += lost
            if result.ends_all:
                run._ended = result
            return result
        finally:
            run._budget.settle(self._worst, at_risk=lost)

    def _pause(self, fault: Fault) -> float | None:
        """Seconds until the next attempt: full jitter, at least what the server asks; None if there is none."""
        config = self._run._config
        asked = fault.retry_after or 0.0
        if not fault.retry or self._attempts >= config.attempts or asked > config.longest_wait_seconds:
            return None
        self._run._paused_until = max(self._run._paused_until, time.monotonic() + asked)
        ceiling = min(config.longest_wait_seconds, config.backoff_seconds * 2 ** (self._attempts - 1))
        return asked + random.uniform(0, ceiling)  # noqa: S311 spreads clients

    async def _sleep(self, seconds: float) -> None:
        """Waits, unless the caller stops before."""
        if seconds > 0:
            try:
                await asyncio.wait_for(self._run._closing.wait(), seconds)
            except TimeoutError:
                return

    async def _answered(self, answer: Answer, called_at: datetime, latency: float) -> ModelReply:
        run = self._run
        reply = ModelReply(
            **vars(answer),
            latency_seconds=latency,
            dollars=self._dollars(answer),
            attempts=self._attempts,
            request_hash=self._name,
        )
        record = run._log.paid(reply, called_at, self._at_risk, self._resent)
        kept = await run._off(run._cache.keep, Kept(reply=reply, call=record))
        run._log.answered(record)
        return kept.reply

    def _dollars(self, answer: Answer) -> float:
        if answer.tokens_in is None or answer.tokens_out is None:
            return self._worst
        return self._run._price.dollars(answer.tokens_in, answer.tokens_out, answer.tokens_cached or 0)

    async def _failed(self, fault: Fault) -> CallFailure:
        run = self._run
        if self._attempts and not self._at_risk and not self._resent:
            await run._off(run._cache.give_up, self._name)
        message = fault.message
        if (fault.retry_after or 0.0) > run._config.longest_wait_seconds:
            message += f"; it asks to wait {fault.retry_after:.0f} s: raise `longest_wait_seconds`, or run again then"
        failure = CallFailure(fault.reason, message, self._name, self._attempts, fault.detail)
        run._log.failed(failure, self._worst, self._at_risk, self._resent)
        return failure
