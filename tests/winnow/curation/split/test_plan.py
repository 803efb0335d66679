"""What a row says of where it came from is looked at, never relied on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.split.plan import group_of


@pytest.mark.parametrize(
    "meta",
    [
        None,
        "",
        "distribution",
        "the distribution: scipy",
        '{"distribution": "scipy"',
        '{"distribution": ""}',
        '{"distribution": 3}',
        '["distribution"]',
        '{"of": {"distribution": "scipy"}}',
        "[" * 100_000 + '"distribution"',
    ],
    ids=lambda meta: repr(meta)[:40],
)
def test_a_row_that_names_no_distribution_is_a_group_by_itself(meta: str | None):
    assert group_of("ab", meta) == "ab"


def test_rows_of_a_distribution_are_its_group():
    assert group_of("ab", '{"distribution": "scipy", "path": "x.py"}') == "scipy"


@given(st.text(), st.text())
def test_no_text_is_too_strange(before: str, after: str):
    assert group_of("ab", f"{before}distribution{after}")
