"""System calls that no box may make, as a seccomp filter: a short list of what namespaces do not contain.

Not a wall of its own; namespaces and the dropped uid are that. Refused is memory that belongs to no process and
no file, which a supervisor could not see (memfd, System V), and what has often been the way to harm the kernel
and is of no use in a box (io_uring, bpf, keys, mounts, looking into other processes). Numbers are the kernel's, from
its tables for each architecture; on any other there is no filter.
"""

import platform
import struct
from functools import cache

_MEMORY = {"memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194)}
_QUEUES = {"msgget": (68, 186), "semget": (64, 190)}
_KERNEL = {
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
}
_MOUNTS = {
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
}
_OTHERS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
}
REFUSED = _MEMORY | _QUEUES | _KERNEL | _MOUNTS | _OTHERS
# The column of the table, and the name that the kernel gives the architecture.
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # EPERM
_X32 = 0x40000000


@cache
def refusals(machine: str = "") -> bytes | None:
    """The filter for bubblewrap's `--seccomp`, or None for an architecture that is not known here."""
    known = _ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    column, architecture = known
    numbers = sorted(numbers[column] for numbers in REFUSED.values())
    # Each jump is over the instructions between it and the last but one, which allows, or the last, which refuses.
    checks = len(numbers) + 1
    program = [(_LOAD, 0, 0, 4), (_EQUAL, 0, checks + 2, architecture), (_LOAD, 0, 0, 0)]
    program.append((_AT_LEAST, checks, 0, _X32))
    program += [(_EQUAL, checks - place, 0, number) for place, number in enumerate(numbers, 1)]
    program += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
