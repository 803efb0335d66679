import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.quality.python_syntax import SYNTAX, TOO_LARGE, UNPARSEABLE, python_fault

LIMIT = 1_000_000
HOSTILE = {
    "brackets": "'(' * 100_000",
    "unary": "'-' * 100_000 + '1'",
    "sum": "'a' + '+a' * 100_000",
    "attributes": "'a' + '.b' * 100_000",
    "calls": "'f(' * 150 + ')' * 150",
    "lambdas": "'lambda: ' * 50_000 + '1'",
    "not": "'not ' * 50_000 + 'x'",
    "power": "'2' + '**2' * 50_000",
    "indents": "''.join(' ' * i + 'if 1:\\n' for i in range(1000))",
    "elif": "'if a: pass\\n' + 'elif a: pass\\n' * 20_000",
    "else-if": "'x' + ' if a else x' * 50_000",
    "digits": "'9' * 100_000",
    "strings": "\"'a'\" * 100_000",
    "f-string": '"f\'{" * 1000',
    "dicts": "'{1:' * 150",
    "semicolons": "'a;' * 100_000",
    "nul": "'a = 1\\0'",
    "decorators": "'@a\\n' * 50_000",
    "continuation": "'\\\\\\n' * 50_000",
    "surrogate": "'x = \"\\ud800\"'",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_ends_the_process_or_takes_long(name: str) -> None:
    code = (
        "from winnow.curation.quality.python_syntax import python_fault;"
        f"fault = python_fault({HOSTILE[name]}, {LIMIT}); print(fault and fault.rule)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 0, done.stderr[-300:]
    assert done.stdout.strip() in ("None", SYNTAX, UNPARSEABLE)


@pytest.mark.parametrize(
    "text", ["", "x = 1\r\ny = 2\r", "\ufeffx = 1", "    return x\n", "async def f(): ...", "é = '\\d'"]
)
def test_files_and_fragments_parse(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert python_fault(text, LIMIT) is None


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_syntax_error_spans_its_line(line_end: str) -> None:
    text = line_end.join(["é = 1", "def f(:", "    pass"])
    fault = python_fault(text, LIMIT)
    assert fault is not None
    assert (fault.rule, text[fault.start : fault.end]) == (SYNTAX, "def f(:")


def test_python_2_and_nul_and_size_have_their_rules() -> None:
    for text, rule in (
        ("print 'x'", SYNTAX),
        ("a = 1\0", UNPARSEABLE),
        ("x" * 11, TOO_LARGE),
        ("é" * 6, TOO_LARGE),
    ):
        fault = python_fault(text, 10)
        assert fault is not None
        assert fault.rule == rule


@given(st.text(alphabet="ab =:()\n\t'\"#\\\x0c\r0é", max_size=30))
def test_spans_lie_inside(text: str) -> None:
    fault = python_fault(text, LIMIT)
    assert fault is None or 0 <= fault.start <= fault.end <= len(text)


def test_the_standard_library_parses() -> None:
    files = sorted(Path(subprocess.__file__).parent.glob("*.py"))[:60]
    assert len(files) == 60
    assert [f.name for f in files if python_fault(f.read_text(encoding="utf-8"), LIMIT)] == []
