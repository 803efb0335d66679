"""A budget in dollars and minutes that no call can break: what a call may cost is set aside before it starts."""

import threading
import time
from typing import Literal

from winnow.models.client_config import BudgetConfig

Verdict = Literal["go", "wait", "dollars", "minutes"]
_ROUNDING = 1e-9


class Budget:
    """What was spent and what is set aside. Clients of one run may share one; every method is thread-safe.

    Minutes count from the first call.
    """

    def __init__(self, limits: BudgetConfig) -> None:
        self.limits = limits
        self.paid = 0.0
        self.at_risk = 0.0
        """The most that attempts may have cost whose answer never came."""
        self._reserved = 0.0
        self._started: float | None = None
        self._full: Verdict | None = None
        self._lock = threading.Lock()

    def ask(self, worst: float, seconds: float) -> Verdict:
        """Whether a call may start that costs at most `worst` dollars and takes at most `seconds`.

        `go` sets the dollars aside; `wait` says that it may fit once calls under way are settled. `dollars` or
        `minutes` says that it will not; unless the call is too dear for the whole budget, neither will a later one.
        """
        with self._lock:
            if self._started is None:
                self._started = time.monotonic()
            if worst > self.limits.dollars + _ROUNDING:
                return "dollars"
            if self._full is not None:
                return self._full
            if not self.has_time(seconds):
                self._full = "minutes"
                return "minutes"
            if self.spent + self._reserved + worst <= self.limits.dollars + _ROUNDING:
                self._reserved += worst
                return "go"
            if self._reserved > _ROUNDING:
                return "wait"
            self._full = "dollars"
            return "dollars"

    def settle(self, worst: float, paid: float = 0.0, at_risk: float = 0.0) -> None:
        """Ends a call that was let go: what it cost, and what it may have cost, takes the place of `worst`."""
        with self._lock:
            self._reserved = max(0.0, self._reserved - worst)
            self.paid += paid
            self.at_risk += at_risk

    def has_time(self, seconds: float) -> bool:
        """Whether so many seconds from now are within the minutes."""
        return self.elapsed + seconds <= self.limits.minutes * 60

    @property
    def spent(self) -> float:
        """Dollars gone, with those that may be."""
        return self.paid + self.at_risk

    @property
    def elapsed(self) -> float:
        """Seconds since the first call was asked for."""
        return 0.0 if self._started is None else time.monotonic() - self._started

    def why(self, verdict: str, worst: float, seconds: float) -> str:
        """Why a call was not let go, and the setting to raise."""
        limits = self.limits
        if verdict == "minutes":
            return (
                f"not sent: an attempt may take {seconds:g} s, and {self.elapsed / 60:.1f} of budget.minutes: "
                f"{limits.minutes:g} are over; raise `budget.minutes`"
            )
        if worst > limits.dollars:
            return (
                f"not sent: it may cost ${worst:.4f} and budget.dollars is {limits.dollars:g}; lower "
                f"`sampling.max_tokens`, or raise `budget.dollars` to {worst:.4f} or more"
            )
        return (
            f"not sent: it may cost ${worst:.4f}, and ${self.spent:.4f} of budget.dollars: {limits.dollars:g} are "
            "spent; raise `budget.dollars`"
        )
