"""One line of `winnow doctor`."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """What was looked at, what was seen, and what to do about it (None: nothing)."""

    name: str
    seen: str
    fix: str | None = None

    @property
    def ok(self) -> bool:
        return self.fix is None

    def line(self) -> str:
        """The line as printed.

        >>> Finding("python", "3.11.9").line()
        '[ok] python: 3.11.9'
        >>> Finding("memory", "1.0 GB", "close other programs").line()
        '[fix: close other programs] memory: 1.0 GB'
        """
        mark = "ok" if self.fix is None else f"fix: {self.fix}"
        return f"[{mark}] {self.name}: {self.seen}"

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "ok": self.ok, "seen": self.seen, "fix": self.fix}
