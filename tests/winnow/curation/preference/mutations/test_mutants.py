"""Laws of every mutant, on functions of the standard library and on generated ones in odd dress."""

import ast
import warnings
from itertools import islice, takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_functions import functions, library_functions

from winnow.curation.preference.mutations import NAMES, OPERATORS, FunctionText, Mutant, mutants

library = st.integers(0, len(library_functions()) - 1).map(lambda n: library_functions()[n])
sources = st.one_of(functions(), library)


def tree_of(text: str) -> ast.FunctionDef | ast.AsyncFunctionDef:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
        compile(tree, "mutant", "exec")
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    return function


def head_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[object]:
    signature = [ast.dump(function.args), *(ast.dump(d) for d in function.decorator_list)]
    returns = function.returns and ast.dump(function.returns)
    return [type(function), function.name, signature, returns, ast.get_docstring(function, clean=False)]


def changed_statements(old: list[str], new: list[str]) -> list[str]:
    """The old ones between what both begin and end with."""
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))))
    old, new = old[same:], new[same:]
    tail = zip(reversed(old), reversed(new), strict=False)
    return old[: len(old) - len(list(takewhile(lambda pair: pair[0] == pair[1], tail)))]


def assert_is_a_mutant(source: str, mutant: Mutant) -> None:
    before, after = tree_of(source), tree_of(mutant.text)
    assert ast.dump(before) != ast.dump(after)
    assert head_of(before) == head_of(after)
    assert len(changed_statements([ast.dump(s) for s in before.body], [ast.dump(s) for s in after.body])) <= 1
    same = takewhile(lambda pair: pair[0] == pair[1], zip(source, mutant.text, strict=False))
    shared = len(list(same))
    assert source.count("\n", 0, shared) >= mutant.line - 1
    body = FunctionText(source).body
    assert not body or shared >= FunctionText(source).span(body[0])[0]


@settings(max_examples=60)
@given(sources, st.sampled_from(["one", "two"]))
def test_a_mutant_is_the_function_with_one_fault(source: str, seed: str):
    for mutant in mutants(source, seed):
        assert_is_a_mutant(source, mutant)


@settings(max_examples=40)
@given(sources)
def test_each_mutant_comes_once_and_says_which_operator_made_it(source: str):
    made = list(mutants(source, "s"))
    assert len({ast.dump(tree_of(m.text)) for m in made}) == len(made)
    function = FunctionText(source)
    for mutant in made:
        (module,) = (m for m in OPERATORS if mutant.operator == m.NAME)
        assert any(edit.applied(source) == mutant.text for edit in module.edits(function))


@settings(max_examples=40)
@given(sources)
def test_an_edit_changes_nothing_outside_of_itself(source: str):
    function = FunctionText(source)
    for module in OPERATORS:
        for edit in module.edits(function):
            assert 0 <= edit.start <= edit.end <= len(source)
            assert edit.applied(source) == source[: edit.start] + edit.text + source[edit.end :]


@settings(max_examples=20)
@given(sources)
def test_the_same_seed_gives_the_same_order(source: str):
    assert list(mutants(source, "s")) == list(mutants(source, "s"))


def test_another_seed_gives_another_order_of_the_same_mutants():
    differing = 0
    for source in library_functions()[::40]:
        one, two = ([m.text for m in mutants(source, seed)] for seed in ("one", "two"))
        assert {ast.dump(tree_of(t)) for t in one} == {ast.dump(tree_of(t)) for t in two}
        differing += one != two
    assert differing > 10


def test_operators_take_turns():
    made = list(mutants("def f(a, b):\n    if a < b and a != 0:\n        g(a, b)\n    return a[0] + 1", "s"))
    assert {m.operator for m in made[: len(NAMES)]} == set(NAMES)


def test_every_operator_finds_something_in_the_standard_library():
    found = {m.operator for source in library_functions()[::25] for m in mutants(source, "s")}
    assert found == set(NAMES)


@pytest.mark.parametrize(
    "source",
    [
        "def f(): pass",
        'def f():\n    """Only text."""',
        "def f(): ...",
        "def f():\n    'text'\n    pass",
        'def f(a):\n    raise ValueError("a" + "b" if a < 1 else g(1, 2))',
        'def f(a):\n    return f"{a + 1} {a[0]} {g(a, 1)}"',
        "def f(a):\n    x: 'a < 1' = a\n    return x",
        "def f(a=1 + 2): return a",
        f"def f(a): return a + 0x{'f' * 5000}",
    ],
)
def test_nothing_to_break_gives_none(source: str):
    assert list(mutants(source, "s")) == []


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        "def f(): pass\ndef g(): pass",
        "class A: pass",
        "def f(:",
        "def f():\r\n    return 1",
        "",
        "\0",
    ],
)
def test_what_is_not_one_function_is_refused(source: str):
    with pytest.raises((SyntaxError, ValueError)):
        list(mutants(source, "s"))


@pytest.mark.parametrize("depth", [60, 300, 900, 985, 990, 995, 1000, 3000])
def test_depth_is_taken_or_left_alike_wherever_it_is_asked(depth: int):
    source = "def f(a):\n    return " + "+".join(["a"] * depth)

    def below(frames: int) -> list[Mutant] | str:
        if frames:
            return below(frames - 1)
        try:
            return list(islice(mutants(source, "s"), 2))
        except RecursionError:
            return "refused"

    assert below(800) == below(0)
    assert len(below(0)) == 2 or depth > 900
