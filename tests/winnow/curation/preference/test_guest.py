"""What a function and its examples do inside a real box, and what the box says of it."""

import pytest
from documented_rows import WrittenModules
from guest_runs import PASSED, RAISED, WRONG, ask, plain

from winnow.curation.preference.doctests import Outcome
from winnow.curation.preference.runner import Runner
from winnow.curation.preference.trials import Run


def test_the_text_that_is_asked_for_is_what_runs(runner: Runner, modules: WrittenModules):
    function = plain(modules)
    assert ask(runner, function) == PASSED
    assert ask(runner, function, "a + 1", "a + 2") == WRONG
    assert ask(runner, function, "a + 1", "a + b") == RAISED
    assert ask(runner, function) == PASSED


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


@pytest.mark.parametrize("escape", ["\\ud800", "\\0", "\\x1b", "\\N{SNOWMAN}"])
def test_characters_that_a_docstring_only_names(escape: str, runner: Runner, modules: WrittenModules):
    function = modules.function(
        f'def f(a):\n    """\n    >>> f(1)\n    2\n    >>> "{escape}" != f(1)\n    True\n    """\n    return a + 1\n'
    )
    said = ask(runner, function)
    assert said == (Run("ok", Outcome(False, 1, "exception")) if escape in ("\\ud800", "\\0") else PASSED)
