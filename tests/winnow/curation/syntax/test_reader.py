import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.curation.syntax import Limits, Region, Regions, SyntaxReader
from winnow.curation.syntax.grammars import GRAMMARS

PIECES = [
    "'",
    '"',
    '"""',
    "`",
    "#",
    "//",
    "/*",
    "*/",
    "{",
    "}",
    "${",
    "$(",
    ")",
    "f'",
    "\n",
    "\r\n",
    " ",
    "\\",
]
PIECES += [
    "é",
    "🚀",
    "a",
    "x = ",
    "def f():\n    ",
    "- ",
    "a: ",
    "<p>",
    "</p>",
    "--",
    "<<E",
    'R"(',
    "\0",
    "\ud800",
    "```\n",
]
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
languages = st.sampled_from(sorted(GRAMMARS))


def covers_in_order(regions: Regions, text: str) -> bool:
    edges = [edge for region in regions.spans for edge in (region.start, region.end)]
    inside = not edges or (edges[0] >= 0 and edges[-1] <= len(text))
    return inside and edges == sorted(edges) and all(r.start < r.end for r in regions.spans)


@given(texts, languages)
@settings(max_examples=400)
def test_regions_of_any_text_are_ascending_disjoint_and_inside(
    reader: SyntaxReader, text: str, language: str
) -> None:
    assert covers_in_order(reader.regions(text, language), text)


@given(texts)
@settings(max_examples=200)
def test_regions_of_any_chat_are_so_too(reader: SyntaxReader, text: str) -> None:
    assert covers_in_order(reader.regions(text, None, "chat"), text)


@given(texts, languages)
@settings(max_examples=100)
def test_another_process_says_the_same(reader: SyntaxReader, text: str, language: str) -> None:
    first = reader.regions(text, language)
    assert reader.regions(text, language) == first


def test_a_fresh_process_says_the_same(reader: SyntaxReader) -> None:
    text = "x = 'é'  # 🚀\n" * 50
    with SyntaxReader() as other:
        assert other.regions(text, "python") == reader.regions(text, "python")


@given(st.text(alphabet="aé漢🚀𝒜", max_size=20), st.text(alphabet="bé漢🚀𝒜 ", max_size=20))
@settings(max_examples=100)
def test_offsets_are_code_points(reader: SyntaxReader, inside: str, after: str) -> None:
    text = f"x = '{inside}'  # {after}|\ny = 1\n"
    string, comment = reader.regions(text, "python").spans
    assert text[string.start : string.end] == f"'{inside}'"
    assert text[comment.start : comment.end] == f"# {after}|"


@pytest.mark.parametrize("language", [None, "", "markdown", "cobol", "json"])
def test_without_a_grammar_all_is_prose(reader: SyntaxReader, language: str | None) -> None:
    assert reader.regions("a b", language) == Regions((Region(0, 3, "prose"),), "no-grammar")


@pytest.mark.parametrize("form", ["file", "chat"])
def test_an_empty_text_has_no_region(reader: SyntaxReader, form: str) -> None:
    assert reader.regions("", "python", form) == Regions(())  # type: ignore[arg-type]


def whole(text: str, problem: str) -> Regions:
    return Regions((Region(0, len(text), "prose"),), problem)  # type: ignore[arg-type]


def test_a_text_is_too_large_by_its_bytes() -> None:
    with SyntaxReader(Limits(max_bytes=10)) as small:
        assert small.regions("# " + "é" * 4, "python").problem is None
        assert small.regions("# " + "é" * 5, "python") == whole("# ééééé", "too-large")
        assert small.regions("# " + "e" * 90, "python") == whole("# " + "e" * 90, "too-large")


def test_a_string_too_deep_in_the_tree_is_a_problem_and_depth_alone_is_none() -> None:
    with SyntaxReader(Limits(max_depth=100)) as shallow:
        text = "x = " + "(" * 500 + "'deep'" + ")" * 500
        assert shallow.regions(text, "python") == whole(text, "too-deep")
        assert shallow.regions(text.replace("'deep'", "1"), "python") == Regions(())


def test_a_parser_out_of_time_is_ended_and_the_next_text_is_read() -> None:
    text = "x = [1, {'a': f(b)}]\n" * 60_000
    with SyntaxReader(Limits(seconds=0.02, seconds_per_megabyte=0.02)) as hasty:
        assert hasty.regions(text, "python") == whole(text, "timeout")
        assert hasty.regions("# a", "python") == Regions((Region(0, 3, "comment"),))


def test_a_parser_out_of_memory_is_a_crash_and_the_next_text_is_read() -> None:
    text = "x = [1, {'a': f(b)}]\n" * 100_000
    with SyntaxReader(Limits(memory_bytes=64 << 20)) as narrow:
        assert narrow.regions(text, "python") == whole(text, "crash")
        assert narrow.regions("# a", "python") == Regions((Region(0, 3, "comment"),))


def test_a_reader_travels_as_its_limits() -> None:
    limits = replace(Limits(), seconds=1.5)
    with SyntaxReader(limits) as original:
        original.regions("# a", "python")
        with pickle.loads(pickle.dumps(original)) as copy:
            assert copy.limits == limits
            assert copy.child_pid is None
