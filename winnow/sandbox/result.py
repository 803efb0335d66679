"""What a box may use, and what came of it."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from winnow.core.config import ConfigModel

Outcome = Literal["exited", "signalled", "limit", "sandbox"]


class Limits(ConfigModel):
    """What one box may use; a box that goes beyond is killed whole, or its call is refused, as said here."""

    wall_seconds: float = Field(default=10, gt=0, description="From start to end; killed.")
    cpu_seconds: int = Field(default=10, gt=0, description="Of all its processes together; killed.")
    memory_bytes: int = Field(default=512 << 20, gt=0, description="Of all its processes and files; killed.")
    processes: int = Field(
        default=16, gt=0, description="Processes and threads at one time; a further fork is refused."
    )
    file_bytes: int = Field(
        default=16 << 20, gt=0, description="Of one file; SIGXFSZ, which Python turns into OSError."
    )
    tmp_bytes: int = Field(default=64 << 20, gt=0, description="Of all files together; ENOSPC.")
    output_bytes: int = Field(default=1 << 20, gt=0, description="Of stdout and stderr together; killed.")
    open_files: int = Field(default=64, ge=16, description="Open at one time in one process; EMFILE.")


@dataclass(frozen=True)
class Result:
    """How a box ended, and what it used.

    `outcome` is "exited" (the program ended by itself), "signalled" (it died of its own signal), "limit" (of
    `Limits`; `reason` is the field's name) or "sandbox" (the box did not work: nothing is known about the
    program). bubblewrap tells a signal as exit status 128 + signal, so a program that exits with 139 reads
    as one that died of signal 11. Output beyond the limit is cut off.
    `memory_by` says what measured and held the memory: "cgroup-v1", "cgroup-v2", or "supervisor", which adds
    up PSS and files every 20 ms, so that a peak between two looks is missed.
    """

    outcome: Outcome
    reason: str
    exit_code: int | None
    stdout: bytes
    stderr: bytes
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int
    memory_by: str

    @property
    def ok(self) -> bool:
        """Whether the program ended by itself with 0; for code that nobody trusts this proves nothing."""
        return self.outcome == "exited" and self.exit_code == 0


@dataclass(frozen=True)
class Job:
    """One run of a batch: a command and the files of its work folder."""

    command: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    limits: Limits = field(default_factory=lambda: Limits())
    stdin: bytes = b""
