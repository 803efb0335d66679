import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.names import NameFinder, NameHit, may_hold_name
from winnow.curation.sanitize.names.finder import disjoint

SEGMENTS = [
    "# Author: Siobhan Kovalenko\n# Parses the header.",
    "I met Pavel Hrubesch in Prague, and Zorblatt Kowalik was there too.",
    "Please ask Mustafa why the Kafka consumer lags.",
    "Yesterday Ingrid Solheim and Mateo Quintanilla presented the paper of Ludwig van Oosterhuis.",
    "Uses Dijkstra's algorithm. See Visual Studio Code.",
    "id,name\n1,Chiara Bellandi\n",
    "Tosh Olsen lives at 172 Maneeži 75, Saareküla",
    "have you heard nijito asano speak yet?",
    "Ship it to 12 Acacia Avenue, Leeds LS1 4AB today.",
    "# reviewed by 王伟",
    "",
]


@pytest.fixture(scope="module")
def finder():
    return NameFinder()


def test_persons_and_addresses_are_found_with_their_spans(finder):
    found = finder.find(SEGMENTS)
    values = [
        {(s[h.start : h.end], h.category) for h in hits} for s, hits in zip(SEGMENTS, found, strict=True)
    ]
    assert ("Siobhan Kovalenko", "person") in values[0]
    assert ("Pavel Hrubesch", "person") in values[1]
    assert ("Mustafa", "person") in values[2]
    assert {
        ("Ingrid Solheim", "person"),
        ("Mateo Quintanilla", "person"),
        ("Ludwig van Oosterhuis", "person"),
    } <= values[3]
    assert values[4] == set()
    assert values[5] == {("Chiara Bellandi", "person")}
    assert ("nijito asano", "person") in values[7]
    assert values[8] == {("12 Acacia Avenue, Leeds LS1 4AB", "address")}
    assert values[9] == {("王伟", "person")}
    assert values[10] == set()


def test_the_batch_does_not_change_the_hits(finder):
    many = SEGMENTS * 3
    together = finder.find(many)
    assert together == [finder.find([segment])[0] for segment in many]
    order = list(range(len(many)))
    random.Random(5).shuffle(order)
    assert [together[i] for i in order] == finder.find([many[i] for i in order])


def test_what_the_gate_skips_holds_no_hit(finder):
    for segment, hits in zip(SEGMENTS, finder.find(SEGMENTS), strict=True):
        assert may_hold_name(segment) or not hits


@given(
    st.lists(
        st.sampled_from(
            [
                "Siobhan",
                "Kovalenko",
                "parse",
                "Redis",
                "\n",
                "# Author:",
                "12 Main Street",
                "王伟",
                "<a@b.example>",
                "Zorblatt",
                ",",
            ]
        ),
        max_size=25,
    )
)
def test_hits_are_disjoint_and_inside_and_only_where_the_gate_passes(parts):
    text = " ".join(parts)
    (hits,) = NameFinder().find([text])
    assert all(0 <= h.start < h.end <= len(text) for h in hits)
    assert all(a.end <= b.start for a, b in pairwise(hits))
    assert may_hold_name(text) or not hits


def test_overlapping_hits_become_one():
    hits = [NameHit(0, 5, "person", 0.9), NameHit(3, 20, "address", 0.8), NameHit(30, 32, "person", 0.7)]
    assert disjoint(hits) == [NameHit(0, 20, "address", 0.8), NameHit(30, 32, "person", 0.7)]


@pytest.mark.parametrize(
    "unit",
    ["Aaaa ", "Ann", "name: ", "12 ", "a@b ", "Anna Zorb ", "王", "Author: Ann, ", "12 Aa, ", "straße 1 ", "A. ", "(c) 2010, ", "Xy\n"],
)  # fmt: skip
def test_time_is_linear_in_the_length(finder, unit):
    def seconds(count):
        started = time.process_time()
        finder.find([unit * count])
        return time.process_time() - started

    seconds(10)
    assert seconds(4_000) < 10 * seconds(1_000) + 0.3
