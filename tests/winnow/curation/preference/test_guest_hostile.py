"""Whatever a module, a function or an example does, the box answers, and the next question finds it unharmed."""

import pytest
from documented_rows import WrittenModules
from guest_runs import PASSED, RAISED, WRONG, ask, plain

from winnow.core.identity import digest
from winnow.curation.preference.doctests import Outcome
from winnow.curation.preference.runner import Runner
from winnow.curation.preference.trials import Run


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("import sys; sys.exit(0)", "import"),
        ("import os; os._exit(0)", "import"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "import"),
        ("raise KeyboardInterrupt", "import"),
        ("import nowhere_to_be_found", "import"),
        ("def g(:", "import"),
        ("print('noise'); import sys; sys.stderr.write('noise'); sys.stdout.flush()", "ok"),
        ("import os; os.write(1, b'noise'); os.write(2, b'noise')", "ok"),
        ("import sys; sys.stdout = sys.stderr = None", "ok"),
        ("import threading, time; threading.Thread(target=time.sleep, args=[0.2]).start()", "ok"),
        ("import atexit, time; atexit.register(time.sleep, 60)", "ok"),
        ("del f", "missing"),
        ("f = len", "missing"),
        ("f.__code__ = (lambda a: 2).__code__", "missing"),
    ],
)
def test_whatever_a_module_does_when_imported(text: str, state: str, runner: Runner, modules: WrittenModules):
    body = '{before}def f(a):\n    """\n    >>> f(1)\n    2\n    """\n    return a + 1\n'
    function = modules.function(body.format(before=""), path := f"imported_{digest(text)}.py")
    late = text.startswith(("del", "f"))
    (modules.folder / path).write_text(
        body.format(before="" if late else f"{text}\n") + (f"{text}\n" if late else "")
    )
    assert ask(runner, function).state == state
    assert ask(runner, function).state == state
    assert ask(runner, plain(modules)) == PASSED


@pytest.mark.parametrize(
    ("example", "run"),
    [
        ("while True: f(1)", Run("timeout", Outcome(False, 0, "no-answer"))),
        ("import time; time.sleep(60)", Run("timeout", Outcome(False, 0, "no-answer"))),
        ("import os; os._exit(0)", Run("died", Outcome(False, 0, "no-answer"))),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
            Run("died", Outcome(False, 0, "no-answer")),
        ),
        ("import os; os.closerange(3, 100)", Run("died", Outcome(False, 0, "no-answer"))),
        ("import sys; sys.exit(0)", RAISED),
        ("raise KeyboardInterrupt", RAISED),
        ("input()", RAISED),
        ("f(", RAISED),
        ("1", WRONG),
        ("print('x' * 100_000_000)", WRONG),
        ("raise ValueError('x' * 100_000_000)", RAISED),
        ("print('\\ud800')", WRONG),
        ("import os; n = os.write(1, b'2')", WRONG),
        ("import os; print(f(1) if os.fork() else 3)", PASSED),
        ("import subprocess; p = subprocess.Popen(['sleep', '60']); f(1)", PASSED),
        ("import subprocess; p = subprocess.Popen(['sleep', '60'], start_new_session=True); f(1)", PASSED),
        ("import threading, time; threading.Thread(target=time.sleep, args=[60]).start(); f(1)", PASSED),
        ("import os; os.chdir('/'); f(1)", PASSED),
        ("import sys; sys.setrecursionlimit(50); f(1)", PASSED),
        ("import json; json.dumps = None; f(1)", None),
        ("import sys; sys.stdout.close()", Run("died", Outcome(False, 0, "no-answer"))),
    ],
)
def test_whatever_an_example_does(example: str, run: Run | None, runner: Runner, modules: WrittenModules):
    lines = example.replace("\\", "\\\\")
    function = modules.function(f'def f(a):\n    """\n    >>> {lines}\n    2\n    """\n    return a + 1\n')
    said = ask(runner, function)
    if run is None:
        assert not said.passed
    else:
        assert said == run
    assert ask(runner, plain(modules)) == PASSED


def test_what_an_example_writes_to_every_descriptor_reaches_nobody(runner: Runner, modules: WrittenModules):
    function = modules.function(
        '''
        import os

        def f(a, forged=b'{"id": 1, "state": "ok", "outputs": []}'):
            """
            >>> for n in range(64):
            ...     try: os.set_blocking(n, False); written = os.write(n, forged + bytes([10]))
            ...     except OSError: pass
            >>> f(1)
            2
            """
            return a + 1
        '''
    )
    assert not ask(runner, function).passed
    assert [ask(runner, plain(modules)) for _ in range(3)] == [PASSED] * 3


def test_an_example_holds_no_pipe_but_that_of_its_own_answers(runner: Runner, modules: WrittenModules):
    function = modules.function(
        '''
        import os, stat

        def f(a):
            """
            >>> f(64)
            1
            """
            pipes = 0
            for n in range(a):
                try: pipes += stat.S_ISFIFO(os.fstat(n).st_mode)
                except OSError: pass
            return pipes
        '''
    )
    assert ask(runner, function) == PASSED


def test_a_fault_that_never_ends_is_told_from_one_that_fails(runner: Runner, modules: WrittenModules):
    function = modules.function(
        '''
        def f(a):
            """
            >>> f(3)
            3
            """
            n = 0
            while n < a:
                n += 1
            return n
        '''
    )
    assert ask(runner, function) == PASSED
    said = ask(runner, function, "n += 1", "pass")
    assert (said.state, said.failed, said.passed) == ("timeout", False, False)
