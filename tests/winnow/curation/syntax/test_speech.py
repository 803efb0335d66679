import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.syntax.regions import Region
from winnow.curation.syntax.speech import speaks, with_speech

SPEAKS = {
    "2024-05-01 12:00 INFO user Ann Lee logged in\n": True,
    "Name | City\nAnn Lee | Bonn\n": True,
    "id;name\n7;Ann Lee\n": True,
    "let x = f(1);\nreturn x;\n": False,
    "a.b(c)\nd::e(f)\n": False,
    "<p>\n  <b>\n": False,
    "": False,
    "123\n---\n": False,
}


@pytest.mark.parametrize("text", SPEAKS)
def test_what_speaks(text: str) -> None:
    assert speaks(text) is SPEAKS[text]


def test_a_line_of_words_that_was_not_read_is_prose_outside_its_strings() -> None:
    text = 'ok = 1\nsay "hi" to Ann Lee now\nx = [1;\n'
    string = Region(11, 15, "string")
    found = with_speech(text, [string], [(7, 30), (31, 38)])
    assert found == [Region(7, 11, "prose"), string, Region(15, 30, "prose")]


def test_quoted_text_in_a_line_that_was_not_read_is_a_string() -> None:
    text = "do x('a b', \"c d\", 'e', it's;\nnext 'f g'\n"
    found = with_speech(text, [], [(0, 2)])
    assert [(r.kind, text[r.start : r.end]) for r in found] == [("string", "'a b'"), ("string", '"c d"')]


@pytest.mark.parametrize("unit", ["\\'", "'", '"a', "a b c ", "'\\"])
def test_a_long_line_takes_linear_time(unit: str) -> None:
    text = "x = " + unit * 200_000
    started = time.process_time()
    with_speech(text, [], [(n, n + 1) for n in range(0, 100_000, 2)])
    assert time.process_time() - started < 2


spans = st.lists(st.integers(0, 60), max_size=8, unique=True).map(sorted)


@given(st.text(alphabet='ab \n"=', min_size=60, max_size=60), spans, spans)
def test_the_spans_stay_and_the_whole_is_disjoint(text: str, edges: list[int], unread: list[int]) -> None:
    regions = [Region(a, b, "string") for a, b in zip(edges[::2], edges[1::2], strict=False)]
    found = with_speech(text, regions, list(zip(unread[::2], unread[1::2], strict=False)))
    assert set(regions) <= set(found)
    places = [edge for region in found for edge in (region.start, region.end)]
    assert places == sorted(places)
