"""Versions do not depend on the order of rows, nor on how they are held."""

import hashlib
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from winnow.core.identity import RowDigests

ROW = st.one_of(
    st.binary(min_size=16, max_size=16),
    st.sampled_from(
        [bytes(16), b"\0" * 15 + b"a", b"a" + bytes(15), b"\x7f" * 16, b"\x80" * 16, b"\xff" * 16]
    ),
)


@given(st.lists(ROW, max_size=40))
def test_digests_are_hashed_in_ascending_order(rows: list[bytes]) -> None:
    digests = RowDigests()
    for row in rows:
        digests.add(row)
    expected = hashlib.blake2b(b"".join(sorted(rows)), digest_size=16).hexdigest()
    assert digests.hexdigest() == digests.hexdigest() == expected
    digests.add(bytes(16))
    assert digests.hexdigest() != expected


def test_a_row_costs_little_more_than_its_digest() -> None:
    digests = RowDigests()
    tracemalloc.start()
    for n in range(50_000):
        digests.add(hashlib.blake2b(b"%d" % n, digest_size=16).digest())
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held < 24 * 50_000
