import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.keccak import keccak256, sponge


@given(st.binary(max_size=400))
def test_with_the_padding_of_the_standard_it_is_sha3(data: bytes) -> None:
    assert sponge(data, 6) == hashlib.sha3_256(data).digest()


@pytest.mark.parametrize(
    ("data", "digest"),
    [
        (b"", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
        (b"abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
    ],
)
def test_known_digests(data: bytes, digest: str) -> None:
    assert keccak256(data).hex() == digest
