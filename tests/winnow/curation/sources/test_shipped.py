"""The two files of sources that come with the project, over the environment that runs the tests."""

from pathlib import Path

import pytest
from reading import normalize

from winnow.curation.sources import TINY_SOURCES, load_sources

DEFAULT = Path(__file__).parents[4] / "sources.yaml"


def test_the_tiny_demo_has_three_sources_and_about_450_rows():
    results = [normalize(entry) for entry in load_sources(TINY_SOURCES).sources]
    assert len(results) == 3
    assert 400 <= sum(len(result.rows) for result in results) <= 500
    assert not any(result.verdicts for result in results)


@pytest.mark.slow
def test_the_demo_has_20_000_rows_of_modest_size_each_with_a_licence():
    results = [normalize(entry) for entry in load_sources(DEFAULT).sources]
    rows = [row for result in results for row in result.rows]
    size = sum(len(m["content"]) for row in rows for m in row["messages"])
    assert len(results) >= 5
    assert 20_000 <= len(rows) <= 25_000
    assert size < 60e6
    assert all(row["license"] for row in rows)
    assert {row["kind"] for row in rows} == {"code", "sft"}
