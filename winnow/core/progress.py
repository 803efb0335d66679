"""Progress of long work: rows done, rate and time left, at most one line every few seconds."""

import time
from collections.abc import Callable


class Progress:
    """Counts rows and says how it goes through `say`; `total` rows where known.

    >>> lines = []
    >>> clock = iter([0.0, 10.0])
    >>> progress = Progress("sanitize web", lines.append, total=300, clock=lambda: next(clock))
    >>> progress.add(100)
    >>> lines
    ['sanitize web: 100 of 300 rows, 10 rows/s, 20 s left']
    """

    def __init__(
        self,
        what: str,
        say: Callable[[str], None],
        total: int | None = None,
        every: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what, self._say, self._total, self._every, self._clock = what, say, total, every, clock
        self._started = self._said = clock()
        self.rows = 0

    def add(self, rows: int) -> None:
        self.rows += rows
        now = self._clock()
        if now - self._said < self._every:
            return
        self._said = now
        rate = self.rows / max(now - self._started, 1e-9)
        text = f"{self._what}: {self.rows:,}"
        if self._total:
            left = max(self._total - self.rows, 0) / rate
            text += f" of {self._total:,} rows, {rate:,.0f} rows/s, {left:,.0f} s left"
        else:
            text += f" rows, {rate:,.0f} rows/s"
        self._say(text)

    @property
    def seconds(self) -> float:
        return self._clock() - self._started
