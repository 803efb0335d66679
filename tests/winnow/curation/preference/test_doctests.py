"""The verdict on a docstring is that of the standard library's own runner, told from outputs alone."""

import ast
import contextlib
import difflib
import doctest
import heapq
import inspect
import io
import json
import sys
import textwrap
import types
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.curation.preference import guest
from winnow.curation.preference.doctests import FLAGS, Example, Outcome, Output, examples, judge


class First(doctest.DocTestRunner):
    """Keeps the source of the first example that fails."""

    source: str | None = None

    def report_failure(self, out, test, example, got):
        self.source = self.source or example.source

    def report_unexpected_exception(self, out, test, example, exc_info):
        self.source = self.source or example.source


@contextlib.contextmanager
def streams_kept() -> Iterator[None]:
    kept = sys.stdout, sys.stderr, sys.displayhook
    try:
        yield
    finally:
        sys.stdout, sys.stderr, sys.displayhook = kept


def by_doctest(module: types.ModuleType, docstring: str) -> str | None:
    """The first example that fails by the standard library."""
    test = doctest.DocTestParser().get_doctest(docstring, module.__dict__.copy(), "f", None, None)
    runner = First(verbose=False, optionflags=FLAGS)
    with streams_kept():
        runner.run(test, out=lambda text: None)
    return runner.source


def by_us(module: types.ModuleType, function: types.FunctionType, text: str) -> str | None:
    (tree,) = ast.parse(textwrap.dedent(text)).body
    asked = examples(tree)
    pipe = io.StringIO()
    with streams_kept():
        guest.run(module, function, function.__code__, [e.source for e in asked], pipe)
    *lines, end = pipe.getvalue().splitlines()
    assert end == "end"
    outcome = judge(asked, [Output(**json.loads(line)) for line in lines])
    assert outcome.passed == (outcome.example is None) == (outcome.failure is None)
    return None if outcome.example is None else asked[outcome.example].source


def written(docstring: str) -> tuple[types.ModuleType, types.FunctionType, str]:
    module = types.ModuleType("written")
    text = f"def f(a):\n    r'''\n{textwrap.indent(docstring, '    ', lambda line: True)}\n    '''\n    return a + 1\n"
    exec(text, module.__dict__)
    module.__dict__["Odd"] = type("Odd", (ValueError,), {"__module__": "deep.er"})
    return module, module.__dict__["f"], text


TRACEBACK = "Traceback (most recent call last):\n  ...\n"
CASES = {
    "right": ">>> f(1)\n2",
    "wrong": ">>> f(1)\n3",
    "no want, prints": ">>> f(1)",
    "no want, quiet": ">>> x = f(1)",
    "want, nothing printed": ">>> x = f(1)\n2",
    "print and return": ">>> print('a') or f(1)\na\n2",
    "print and return, half": ">>> print('a') or f(1)\n2",
    "ellipsis": ">>> list(range(9))\n[0, 1, ..., 8]",
    "ellipsis wrong": ">>> list(range(9))\n[0, 1, ..., 9]",
    "ellipsis off": ">>> list(range(9))  # doctest: -ELLIPSIS\n[0, 1, ..., 8]",
    "whitespace": ">>> print('a   b')\na b",
    "whitespace off": ">>> print('a   b')  # doctest: -NORMALIZE_WHITESPACE\na b",
    "over lines": ">>> list(range(6))\n[0, 1, 2,\n 3, 4, 5]",
    "blank line": ">>> print('a\\n\\nb')\na\n<BLANKLINE>\nb",
    "blank line not taken": ">>> print('a\\n\\nb')  # doctest: +DONT_ACCEPT_BLANKLINE\na\n<BLANKLINE>\nb",
    "true for 1": ">>> f(0) == 1\n1",
    "true for 1 not taken": ">>> f(0) == 1  # doctest: +DONT_ACCEPT_TRUE_FOR_1\n1",
    "skipped": ">>> f(1)  # doctest: +SKIP\n3",
    "skipped after a fault": ">>> f(1)\n3\n>>> f(1)  # doctest: +SKIP\n3",
    "not skipped": ">>> f(1)  # doctest: -SKIP\n3",
    "exception": f">>> f('a')\n{TRACEBACK}TypeError: can only concatenate str (not \"int\") to str",
    "exception, detail wrong": f">>> f('a')\n{TRACEBACK}TypeError: no",
    "exception, detail ignored": f">>> f('a')  # doctest: +IGNORE_EXCEPTION_DETAIL\n{TRACEBACK}TypeError: no",
    "exception, type wrong": f">>> f('a')  # doctest: +IGNORE_EXCEPTION_DETAIL\n{TRACEBACK}KeyError: no",
    "exception, ellipsis": f">>> f('a')\n{TRACEBACK}TypeError: can ... str",
    "exception not told": ">>> f('a')",
    "exception instead of a value": ">>> f('a')\n2",
    "value instead of an exception": f">>> f(1)\n{TRACEBACK}TypeError: no",
    "exception without a message": f">>> raise ValueError\n{TRACEBACK}ValueError",
    "exception over lines": f">>> raise ValueError('a\\nb: c')\n{TRACEBACK}ValueError: a\nb: c",
    "over lines, ignored": f">>> raise ValueError('a\\nb')  # doctest: +IGNORE_EXCEPTION_DETAIL\n{TRACEBACK}ValueError: x",
    "module of an exception": f">>> raise Odd('a')\n{TRACEBACK}deep.er.Odd: a",
    "module left out": f">>> raise Odd('a')\n{TRACEBACK}Odd: a",
    "module ignored": f">>> raise Odd('a')  # doctest: +IGNORE_EXCEPTION_DETAIL\n{TRACEBACK}other.Odd: b",
    "no message, module ignored": f">>> raise Odd  # doctest: +IGNORE_EXCEPTION_DETAIL\n{TRACEBACK}Odd:",
    "ignored without a colon": f">>> raise Odd('\\nx: y')  # doctest: +IGNORE_EXCEPTION_DETAIL\n{TRACEBACK}Odd",
    "exit": f">>> raise SystemExit(0)\n{TRACEBACK}SystemExit: 0",
    "syntax error": f">>> f(\n{TRACEBACK}SyntaxError: '(' was never closed",
    "prints, then raises": f">>> print('a'); f('a')\n{TRACEBACK}TypeError: can only concatenate str (not \"int\") to str",
    "a note": f">>> e = ValueError('a'); e.add_note('b'); raise e\n{TRACEBACK}b",
    "a note and the message": f">>> e = ValueError('a'); e.add_note('b'); raise e\n{TRACEBACK}ValueError: a\nb",
    "a syntax error of its own": f">>> raise type('E', (SyntaxError,), {{'__module__': 'm'}})('a')\n{TRACEBACK}m.E: a",
    "a string that is executed": f">>> exec('x = = 1')\n{TRACEBACK}SyntaxError: invalid syntax",
    "names go on": ">>> x = 1\n>>> f(x)\n2",
    "underscore": ">>> f(1)\n2\n>>> _\n2",
    "a loop": ">>> for n in range(2):\n...     n\n0\n1",
    "prose between": "Says.\n\n>>> f(1)\n2\n\nAnd more.\n\n    >>> f(2)\n    3",
    "tabs": ">>> print('a\\tb')\na\tb",
    "a comment alone": ">>> # nothing\n>>> f(1)\n2",
    "unicode": ">>> print('é漢')\né漢",
    "a lone surrogate": ">>> print('\\ud800')\n?",
    "trailing space": ">>> print('a ')\na",
    "no last line end": ">>> import sys; n = sys.stdout.write('a')\na",
    "1e16": ">>> 1e16\n1e+16",
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_case_has_the_verdict_of_doctest(case: str):
    module, function, text = written(CASES[case])
    assert by_us(module, function, text) == by_doctest(module, function.__doc__ or "")


@settings(max_examples=200)
@given(st.lists(st.sampled_from(sorted(CASES)), min_size=1, max_size=6))
def test_cases_in_a_row_fail_where_doctest_says(cases: list[str]):
    module, function, text = written("\n\n".join(CASES[case] for case in cases))
    assert by_us(module, function, text) == by_doctest(module, function.__doc__ or "")


WANTS = ["2", "2 3", "...", "a...b", "<BLANKLINE>", "TypeError: x", "True", "1", " 2", "é"]
PRINTED = ["2", "2\n3", "a x b", "", "\n", "True", "1\n", "2  3", "é", "\ud800"]


@given(
    st.lists(st.sampled_from(WANTS), max_size=3).map("\n".join),
    st.sampled_from(PRINTED),
    st.sampled_from(
        ["", "  # doctest: -ELLIPSIS", "  # doctest: +SKIP", "  # doctest: +IGNORE_EXCEPTION_DETAIL"]
    ),
)
def test_any_output_under_any_want(want: str, printed: str, directive: str):
    module, function, text = written(f">>> print({printed!r}, end=''){directive}\n{want}")
    assert by_us(module, function, text) == by_doctest(module, function.__doc__ or "")


LIBRARY = [
    difflib,
    heapq,
    *(__import__(name) for name in ("statistics", "textwrap", "fractions", "colorsys", "bisect")),
]


def library() -> Iterator[tuple[types.ModuleType, types.FunctionType]]:
    for module in LIBRARY:
        for owner in [module, *(c for c in vars(module).values() if isinstance(c, type))]:
            for thing in vars(owner).values():
                is_own = (
                    isinstance(thing, types.FunctionType) and thing.__code__.co_filename == module.__file__
                )
                if is_own and ">>>" in (thing.__doc__ or ""):
                    yield module, thing


def test_the_standard_library_is_judged_as_it_judges_itself():
    seen = 0
    for module, function in library():
        assert by_us(module, function, inspect.getsource(function)) == by_doctest(
            module, function.__doc__ or ""
        )
        seen += 1
    assert seen > 30


def test_a_run_that_ended_early_fails_at_the_first_example_without_an_output():
    asked = (Example("a\n", "1\n", None), Example("b\n", "", None))
    assert judge(asked, [Output("1\n")]) == Outcome(False, 1, "no-answer")
    assert judge(asked, []) == Outcome(False, 0, "no-answer")
    assert judge(asked, [Output("2\n")]) == Outcome(False, 0, "value")
    assert judge(asked, [Output("", "KeyError: 1\n")]) == Outcome(False, 0, "exception")
    assert judge(asked, [Output("1\n"), Output(""), Output("more")]) == Outcome(True)


@pytest.mark.parametrize(
    "docstring",
    ["", "Says.", ">>>f(1)", "  >>> f(1)\n 2", ">>> f(1)  # doctest: +NO_SUCH_FLAG\n2", ">>> f(1)\n...2"],
)
def test_a_docstring_without_examples_or_with_broken_ones_has_none(docstring: str):
    tree = ast.parse(
        f"def f(a):\n    r'''\n{textwrap.indent(docstring, '    ')}\n    '''\n    return a"
    ).body[0]
    assert isinstance(tree, ast.FunctionDef)
    assert examples(tree) == ()


def test_an_example_that_says_nothing_of_its_output_asserts_nothing():
    tree = ast.parse("def f(a):\n    '''\n    >>> x = 1\n    >>> f(x)\n    2\n    '''").body[0]
    assert isinstance(tree, ast.FunctionDef)
    assert [e.asserts for e in examples(tree)] == [False, True]
