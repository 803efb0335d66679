"""Spans are those of Python's own parser, and operands keep together."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_functions import functions, library_functions

from winnow.curation.preference.mutations import FunctionText

# The functions say `"\\d"`, and here the tests parse them themselves.
pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence")
library = st.integers(0, len(library_functions()) - 1).map(lambda n: library_functions()[n])


@settings(max_examples=60)
@given(st.one_of(functions(), library))
def test_the_text_of_a_node_is_its_source_segment(source: str):
    function = FunctionText(source)
    for node in function.nodes():
        if hasattr(node, "lineno"):
            assert function.of(node) == ast.get_source_segment(source, node)


@settings(max_examples=40)
@given(st.one_of(functions(), library))
def test_an_operand_means_the_same_wherever_it_stands(source: str):
    function = FunctionText(source)
    for node in function.nodes():
        if isinstance(node, ast.expr) and not isinstance(node, ast.Starred | ast.Slice | ast.Yield):
            before = ast.get_source_segment(source, node)
            alone = ast.parse(f"({before})", mode="eval").body
            if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
                continue
            assert ast.dump(ast.parse(f"not {function.operand(node)}", mode="eval").body.operand) == ast.dump(
                alone
            )


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(a: 'b' = c) -> d: return e", ["e"]),
        ("@a\ndef f():\n    '''b'''\n    c: d = e", ["c", "e"]),
        ("def f():\n    assert a, b", ["a"]),
        ("def f():\n    raise a from b", []),
        ("def f():\n    return f'{a}' + b", ["b"]),
        ("def f():\n    def g(a: b = c) -> d:\n        @e\n        def h(): return i", ["c", "i"]),
    ],
)
def test_annotations_decorators_messages_and_f_strings_are_left_out(source: str, names: list[str]):
    assert [n.id for n in FunctionText(source).nodes() if isinstance(n, ast.Name)] == names


def test_what_the_parser_warns_of_is_not_told(recwarn: pytest.WarningsRecorder):
    FunctionText('def f(a):\n    "\\d"\n    return a is 1')
    assert list(recwarn) == []
