"""Texts that made parsers crash, hang or swell: each is answered, and soon."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from reading import cases

from winnow.curation.syntax import Limits, Region, Regions, SyntaxReader, language_of_fence, language_of_file
from winnow.curation.syntax.grammars import GRAMMARS

MANY = 30_000
REPORTED = {
    # tree-sitter#5807: recursion for each level, and `str(node)` ends the process
    "parentheses": "x = " + "(" * MANY + ")" * MANY,
    "brackets": "[" * MANY + "]" * MANY,
    "braces": "int main(){" + "{" * MANY + "}" * MANY + "}",
    "strings in brackets": "f('a', [" * (MANY // 10) + "])" * (MANY // 10),
    # tree-sitter-bash#337: five bytes
    "five bytes": "{\U00031860",
    # tree-sitter-json#30: one more top-level value than fits 16 bits
    "top-level values": "1\n" * 65_537,
    # tree-sitter-python#207: tabs, and tabs mixed with spaces
    "tabs": "class A:\n\tdef f(self):\n\t\tif x:\n\t\t\treturn 1\n\n\tdef g(self):\n\t    pass\n",
    # YAML's grammar 0.7.2 ends its process here
    "indents": "".join(" " * n + "if x:\n" for n in range(800)) + " " * 800 + "pass\n",
    "quotes": "'" * MANY,
    "openings": "`${" * MANY,
    "heredocs": "cat <<A\n" * 1_000,
    "comments": "/*" * MANY,
    "NUL": "x = 1\0\0# a\n'b'\n",
    "surrogates": "x = '\ud800\udfff'  # \udc00",
    "byte order mark": "\ufeff# a\nx = 'b'\n",
}
LIMITS = Limits(seconds=0.2, seconds_per_megabyte=1.0)


@pytest.fixture(scope="module")
def brisk() -> SyntaxReader:
    with SyntaxReader(LIMITS) as reader:
        yield reader


@pytest.mark.parametrize("language", sorted(GRAMMARS))
@pytest.mark.parametrize("name", REPORTED)
def test_a_reported_text_is_answered(brisk: SyntaxReader, name: str, language: str) -> None:
    text = REPORTED[name]
    regions = brisk.regions(text, language)
    if regions.problem is None:
        assert all(0 <= r.start < r.end <= len(text) for r in regions.spans)
    else:
        assert regions.spans == (Region(0, len(text), "prose"),)
        assert regions.problem in {"timeout", "too-deep", "crash"}
    assert brisk.regions("# a", "python") == Regions((Region(0, 3, "comment"),))


def test_more_than_a_megabyte_is_read(reader: SyntaxReader) -> None:
    """py-tree-sitter#186: more than a megabyte ended the process."""
    text = "x = {'a': [1, 'b', f(c)]}  # d\n" * 40_000
    assert len(reader.regions(text, "python").spans) == 3 * 40_000


def test_what_stands_between_odd_characters_is_found(brisk: SyntaxReader) -> None:
    for name, found in (("NUL", ["# a", "'b'"]), ("surrogates", ["'\ud800\udfff'", "# \udc00"])):
        text = REPORTED[name]
        assert [text[r.start : r.end] for r in brisk.regions(text, "python").spans] == found


@pytest.mark.slow
def test_hostile_files_are_answered_in_every_form(brisk: SyntaxReader, tmp_path: Path) -> None:
    script = cases("hostile/make_hostile.py")
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, capture_output=True)
    listed = [json.loads(line) for line in (tmp_path / "MANIFEST.jsonl").read_text().splitlines()]
    files = [tmp_path / entry["file"] for entry in listed if entry["file"].startswith("code/")]
    read = 0
    for path in files:
        if path.is_symlink() or not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        started = time.process_time()
        guesses = language_of_file(path.name, text), language_of_file(None, text), language_of_fence("", text)
        regions = [brisk.regions(text, guess.language) for guess in guesses]
        regions += [brisk.regions(text, None, "chat"), brisk.regions(text, "python")]
        assert time.process_time() - started < 5, path.name
        for found in regions:
            edges = [edge for region in found.spans for edge in (region.start, region.end)]
            assert edges == sorted(edges)
            assert not edges or (edges[0] >= 0 and edges[-1] <= len(text))
        read += 1
    assert read > 40
