"""Which function a box runs: the one that the row names, wherever it was defined and whatever holds it, or none."""

import pytest
from documented_rows import WrittenModules, claiming
from guest_runs import PASSED, ask, plain

from winnow.curation.preference.doctests import Outcome
from winnow.curation.preference.runner import Runner
from winnow.curation.preference.trials import Run

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
