import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

sys.path.insert(0, str(Path(__file__).parent))
from planted_texts import VALUES, rich_texts, rich_values

from winnow.curation.sanitize.detector import Detector, pattern
from winnow.curation.sanitize.registry import DETECTORS
from winnow.curation.sanitize.scan import Hit, looking_for, merged, replaced
from winnow.curation.sanitize.scan import scan as find

LOOK = looking_for(DETECTORS)


def scan(text: str, detectors: Sequence[Detector] = DETECTORS, is_json: bool = False) -> list[Hit]:
    """Disjoint hits."""
    return merged(find(text, looking_for(detectors) if detectors is not DETECTORS else LOOK, is_json))


def replace(text: str, hits: list[Hit]) -> str:
    return replaced(
        text, hits, lambda h: f'"{h.detector.placeholder}"' if h.quoted else h.detector.placeholder
    )


@given(rich_texts)
def test_what_is_left_holds_no_further_hit(text: str) -> None:
    assert scan(replace(text, scan(text, DETECTORS)), DETECTORS) == []


@given(rich_texts)
def test_hits_are_disjoint_and_ascending_and_inside(text: str) -> None:
    edges = [edge for hit in scan(text, DETECTORS) for edge in (hit.start, hit.end)]
    assert edges == sorted(edges)
    assert not edges or (edges[0] >= 0 and edges[-1] <= len(text))


@given(rich_values)
def test_json_stays_json_of_the_same_shape_and_holds_no_further_hit(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        out = replace(text, scan(text, DETECTORS, is_json=True))
        # a number that is private becomes a string
        assert type(json.loads(out)) is type(value) or (isinstance(value, int) and out.startswith('"<'))
        assert scan(out, DETECTORS, is_json=True) == []


@given(rich_texts)
def test_json_hides_nothing_that_the_plain_text_shows(text: str) -> None:
    dumped = json.dumps({"code": text})
    out = json.loads(replace(dumped, scan(dumped, DETECTORS, is_json=True)))["code"]
    assert scan(out, DETECTORS) == []


def test_json_escapes_are_seen_through() -> None:
    text = r'{"to": "\nann\u0040site.io", "url": "https:\/\/x"}'
    out = replace(text, scan(text, DETECTORS, is_json=True))
    assert json.loads(out) == {"to": "\n<EMAIL_ADDRESS>", "url": "https://x"}


def test_a_secret_under_its_key_is_found_in_json() -> None:
    text = json.dumps({"aws_secret_access_key": "fvMYrB52K/OYb3Yg6APZg225uX3NUF0RSrW/h2br"})
    out = json.loads(replace(text, scan(text, DETECTORS, is_json=True)))
    assert out == {"aws_secret_access_key": "<TOKEN>"}


def test_overlaps_become_one_span_under_the_longest() -> None:
    short = Detector("short", "s", ("b",), pattern("bc"))
    long = Detector("long", "l", ("a",), pattern("abcd"))
    beyond = Detector("beyond", "b", ("d",), pattern("de"))
    for order in ((short, long, beyond), (beyond, long, short)):
        hits = scan("xabcdex", order)
        assert [(h.start, h.end, h.detector.category) for h in hits] == [(1, 6, "long")]


def test_what_a_replacement_uncovers_is_found_with_spans_into_the_input() -> None:
    inner = Detector("inner", "i", ("bb",), pattern("bb"))
    outer = Detector("outer", "o", ("a",), pattern("a<INNER>a"))
    hits = scan("..abba..", (inner, outer))
    assert [(h.start, h.end, h.detector.category) for h in hits] == [(2, 6, "outer")]


@pytest.mark.parametrize(
    "piece", ["a@", "a.b@c.", "eyJ", "eyJa.eyJ", "-----BEGIN PRIVATE KEY-----", "/home/a-", '"\\', *VALUES]
)
def test_time_grows_with_length_not_with_its_square(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        begin = time.perf_counter()
        scan(text, DETECTORS, is_json=True)
        return time.perf_counter() - begin

    seconds(1000)
    assert seconds(200_000) < max(1.0, 20 * seconds(50_000))
