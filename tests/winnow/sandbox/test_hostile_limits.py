"""Attacks on what a box may use: it is held to its limits, and the machine and the next run are unharmed."""

import time
from pathlib import Path

import pytest

from winnow.sandbox import running

MB = 1 << 20


def ended(result) -> tuple[str, str]:
    return result.outcome, result.reason


def test_a_fork_bomb(attack):
    code = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    started = time.monotonic()
    result = attack.run(code, wall_seconds=1.5, processes=32)
    assert result.outcome == "limit"
    assert result.reason in ("wall_seconds", "cpu_seconds", "processes")
    assert time.monotonic() - started < 10


def test_a_bomb_of_threads(attack):
    code = """
import _thread, time
n = 0
try:
    while True:
        _thread.start_new_thread(time.sleep, (99,)); n += 1
except RuntimeError:
    print(n)
"""
    result = attack.run(code, processes=16)
    assert result.outcome == "exited" or ended(result) == ("limit", "processes")
    assert not result.stdout or int(result.stdout) <= 16


def test_fifty_children_of_a_gigabyte(attack):
    code = """
import os, time
for _ in range(50):
    if os.fork() == 0:
        held = bytearray(1 << 30); time.sleep(99)
time.sleep(99)
"""
    free = _available()
    result = attack.run(code, processes=60, memory_bytes=256 * MB)
    assert ended(result) == ("limit", "memory_bytes")
    assert result.peak_memory_bytes < 2048 * MB
    assert _available() > free - 1024 * MB


def test_fifty_children_that_share_what_is_too_much(attack):
    code = """
import os, time
for _ in range(50):
    if os.fork() == 0:
        held = bytearray(8 << 20)
        time.sleep(99)
time.sleep(99)
"""
    result = attack.run(code, processes=60, memory_bytes=128 * MB)
    assert ended(result) == ("limit", "memory_bytes")


def test_memory_that_no_process_maps_and_no_file_holds(attack):
    """The supervisor, which looks at maps and files, could not count it, so there is none."""
    if running.refusals() is None:
        pytest.skip("this box has no filter of system calls")
    code = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
try: os.memfd_create("x"); print("memfd")
except PermissionError: pass
for name, args in (("shmget", (0, 1 << 20, 0o1666)), ("msgget", (0, 0o1666)), ("semget", (0, 1, 0o1666))):
    if getattr(libc, name)(*args) != -1: print(name)
"""
    assert ended(attack.run(code)) == ("exited", "exit 0")
    assert attack.run(code).stdout == b""


def test_memory_in_pipes_and_sockets_is_small(attack):
    code = """
import fcntl, os, socket
kept = []
try:
    while True:
        read, write = os.pipe(); kept.append(write)
        try: fcntl.fcntl(write, 1031, 1 << 20)
        except OSError: pass
        os.set_blocking(write, False)
        try:
            while True: os.write(write, b"x" * 65536)
        except BlockingIOError: pass
except OSError: pass
"""
    result = attack.run(code * 2)
    assert result.outcome in ("exited", "limit")


def _available() -> int:
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


@pytest.mark.parametrize("descriptor", [1, 2])
def test_ten_gigabytes_of_output(attack, descriptor: int):
    code = f"import os\nfor _ in range(10 << 10): os.write({descriptor}, b'x' * (1 << 20))"
    result = attack.run(code, output_bytes=2 * MB)
    assert ended(result) == ("limit", "output_bytes")
    assert len(result.stdout) + len(result.stderr) == 2 * MB
    assert result.wall_seconds < 5


def test_output_that_nobody_limits_to_lines_does_not_block(attack):
    code = "import sys\nsys.stdout.write('o' * 700000)\nsys.stderr.write('e' * 300000)"
    result = attack.run(code)
    assert (len(result.stdout), len(result.stderr)) == (700_000, 300_000)


def test_sleep_for_ever(attack):
    result = attack.run("import time; time.sleep(1e6)", wall_seconds=0.5)
    assert ended(result) == ("limit", "wall_seconds")
    assert result.wall_seconds < 3


def test_ignoring_every_signal(attack):
    code = """
import signal
for n in range(1, 65):
    try: signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass
"""
    assert ended(attack.run(code, wall_seconds=1.0)) == ("limit", "wall_seconds")


def test_cpu_is_that_of_all_processes(attack):
    code = "import os\nfor _ in range(3): os.fork()\nwhile True: pass"
    result = attack.run(code, cpu_seconds=1, wall_seconds=15)
    assert ended(result) == ("limit", "cpu_seconds")
    assert result.wall_seconds < 10


def test_cpu_limit_whose_signal_is_caught(attack):
    code = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    assert ended(attack.run(code, cpu_seconds=1, wall_seconds=15)) == ("limit", "cpu_seconds")


def test_a_full_tmpfs(attack):
    code = """
import os
written = 0
try:
    for n in range(99):
        with open(f"/tmp/{n}", "wb", 0) as file: written += file.write(b"x" * (1 << 20))
except OSError as error: print(error.errno, written)
try: os.makedirs("/dev/shm/more"); open("/dev/shm/more/x", "wb").write(b"x" * (1 << 20)); print("more")
except OSError as error: print(error.errno)
"""
    result = attack.run(code, tmp_bytes=8 * MB)
    first, second = result.stdout.decode().splitlines()
    errno, written = map(int, first.split())
    assert errno == 28
    assert written <= 8 * MB
    assert second == "28"


def test_files_count_as_memory(attack):
    code = """
import time
for n in range(99):
    with open(f"/tmp/{n}", "wb") as file: file.write(b"x" * (1 << 20))
time.sleep(5)
"""
    result = attack.run(code, memory_bytes=48 * MB, tmp_bytes=200 * MB)
    assert ended(result) == ("limit", "memory_bytes")


def test_a_sparse_huge_file(attack):
    code = """
import os
for what in (lambda f: os.truncate(f, 1 << 40), lambda f: os.pwrite(f, b"x", 1 << 40)):
    try: what(os.open("/tmp/sparse", os.O_RDWR | os.O_CREAT)); print("made")
    except OSError as error: print(error.errno)
"""
    assert attack.run(code).stdout == b"27\n27\n"


def test_exhausting_open_files(attack):
    code = """
kept = []
try:
    while True: kept.append(open("/dev/null"))
except OSError as error: print(error.errno, len(kept) < 64)
"""
    assert attack.run(code, open_files=64).stdout == b"24 True\n"


def test_closing_every_descriptor(attack):
    result = attack.run("import os\nos.closerange(0, 1024)\nopen('/tmp/x', 'w').write('x')")
    assert result.outcome == "exited"


def test_deep_folders(attack):
    code = """
import os
depth = 0
try:
    while depth < 5000:
        os.mkdir("d"); os.chdir("d"); depth += 1
except OSError: pass
print(depth > 100)
"""
    assert attack.run(code, wall_seconds=15).stdout == b"True\n"


def test_very_many_files(attack):
    code = """
n = 0
try:
    while n < 1000000: open(f"/tmp/{n}", "w").close(); n += 1
except OSError: pass
"""
    assert attack.run(code, wall_seconds=3).outcome in ("exited", "limit")


def test_a_fifo_that_nobody_writes(attack):
    code = "import os\nos.mkfifo('fifo')\nopen('fifo').read()"
    assert ended(attack.run(code, wall_seconds=0.7)) == ("limit", "wall_seconds")


def test_a_core_dump(attack):
    result = attack.run("import os\nos.abort()")
    assert ended(result) == ("signalled", "signal 6")
    code = "import os\nif os.fork() == 0: os.abort()\nos.wait(); print(os.listdir('/tmp'), os.listdir('.'))"
    assert attack.run(code).stdout == b"['box'] ['attack.py']\n"
    code = "import resource\nresource.setrlimit(resource.RLIMIT_CORE, (1, 1 << 20))"
    assert attack.run(code).exit_code == 1


def test_no_limit_can_be_raised(attack):
    code = """
import resource
for name in ("NPROC", "FSIZE", "CPU", "NOFILE", "CORE"):
    limit = getattr(resource, "RLIMIT_" + name)
    soft, hard = resource.getrlimit(limit)
    try: resource.setrlimit(limit, (hard + 1, hard + 1)); print("raised", name)
    except (ValueError, OSError): pass
"""
    assert attack.run(code).stdout == b""


def test_shared_memory_and_queues_end_with_the_box(attack):
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.shmget(4242, 1 << 20, 0o1666) >= 0, libc.msgget(4242, 0o1666) >= 0, libc.semget(4242, 1, 0o1666) >= 0)
"""
    attack.run(code)
    code = "import ctypes\nlibc = ctypes.CDLL(None)\nprint(libc.shmget(4242, 1, 0), libc.msgget(4242, 0))"
    assert attack.run(code).stdout == b"-1 -1\n"
    for kind in ("shm", "msg", "sem"):
        lines = Path(f"/proc/sysvipc/{kind}").read_text(encoding="ascii").splitlines()[1:]
        assert not any(line.split()[0] == "4242" for line in lines)
