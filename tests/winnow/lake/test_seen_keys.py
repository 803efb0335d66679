"""SeenKeys is a set, at a tenth of the size."""

import hashlib
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from winnow.lake.seen_keys import SeenKeys

DIGEST = st.one_of(
    st.binary(min_size=16, max_size=16),
    st.sampled_from([bytes(16), b"\0" * 15 + b"a", b"a" + bytes(15), b"a\0b" + bytes(13), b"\xff" * 16]),
)


@given(st.lists(st.lists(DIGEST, max_size=6), max_size=12))
def test_it_answers_as_a_set_does(calls: list[list[bytes]]) -> None:
    keys, model = SeenKeys(), set[bytes]()
    for digests in calls:
        expected = []
        for digest in digests:
            expected.append(digest not in model)
            model.add(digest)
        assert keys.fresh(digests).tolist() == expected


def test_its_size_is_that_of_the_digests() -> None:
    keys = SeenKeys()
    tracemalloc.start()
    for start in range(0, 50_000, 500):
        batch = [hashlib.blake2b(b"%d" % n, digest_size=16).digest() for n in range(start, start + 500)]
        assert keys.fresh(batch).all()
        assert not keys.fresh(batch).any()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held < 24 * 50_000
