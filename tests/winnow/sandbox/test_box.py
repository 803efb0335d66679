"""Laws of one box: what comes out of it, and how each kind of end is told."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from boxes_under_attack import marked

from winnow.core.errors import ConfigError
from winnow.sandbox import Job, Limits, Sandbox, SandboxUnavailable, closed, unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=f"no sandbox here: {unavailable()}")
PYTHON = ["python", "-I", "-S", "-c"]


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as opened:
        yield opened


def test_a_program_reads_its_files_and_stdin_and_its_output_comes_back(sandbox: Sandbox):
    code = "import sys; print(open('a/b.txt').read() + sys.stdin.read()); print('x', file=sys.stderr)"
    result = sandbox.run([*PYTHON, code], {"a/b.txt": b"file "}, stdin=b"in")
    assert (result.outcome, result.exit_code) == ("exited", 0)
    assert (result.stdout, result.stderr) == (b"file in\n", b"x\n")


@pytest.mark.parametrize(
    ("code", "outcome", "reason"),
    [
        ("raise SystemExit(3)", "exited", "exit 3"),
        ("import os; os.kill(os.getpid(), 11)", "signalled", "signal 11"),
        ("import time; time.sleep(60)", "limit", "wall_seconds"),
        ("while True: pass", "limit", "cpu_seconds"),
        ("b = bytearray(1 << 29)", "limit", "memory_bytes"),
        ("while True: print('x' * 9999)", "limit", "output_bytes"),
        (
            "import signal; signal.signal(25, signal.SIG_DFL); open('f', 'wb').write(b'x' * (1 << 21))",
            "limit",
            "file_bytes",
        ),
        ("import os\nwhile True: os.fork()", "limit", "processes"),
    ],
)
def test_an_end_is_told_by_its_cause(sandbox: Sandbox, code: str, outcome: str, reason: str):
    wall = 1.0 if reason == "wall_seconds" else 30.0
    limits = Limits(wall_seconds=wall, cpu_seconds=1, memory_bytes=64 << 20, file_bytes=1 << 20, processes=8)
    result = sandbox.run([*PYTHON, code], limits=limits)
    assert (result.outcome, result.reason) == (outcome, reason)


def test_a_command_that_does_not_exist_is_not_the_programs_failure(sandbox: Sandbox):
    result = sandbox.run(["no-such-program"])
    assert result.outcome == "sandbox"
    assert "no-such-program" in result.reason


def test_a_batch_keeps_its_order_and_uses_all_slots():
    jobs = [Job(("python", "-I", "-S", "-c", f"print({n})")) for n in range(12)]
    with Sandbox(slots=3) as sandbox:
        assert [r.stdout for r in sandbox.run_many(jobs)] == [b"%d\n" % n for n in range(12)]


def test_a_box_can_be_talked_to_and_closing_ends_it(sandbox: Sandbox):
    code = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
    with sandbox.open([*PYTHON, code]) as box:
        box.stdin.write(b"abc\n")
        assert box.stdout.readline() == b"cba\n"
    assert (box.close().outcome, box.close().reason) == ("signalled", "closed")
    with sandbox.open([*PYTHON, "pass"]) as box:
        assert box.stdout.read() == b""
        box.wait()
    assert box.close().reason == "exit 0"


def test_a_limit_ends_a_box_that_is_open(sandbox: Sandbox):
    with sandbox.open(["sleep", "60"], limits=Limits(wall_seconds=0.3)) as box:
        assert box.stdout.read() == b""
    assert (box.close().outcome, box.close().reason) == ("limit", "wall_seconds")


def test_peak_memory_and_cpu_are_those_of_the_tree(sandbox: Sandbox):
    code = "import os\nif os.fork(): os.wait()\nb = bytearray(60 << 20)\nfor _ in range(3000000): pass"
    result = sandbox.run([*PYTHON, code])
    assert result.ok
    assert 60 << 20 <= result.peak_memory_bytes <= 512 << 20
    assert 0.02 < result.cpu_seconds < 10


@pytest.mark.parametrize("name", ["/etc/x", "../x", "a/../../x", ""])
def test_a_file_outside_of_the_work_folder_is_refused(sandbox: Sandbox, name: str):
    with pytest.raises(ConfigError, match="inside"):
        sandbox.run(["true"], {name: b""})


def test_slots_that_are_used_many_times_leave_nothing_behind(sandbox: Sandbox):
    results = list(sandbox.run_many([Job(("true",))] * 60))
    assert [r.reason for r in results] == ["exit 0"] * 60


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder below /tmp that every user may write."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def test_a_named_path_is_seen_at_its_place_and_cannot_be_written(open_folder: Path):
    (open_folder / "data").write_text("here", encoding="ascii")
    path = str(open_folder / "data")
    with Sandbox(slots=1, read_only=[open_folder]) as sandbox:
        result = sandbox.run([*PYTHON, f"print(open({path!r}).read()); open({path!r}, 'w')"])
    assert (result.exit_code, result.stdout) == (1, b"here\n")
    assert b"Read-only file system" in result.stderr


def test_a_path_that_is_not_there_or_that_a_box_could_not_read_is_refused(open_folder: Path):
    with pytest.raises(ConfigError, match="no such"):
        Sandbox(read_only=[open_folder / "missing"])
    if os.geteuid() == 0:
        open_folder.chmod(0o700)
        with pytest.raises(ConfigError, match="chmod o\\+rx"):
            Sandbox(read_only=[open_folder])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can show a box what lies below a closed folder")
def test_a_path_below_a_closed_folder_is_seen_and_nothing_beside_it(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    """As the packages of a project in root's home; the host keeps no mount of it."""
    below = open_folder / "closed" / "below"
    below.mkdir(parents=True)
    (below / "data").write_text("here", encoding="ascii")
    (open_folder / "closed" / "beside").write_text("secret", encoding="ascii")
    (open_folder / "closed").chmod(0o700)
    path = str(below / "data")
    monkeypatch.setattr(closed, "STAGED", open_folder / "staged")
    umask = os.umask(0o077)  # as on machines that are kept strictly
    try:
        sandbox = Sandbox(slots=1, read_only=[below])
    finally:
        os.umask(umask)
    with sandbox:
        found = sandbox.run(
            [*PYTHON, f"import os; print(open({path!r}).read(), os.listdir({str(below.parent)!r}))"]
        )
        written = sandbox.run([*PYTHON, f"open({path!r}, 'w')"])
    assert found.stdout == b"here ['below']\n"
    assert b"Read-only file system" in written.stderr
    assert "winnow-sandbox" not in Path("/proc/self/mounts").read_text(encoding="utf-8")


def test_an_interrupted_run_ends_its_box_and_gives_its_slot_back():
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    mark = f"interrupted-{os.getpid()}"
    try:
        with Sandbox(slots=1) as sandbox:
            signal.setitimer(signal.ITIMER_REAL, 0.4)
            with pytest.raises(KeyboardInterrupt):
                sandbox.run([*PYTHON, "import time; time.sleep(60)", mark])
            assert marked(mark) == []
            assert sandbox.run(["true"]).ok
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_threads_share_a_sandbox(sandbox: Sandbox):
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda n: sandbox.run([*PYTHON, f"print({n})"]), range(18)))
    assert [int(r.stdout) for r in results] == list(range(18))


def test_without_bubblewrap_the_remedy_is_raised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
        Sandbox()
    assert unavailable() == "bubblewrap is missing: apt-get install bubblewrap"


def test_a_result_tells_what_measured_its_memory(sandbox: Sandbox):
    assert sandbox.run(["true"]).memory_by in ("cgroup-v1", "cgroup-v2", "supervisor")
