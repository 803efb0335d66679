"""A failed asset has its process print no frames; the next test gets them back."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def full_tracebacks() -> Iterator[None]:
    yield
    vars(sys).pop("tracebacklimit", None)
