"""Attacks that want to outlive their box, or to harm the box after them or beside them."""

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from boxes_under_attack import NOBODY, SCRIPTS, environment_of_others, marked, python_of_others

from winnow.sandbox import Limits, Sandbox, groups, unavailable
from winnow.sandbox.slots import Slot

ROOT = Path(__file__).parents[3]
DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.chdir("/")
        for fd in range(64):
            try: os.close(fd)
            except OSError: pass
        while True: time.sleep(1)
    os._exit(0)
os.wait()
"""


def test_a_double_fork_into_a_session_of_its_own(attack):
    assert attack.run(DAEMON).reason == "exit 0"


def test_a_daemon_that_holds_the_output_open_does_not_hold_us(attack):
    code = "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(99)\nprint('done')"
    started = time.monotonic()
    assert attack.run(code).stdout == b"done\n"
    assert time.monotonic() - started < 5


def test_daemons_beyond_a_limit_end_too(attack):
    result = attack.run(DAEMON * 3 + "time.sleep(99)", wall_seconds=1.0)
    assert (result.outcome, result.reason) == ("limit", "wall_seconds")


def test_a_lock_that_is_held_at_the_end_is_free(attack, shared: Path):
    code = f"""
import fcntl, time
fcntl.flock(open("{shared}/file"), fcntl.LOCK_EX)
fcntl.lockf(open("/tmp/lock", "w"), fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(99)
"""
    result = attack.run(code, wall_seconds=1.0)
    assert (result.reason, result.stdout) == ("wall_seconds", b"held\n")
    with (shared / "file").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert attack.run(code, wall_seconds=1.0).stdout == b"held\n"


def test_a_stopped_program_ends(attack):
    result = attack.run("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", wall_seconds=0.7)
    assert (result.outcome, result.reason) == ("limit", "wall_seconds")


def test_a_signal_storm_to_everyone_hits_only_the_box(attack):
    witness = subprocess.Popen(["sleep", "60"])
    try:
        attack.run("import os\nos.kill(-1, 9)", wall_seconds=2)
        attack.run(f"import os\nos.kill({witness.pid}, 9)")
        assert witness.poll() is None
    finally:
        witness.kill()
        witness.wait()


def test_boxes_side_by_side_see_nothing_of_each_other():
    """As root each has a uid of its own; neither its files, nor its processes, nor its sockets are the other's."""
    if os.geteuid() != 0:
        pytest.skip("an ordinary user runs one box at a time")
    writer = """
import os, socket, sys
open("/tmp/box/secret", "w").write("planted"); os.chmod("/tmp/box/secret", 0o666)
s = socket.socket(socket.AF_UNIX); s.bind("\\0here"); s.listen()
t = socket.socket(); t.bind(("127.0.0.1", 4242)); t.listen()
print(os.getuid(), flush=True); sys.stdin.read()
"""
    reader = """
import os, socket
print(os.getuid())
for top, _, files in os.walk("/tmp"):
    if "secret" in files: print("read")
for family, address in ((socket.AF_UNIX, "\\0here"), (socket.AF_INET, ("127.0.0.1", 4242))):
    try: socket.socket(family).connect(address); print("reached")
    except OSError: pass
"""
    command = ["python", "-I", "-S", "-c"]
    with Sandbox(slots=2) as sandbox, sandbox.open([*command, writer]) as box:
        first = box.stdout.readline()
        second = sandbox.run([*command, reader]).stdout
    assert first.strip().isdigit()
    assert second.strip().isdigit()
    assert first != second


def test_two_sandboxes_never_share_a_uid():
    if os.geteuid() != 0:
        pytest.skip("an ordinary user has one uid")
    with Sandbox(slots=2) as one, Sandbox(slots=2) as other:
        found: set[bytes] = set()
        lock = threading.Lock()

        def uid(sandbox: Sandbox) -> None:
            code = "import os, time; print(os.getuid(), flush=True); time.sleep(0.5)"
            result = sandbox.run(["python", "-I", "-S", "-c", code], limits=Limits())
            with lock:
                assert result.stdout not in found
                found.add(result.stdout)

        threads = [threading.Thread(target=uid, args=(s,)) for s in (one, other, one, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 4


@pytest.mark.parametrize("user", ["root", "nobody"])
def test_when_we_are_killed_no_box_outlives_us(user: str):
    if user == "root" and os.geteuid() != 0:
        pytest.skip("the tests do not run as root")
    python = python_of_others()
    drop = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if user == "nobody" else {}
    if user == "nobody" and (python is None or os.geteuid() != 0):
        pytest.skip("needs root, and a Python that an ordinary user may run")
    mark = f"winnow-mark-{os.getpid()}-{user}"
    environment = environment_of_others() | {"PATH": os.environ["PATH"]}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    owner = subprocess.Popen(
        [str(python), str(SCRIPTS / "owner.py"), mark], env=environment, cwd="/", **pipes, **drop
    )
    with owner:
        assert owner.stdout.readline() == b"ready\n"
        assert len(marked(mark)) > 4
        os.kill(owner.pid, signal.SIGKILL)
        until = time.monotonic() + 5
        while marked(mark) and time.monotonic() < until:
            time.sleep(0.02)
        assert marked(mark) == []
    if user == "root":
        until = time.monotonic() + 5
        while left_groups() and time.monotonic() < until:
            time.sleep(0.02)
        assert left_groups() == []


def test_a_uid_is_nobody_elses_until_the_watchdog_of_its_dead_owner_is_done():
    """It kills what runs under that uid, and removes its groups."""
    if os.geteuid() != 0:
        pytest.skip("an ordinary user has one uid")
    code = "from winnow.sandbox.slots import Slot; s = Slot(True); print(s.uid, s._watchdog.pid, flush=True); input()"
    owner = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    with owner:
        uid, watchdog = map(int, owner.stdout.readline().split())
        os.kill(watchdog, signal.SIGSTOP)
        try:
            os.kill(owner.pid, signal.SIGKILL)
            owner.wait()
            taken = Slot(True)
            taken.close()
            assert taken.uid != uid
        finally:
            os.kill(watchdog, signal.SIGCONT)
    until = time.monotonic() + 5
    while _is_held(Path(f"winnow-{uid}")) and time.monotonic() < until:
        time.sleep(0.02)
    assert not _is_held(Path(f"winnow-{uid}"))


def test_what_runs_beside_a_box_has_no_key_of_ours(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PLANTED_API_KEY", "planted")
    if reason := unavailable():
        pytest.skip(f"no sandbox here: {reason}")
    with Sandbox(slots=1) as sandbox, sandbox.slot() as slot:
        assert b"planted" not in Path(f"/proc/{slot._watchdog.pid}/environ").read_bytes()


def left_groups() -> list[Path]:
    """Control groups of slots, but for those that a sandbox of this process may hold."""
    folders = set(groups.own_groups().values())
    return [g for folder in folders for g in folder.glob("winnow-*") if not _is_held(g)]


def _is_held(group: Path) -> bool:
    lock = Path("/run/winnow-sandbox") / group.name.rpartition("-")[2]
    if not lock.exists():
        return False
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
