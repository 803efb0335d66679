"""What a function and its examples do inside a real box, and what the box says of it."""

from collections.abc import Iterator

import pytest
from documented_rows import WrittenModules, claiming

from winnow.core.identity import digest
from winnow.curation.preference import PreferenceConfig
from winnow.curation.preference.doctests import Outcome
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.runner import Runner
from winnow.curation.preference.trials import Run
from winnow.sandbox import Sandbox

PASSED, WRONG = Run("ok", Outcome(True)), Run("ok", Outcome(False, 0, "value"))
RAISED = Run("ok", Outcome(False, 0, "exception"))


@pytest.fixture(scope="module")
def runner(sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig) -> Iterator[Runner]:
    with Runner(sandbox, config, [modules.folder], 0, questions=50) as runner:
        yield runner


def plain(modules: WrittenModules) -> DocumentedFunction:
    return modules.function('def f(a):\n    """\n    >>> f(1)\n    2\n    """\n    return a + 1\n')


def ask(runner: Runner, function: DocumentedFunction, old: str = "", new: str = "") -> Run:
    assert old in function.text
    return runner.ask(function, function.text.replace(old, new))


def test_the_text_that_is_asked_for_is_what_runs(runner: Runner, modules: WrittenModules):
    function = plain(modules)
    assert ask(runner, function) == PASSED
    assert ask(runner, function, "a + 1", "a + 2") == WRONG
    assert ask(runner, function, "a + 1", "a + b") == RAISED
    assert ask(runner, function) == PASSED


DECORATED = '''
import functools
from functools import cached_property, lru_cache, singledispatch

def loud(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper

def registered(function):
    return len

@loud
@loud
def wrapped(a):
    """
    >>> wrapped(1)
    2
    """
    return a + 1

@lru_cache(maxsize=None)
def cached(a):
    """
    >>> cached(1), cached(1)
    (2, 2)
    """
    return a + 1

@singledispatch
def dispatched(a):
    """
    >>> dispatched(1)
    2
    """
    return a + 1

class Base:
    def value(self):
        return 1

class Small(Base):
    __hidden = 1

    def __init__(self, a=1):
        """
        >>> Small(1).a
        2
        """
        super().__init__()
        self.a = a + 1

    def value(self):
        """
        >>> Small().value()
        2
        """
        return super().value() + self.__hidden

    @property
    def seen(self):
        """
        >>> Small().seen
        3
        """
        return self.a + 1

    @cached_property
    def once(self):
        """
        >>> Small().once
        3
        """
        return self.a + 1

    @staticmethod
    def still(a):
        """
        >>> Small.still(1)
        2
        """
        return a + 1

    @classmethod
    def made(cls, a):
        """
        >>> Small.made(1).a
        3
        """
        return cls(a + 1)

    @loud
    def generated(self):
        """
        >>> list(Small().generated())
        [2]
        """
        yield self.a + 0
'''


def test_functions_are_found_under_decorators_and_in_classes(runner: Runner, modules: WrittenModules):
    functions = modules.functions(DECORATED)
    assert len(functions) == 10
    for name, function in functions.items():
        assert ask(runner, function) == PASSED, name
        old = next(o for o in ("+ 1", "+ self.__hidden", "+ 0") if o in function.text)
        assert ask(runner, function, old, "+ 4").failed, name


def test_a_function_is_run_where_it_was_written_though_others_show_it(
    runner: Runner, modules: WrittenModules
):
    modules.write("from package.inner import f\n", "package/__init__.py")
    modules.write("import package\nshown = package.f\n", "elsewhere.py")
    function = modules.function(
        '''
        def f(a):
            """
            >>> import package, elsewhere
            >>> package.f is f is elsewhere.shown, f(1), elsewhere.shown(1)
            (True, 2, 2)
            """
            return a + 1
        ''',
        "package/inner.py",
    )
    assert ask(runner, function) == PASSED
    assert ask(runner, function, "a + 1", "a + 2") == Run("ok", Outcome(False, 1, "value"))


def test_futures_of_the_module_hold_for_function_and_examples(runner: Runner, modules: WrittenModules):
    function = modules.function(
        '''
        from __future__ import annotations

        def f(a: Nowhere = 1) -> Nothing:
            """
            >>> f()
            2
            >>> def g(a: Nobody): return g.__annotations__
            >>> g(1)
            {'a': 'Nobody'}
            """
            def inner(b: Never): return b + 1
            return inner(a)
        '''
    )
    assert ask(runner, function) == PASSED


def test_names_of_the_module_are_there_and_do_not_leak(runner: Runner, modules: WrittenModules):
    function = modules.function(
        '''
        seen = []

        def f(a):
            """
            >>> seen, 'mine' in globals()
            ([], False)
            >>> mine = seen.append(f(1))
            >>> seen, len(_)
            ([2], 2)
            """
            return a + 1
        '''
    )
    assert ask(runner, function) == ask(runner, function) == PASSED


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


def test_files_that_one_run_leaves_are_not_there_for_the_next(runner: Runner, modules: WrittenModules):
    function = modules.function(
        '''
        import os

        def f(name):
            """
            >>> f('/tmp/made/twice/deep')
            ['deep']
            >>> f('here')
            ['here']
            >>> os.symlink('/tmp', '/dev/shm/link'); os.chmod('here', 0o500)
            """
            os.makedirs(name)
            return [os.path.basename(name)]
        '''
    )
    assert [ask(runner, function) for _ in range(3)] == [PASSED] * 3


def test_ten_thousand_examples_and_a_long_docstring(runner: Runner, modules: WrittenModules):
    examples = "    >>> f(1)\n    2\n" * 10_000
    function = modules.function(
        f'def f(a):\n    """{"Says. " * 50_000}\n\n{examples}    """\n    return a + 1\n'
    )
    assert len(function.examples) == 10_000
    assert ask(runner, function) == PASSED
    assert ask(runner, function, "a + 1", "a + 2") == WRONG


@pytest.mark.parametrize(
    ("claims", "state"),
    [
        ({"module": ""}, "import"),
        ({"module": ".relative"}, "import"),
        ({"module": "a\0b"}, "import"),
        ({"module": "../../etc/passwd"}, "import"),
        ({"module": "with-dash"}, "import"),
        ({"module": "sys"}, "missing"),
        ({"qualname": "nowhere"}, "missing"),
        ({"qualname": ""}, "missing"),
        ({"qualname": "f.g.h"}, "missing"),
        ({"text": "def g(a): return 2"}, "shape"),
        ({"text": "def f(a, b): return 2"}, "shape"),
        ({"text": "def f(b): return 2"}, "shape"),
        ({"text": "def f(*a): return 2"}, "shape"),
        ({"text": "def f(a, *b): return 2"}, "shape"),
        ({"text": "def f(a, **b): return 2"}, "shape"),
        ({"text": "def f(*, a): return 2"}, "shape"),
        ({"text": "def f(a, /): return 2"}, "shape"),
        ({"text": "async def f(a): return 2"}, "ok"),
        ({"text": "def f(a): return super()"}, "ok"),
        ({"text": "def f(a): nonlocal b"}, "shape"),
        ({"text": "def f(a: return"}, "shape"),
        ({"text": "def f(a): return '\0'"}, "shape"),
        ({"text": "def f(a): return " + "+".join(["a"] * 3000)}, "shape"),
        ({"text": "def f(a): return " + "(" * 300 + "a" + ")" * 300}, "shape"),
        ({"text": "x = 1"}, "shape"),
        ({"text": ""}, "shape"),
    ],
)
def test_what_a_row_claims_wrongly(
    claims: dict[str, str], state: str, runner: Runner, modules: WrittenModules
):
    function = claiming(plain(modules), **claims)
    assert runner.ask(function, function.text).state == state
    assert ask(runner, plain(modules)) == PASSED


@pytest.mark.parametrize("escape", ["\\ud800", "\\0", "\\x1b", "\\N{SNOWMAN}"])
def test_characters_that_a_docstring_only_names(escape: str, runner: Runner, modules: WrittenModules):
    function = modules.function(
        f'def f(a):\n    """\n    >>> f(1)\n    2\n    >>> "{escape}" != f(1)\n    True\n    """\n    return a + 1\n'
    )
    said = ask(runner, function)
    assert said == (Run("ok", Outcome(False, 1, "exception")) if escape in ("\\ud800", "\\0") else PASSED)


def test_of_two_functions_of_one_name_neither_is_run(runner: Runner, modules: WrittenModules):
    (function,) = modules.functions(
        '''
        from typing import overload

        @overload
        def f(a: int) -> int: ...
        @overload
        def f(a: str) -> str: ...
        def f(a):
            """
            >>> f(1)
            2
            """
            return a + 1
        '''
    ).values()
    assert ask(runner, function).state == "missing"


def test_a_module_with_a_dash_and_one_without_a_package_file(runner: Runner, modules: WrittenModules):
    text = 'def f(a):\n    """\n    >>> f(1)\n    2\n    """\n    return a + 1\n'
    for path in ("with-a-dash/and-one.py", "namespace_only/deep/er.py", "größe.py"):
        assert ask(runner, modules.function(text, path)) == PASSED, path
