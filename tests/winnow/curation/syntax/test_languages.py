from collections.abc import Callable

import pytest

Shown = list[tuple[str, str]]
Show = Callable[..., Shown]

CASES: dict[str, tuple[str, Shown]] = {
    "python": (
        "x = f\"a {y!r:>{w}} {'in'} z\" \"two\" b'x'  # c\n",
        [
            ("string", 'f"a '),
            ("string", "'in'"),
            ("string", ' z"'),
            ("string", '"two"'),
            ("string", "b'x'"),
            ("comment", "# c"),
        ],
    ),
    "javascript": (
        "#!/usr/bin/env node\nconst a = `x ${b + 'c'} y`; /* d */ f(/no'pe/g);\nlet e = <p t=\"q\">Hi {n}, bye</p>;",
        [
            ("comment", "#!/usr/bin/env node"),
            ("string", "`x "),
            ("string", "'c'"),
            ("string", " y`"),
            ("comment", "/* d */"),
            ("string", '"q"'),
            ("string", "Hi "),
            ("string", ", bye"),
        ],
    ),
    "typescript": (
        "let a = <string>b; // c\ntype T = 'x' | \"y\";",
        [("comment", "// c"), ("string", "'x'"), ("string", '"y"')],
    ),
    "java": (
        '/** Doc. */ class A { String s = "x\\n"; char c = \'d\'; String t = """\n  block """; } // e',
        [
            ("comment", "/** Doc. */"),
            ("string", '"x\\n"'),
            ("string", '"""\n  block """'),
            ("comment", "// e"),
        ],
    ),
    "go": (
        "package a\n\n// one\n// two\n\n// three\nvar x = `raw` + \"s\" + string('r')\n",
        [("comment", "// one\n// two"), ("comment", "// three"), ("string", "`raw`"), ("string", '"s"')],
    ),
    "rust": (
        '//! Crate.\nfn f<\'a>() { println!("hi {x}", r#"ra"w"#, b"b"); /* in /* side */ out */ }',
        [
            ("comment", "//! Crate."),
            ("string", '"hi {x}"'),
            ("string", 'r#"ra"w"#'),
            ("string", 'b"b"'),
            ("comment", "/* in /* side */ out */"),
        ],
    ),
    "c": (
        '#include <stdio.h>\n#include "a.h"\n#define WHO "Ann" /* x */ // y\nchar *s = "a" "b"; int q = \'c\';\n',
        [
            ("string", '"a.h"'),
            ("string", '"Ann"'),
            ("comment", "/* x */ // y"),
            ("string", '"a"'),
            ("string", '"b"'),
        ],
    ),
    "cpp": (
        'auto s = R"(ra"w)" + u8"w"; // c\n// d\n',
        [("string", 'R"(ra"w)"'), ("string", 'u8"w"'), ("comment", "// c\n// d")],
    ),
    "shell": (
        '#!/bin/sh\necho "hi $x $(ls "a") bye" \'raw\' bare\ncat <<EOF\nDear $name,\nhello\nEOF\n',
        [
            ("comment", "#!/bin/sh"),
            ("string", '"hi '),
            ("string", '"a"'),
            ("string", ' bye"'),
            ("string", "'raw'"),
            ("string", "Dear "),
            ("string", ",\nhello\n"),
        ],
    ),
    "sql": (
        "-- a\nSELECT 'it''s', 12, E'e' /* b */ FROM t;\nCOMMENT ON TABLE t IS 'c';\n",
        [
            ("comment", "-- a"),
            ("string", "'it''s'"),
            ("string", "E'e'"),
            ("comment", "/* b */"),
            ("string", "'c'"),
        ],
    ),
    "yaml": (
        "# a\nname: Ann Lee\n\"k\": 'v'\nn: [1, true, x y]\ntext: |\n  two\n  lines\nend: 1\n",
        [
            ("comment", "# a"),
            ("string", "Ann Lee"),
            ("string", "'v'"),
            ("string", "x y"),
            ("string", "|\n  two\n  lines"),
        ],
    ),
}


@pytest.mark.parametrize("language", CASES)
def test_comments_and_strings(shown: Show, language: str) -> None:
    text, expected = CASES[language]
    assert shown(text, language) == expected


def test_tags_choose_the_typescript_that_knows_them(shown: Show) -> None:
    text = 'const a: JSX.Element = <p title="t">Call Ann</p>;'
    assert shown(text, "typescript") == [("string", '"t"'), ("string", "Call Ann")]


@pytest.mark.parametrize(("alias", "language"), [("Bash", "shell"), ("C++", "cpp"), ("JS", "javascript")])
def test_a_language_goes_under_the_names_of_tags_too(shown: Show, alias: str, language: str) -> None:
    text, expected = CASES[language]
    assert shown(text, alias) == expected


DOCSTRINGS = {
    '"""m"""\n': ['"""m"""'],
    '# c\n\n"""m"""\nx = 1\n': ['"""m"""'],
    "class A:\n    'c'\n    def f(self):\n        # first\n        r'd'\n": ["'c'", "r'd'"],
    'async def f():\n    """a""" "b"\n': ['"""a"""', '"b"'],
    "def f(): 'one line'\n": ["'one line'"],
    "import x\n'late'\n": [],
    "def f():\n    return 1\n    'late'\n": [],
    "def f():\n    f'{x}'\n": [],
    "def f():\n    b'x'\n": [],
    "def f():\n    'x', 1\n": [],
    "def f():\n    'x'.join(y)\n": [],
    "def f(x='no'):\n    pass\n": [],
    "if x:\n    'no'\n": [],
}


@pytest.mark.parametrize("text", DOCSTRINGS)
def test_docstrings_are_what_python_calls_so(shown: Show, text: str) -> None:
    assert [shown for kind, shown in shown(text, "python") if kind == "docstring"] == DOCSTRINGS[text]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_comment_ends_with_its_line_whatever_ends_lines(shown: Show, end: str) -> None:
    text = end.join(["# one", "x = 1", "y = 'é'  # two", "z = 2", ""])
    assert shown(text, "python") == [("comment", "# one"), ("string", "'é'"), ("comment", "# two")]
