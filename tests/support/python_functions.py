"""Python functions to put faults into: generated ones in odd dress, and those of the standard library."""

import ast
import sysconfig
import textwrap
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from winnow.curation.preference.mutations.function_text import Edit, FunctionText

MODULES = [
    "argparse",
    "bisect",
    "calendar",
    "collections/__init__",
    "colorsys",
    "configparser",
    "csv",
    "datetime",
    "difflib",
    "dis",
    "email/header",
    "enum",
    "fractions",
    "functools",
    "gettext",
    "heapq",
    "inspect",
    "ipaddress",
    "json/encoder",
    "locale",
    "mailbox",
    "optparse",
    "pickletools",
    "posixpath",
    "pprint",
    "random",
    "shlex",
    "statistics",
    "string",
    "tarfile",
    "textwrap",
    "tokenize",
    "turtle",
    "typing",
    "unittest/mock",
]
ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=", "is", "in", "is not", "not in", "is \\\n not", "not  in")
HUGE = f"0x{'f' * 70}"
_NAMES = st.sampled_from(["a", "b", "größe", "Δ", "items", "self.x"])
_NUMBERS = ["0", "1", "-1", "0x10", "1e3", "1_000", "0.5", "1e999", "True", "None", "...", "2j", HUGE]
_TEXTS = [
    '"é"',
    "''",
    '"x" "y"',
    "b'x'",
    "f'{a + 1:>{b}}é'",
    '"""two\nlines"""',
    r'"\ud800"',
    "'%d' % a",
    r"'\d'",
]


@cache
def library_functions() -> tuple[str, ...]:
    """Functions of the standard library with their decorators, dedented as they stand."""
    folder = Path(sysconfig.get_path("stdlib"))
    found = []
    for name in MODULES:
        text = (folder / f"{name}.py").read_text(encoding="utf-8")
        lines = text.split("\n")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
                start = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
                source = textwrap.dedent("\n".join(lines[start : node.end_lineno]))
                if source[:1].strip() and len(source) < 4000:
                    found.append(source)
    return tuple(dict.fromkeys(found))


def _dressed(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """The same expression in parentheses, over lines, with comments beside it."""
    forms = ["{}", "({})", "( {} )", "(  # a or b < 1\n    {}\n    )", "(\n\n{})", "(\\\n {})"]
    return st.builds(lambda form, text: form.format(text), st.sampled_from(forms), parts)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operand = _dressed(inner).map(
        lambda text: text if text[0] in "(\"'" or text.isidentifier() else f"({text})"
    )
    binary = st.sampled_from(
        [
            *ARITHMETIC,
            *COMPARISONS,
            "and\
",
            "or",
        ]
    )
    return st.one_of(
        st.builds("{} {} {}".format, operand, binary, operand),
        st.builds("{} < {} <= {} != {}".format, operand, operand, operand, operand),
        st.builds("{} and {} and not {}".format, operand, operand, operand),
        st.builds("not{}".format, operand.map(lambda text: f"({text})")),
        st.builds("{} if {} else {}".format, operand, operand, operand),
        st.builds("f({}, {}, *{}, k={})".format, operand, operand, operand, operand),
        st.builds("f({}, # first, second\n {})".format, operand, operand),
        st.builds("range({}, {})".format, operand, operand),
        st.builds("len({})".format, operand),
        st.builds("items[{}:{}]".format, operand, operand),
        st.builds("items[{}]".format, st.sampled_from(["0", "-1", "2, 1", "1:", "::2", "not 1"])),
        st.builds("[{} for a, b in {} if {} if not a]".format, operand, operand, operand),
        st.builds("(w := {})".format, operand),
        st.builds("(lambda a, *b, c=1: {})".format, operand),
        st.builds("{{**{}, 'k': {}}}".format, operand, operand),
    )


expressions = st.recursive(
    st.one_of(_NAMES, st.sampled_from(_NUMBERS), st.sampled_from(_TEXTS)), _compound, max_leaves=5
)
_simple = st.one_of(
    st.builds("x = {}".format, _dressed(expressions)),
    st.builds("x: 'int' = {}".format, expressions.map("({})".format)),
    st.builds("x {}= {}".format, st.sampled_from(ARITHMETIC), _dressed(expressions)),
    st.builds("é = 'é'; x = {}; f(x, é)".format, _dressed(expressions)),
    st.builds("return {}".format, _dressed(expressions)),
    st.builds("raise ValueError({})".format, expressions),
    st.builds("assert {}, 'a < b'".format, _dressed(expressions)),
    st.sampled_from(
        ["global g", "del x", "pass", "'stands alone'", "f(a, b)", "yield a", "import os", "x = x = 1"]
    ),
)


def _block(body: str) -> str:
    return textwrap.indent(body, "    ", lambda line: True)


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    test, body = _dressed(expressions), st.lists(inner, min_size=1, max_size=2).map("\n".join).map(_block)
    return st.one_of(
        st.builds("if {}:\n{}".format, test, body),
        st.builds("if {}:\n{}\nelif {}:\n{}".format, test, body, test, body),
        st.builds("while {}:\n{}\nelse:\n{}".format, test, body, body),
        st.builds("for a, *b in {}:\n{}".format, test, body),
        st.builds("try:\n{}\nexcept (KeyError, OSError) as e:\n{}\nfinally:\n{}".format, body, body, body),
        st.builds("with f({}) as h:\n{}".format, expressions, body),
        st.builds("def inner(a=1, /, *, b: 'é' = 2):\n    'text'\n{}".format, body),
        st.builds(
            "match {}:\n    case [1, *r] if {}:\n{}\n    case {{'k': 2}}:\n{}".format,
            test,
            test,
            body.map(_block),
            body.map(_block),
        ),
        st.builds("if {}: x = 1; f(x, a)".format, test),
    )


statements = st.recursive(_simple, _nested, max_leaves=4)
_heads = st.sampled_from(
    [
        "def g(a, b=1 + 2, *c, größe: 'x < y' = 3, **d) -> 'a and b':",
        "@f(1 + 2, 'é')\n@h\ndef g(self, a, /, b):",
        "async def g(a):",
        "def g(\n    a,  # 1 < 2\n    b=None,\n):  # note",
    ]
)
_docstrings = st.sampled_from(
    ["", '    """Says é: 1 < 2.\n\n    >>> g(1, 2)\n    3\n    """\n', "    'one line'; 1 + 1\n"]
)


def faults(edits: Callable[[FunctionText], Iterator[Edit]], statement: str) -> list[str]:
    """What an operator makes of a statement; those that compile, in the order of the text."""
    before = "def f(a, b, é, items, **k):\n"
    function = FunctionText(before + _block(statement) + "\n    return a")
    made = [edit.applied(function.text) for edit in edits(function)]
    for text in made:
        assert text.startswith(before)
        assert text.endswith("\n    return a")
    return [_unindented(text) for text in made if _compiles(text)]


def _unindented(text: str) -> str:
    lines = text.split("\n")[1:-1]
    return "\n".join(line.removeprefix("    ") for line in lines)


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "generated", "exec")
    except SyntaxError:
        return False
    return True


@st.composite
def functions(draw: st.DrawFn) -> str:
    """A function that parses; what it would do is nobody's concern."""
    body = "\n".join(draw(st.lists(statements, max_size=3)))
    text = f"{draw(_heads)}\n{draw(_docstrings)}{_block(body or 'pass')}"
    return text if _compiles(text) else f"{draw(_heads)}\n{_block('return a + 1')}"
