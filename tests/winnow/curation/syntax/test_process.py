"""The child process: cheap, replaceable, and gone when its parent is."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from winnow.curation.syntax import Region, Regions, SyntaxReader

ROOT = Path(__file__).parents[4]
ONE_COMMENT = Regions((Region(0, 3, "comment"),))
_readers: list[SyntaxReader] = []


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def gone(pid: int, within: float = 10.0) -> bool:
    until = time.monotonic() + within
    while is_running(pid):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def child_of(reader: SyntaxReader) -> int:
    assert reader.regions("# a", "python") == ONE_COMMENT
    pid = reader.child_pid
    assert pid is not None
    return pid


def test_the_child_imports_no_data_frame_and_no_model() -> None:
    with SyntaxReader() as reader:
        mapped = Path(f"/proc/{child_of(reader)}/maps").read_text()
        assert "tree_sitter_python" in mapped
        for package in ("numpy", "pyarrow", "torch", "pydantic", "spacy"):
            assert f"/{package}" not in mapped


def test_a_start_costs_little_cpu() -> None:
    with SyntaxReader() as reader:
        fields = Path(f"/proc/{child_of(reader)}/stat").read_text().rsplit(")", 1)[1].split()
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        assert seconds <= 0.3


def test_no_child_before_the_first_text_that_needs_one() -> None:
    with SyntaxReader() as reader:
        reader.regions("words", "text")
        reader.regions("hello", None, "chat")
        assert reader.child_pid is None


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_child_killed_between_texts_changes_no_result(signal_number: int) -> None:
    with SyntaxReader() as reader:
        first = child_of(reader)
        os.kill(first, signal_number)
        assert gone(first)
        assert child_of(reader) != first


def test_a_child_of_a_parent_that_ignores_signals_still_ends_by_them() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with SyntaxReader() as reader:
            child = child_of(reader)
            os.kill(child, signal.SIGTERM)
            assert gone(child)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_closing_ends_the_child_and_a_later_text_starts_another() -> None:
    reader = SyntaxReader()
    first = child_of(reader)
    reader.close()
    assert gone(first)
    second = child_of(reader)
    del reader
    assert gone(second)


def test_threads_take_turns() -> None:
    texts = [f"x = '{n}'  # {n}\n" * 20 for n in range(40)]
    with SyntaxReader() as reader, ThreadPoolExecutor(4) as pool:
        expected = [reader.regions(text, "python") for text in texts]
        assert list(pool.map(lambda text: reader.regions(text, "python"), texts)) == expected


def test_the_thread_that_started_the_child_may_end() -> None:
    with SyntaxReader() as reader:
        starter = threading.Thread(target=child_of, args=[reader])
        starter.start()
        starter.join()
        first = reader.child_pid
        assert child_of(reader) == first


def test_a_forked_process_has_a_child_of_its_own() -> None:
    with SyntaxReader() as reader:
        ours = child_of(reader)
        forked = os.fork()
        if not forked:
            os._exit(0 if reader.child_pid is None and child_of(reader) != ours else 1)
        assert os.waitpid(forked, 0)[1] == 0
        assert child_of(reader) == ours


def _start_reader() -> None:
    _readers.append(SyntaxReader())


def _read(text: str) -> tuple[Regions, int]:
    return _readers[0].regions(text, "python"), child_of(_readers[0])


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_workers_of_a_pool_read_and_their_children_end_with_them(method: str) -> None:
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(1, mp_context=context, initializer=_start_reader) as pool:
        regions, child = pool.submit(_read, "# a").result()
        assert regions == ONE_COMMENT
    assert gone(child)


HOLDER = """
import os, sys, time
from winnow.curation.syntax import SyntaxReader
reader = SyntaxReader()
reader.regions("# a", "python")
held = os.fork()  # a fork that keeps the pipes open for longer than the parent lives
if not held:
    time.sleep(60)
print(reader.child_pid, held, flush=True)
if sys.argv[1] == "busy":
    reader.regions("x = [1, {'a': f(b)}]\\n" * 190_000, "python")
time.sleep(60)
"""


@pytest.mark.parametrize("doing", ["idle", "busy"])
def test_the_child_ends_after_kill_9_of_its_parent(doing: str) -> None:
    command = [sys.executable, "-c", HOLDER, doing]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        child, held = map(int, parent.stdout.readline().split())
        try:
            assert is_running(child)
            parent.kill()
            assert gone(child)
        finally:
            os.kill(held, signal.SIGKILL)


def test_an_interrupted_question_leaves_no_stale_answer() -> None:
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        with SyntaxReader() as reader:
            child_of(reader)
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            with pytest.raises(KeyboardInterrupt):
                reader.regions("x = [1, {'a': f(b)}]\n" * 190_000, "python")
            assert reader.regions("# a", "python") == ONE_COMMENT
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
