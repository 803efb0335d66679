"""Every pair of the demo's packages, run again from its own text in a fresh sandbox: chosen passes, rejected fails."""

from pathlib import Path

import pytest
from pair_lake import curated_lake, documented_rows, pairs_of

from assets.preference_pairs import build_preference_pairs
from benchmarks.pairs_again import run_again
from winnow.curation.preference import PreferenceConfig
from winnow.curation.sources.config import load_sources
from winnow.lake.verdicts import read_verdicts
from winnow.sandbox import unavailable

pytestmark = [pytest.mark.slow, pytest.mark.judge, pytest.mark.timeout(1500)]
SOURCES = Path(__file__).parents[2] / "sources.yaml"
PER_DISTRIBUTION = 12
PAIRS, DISTRIBUTIONS = 100, 15
"""At least, of so few functions each."""


def test_every_pair_holds_in_a_fresh_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    if remedy := unavailable():
        pytest.skip(f"no sandbox here: {remedy}")
    declared = {s.id: s.location for s in load_sources(SOURCES).sources}
    rows = {
        "tool-functions": documented_rows("tool-functions", declared["tool-functions"], PER_DISTRIBUTION),
        "science-functions": documented_rows("science-functions", ["mpmath", "networkx"], PER_DISTRIBUTION),
        "stdlib-functions": documented_rows("stdlib-functions", ["stdlib"], 5 * PER_DISTRIBUTION),
    }
    lake = curated_lake(tmp_path, rows, monkeypatch)
    build_preference_pairs(lake, 2, lambda said: None)
    pairs = pairs_of(lake)
    assert len(pairs) >= PAIRS
    assert len({pair["distribution"] for pair in pairs}) >= DISTRIBUTIONS
    broken = []
    for pair, (chosen, rejected) in zip(pairs, run_again(pairs, PreferenceConfig()), strict=True):
        if not (chosen.passed and rejected.failed):
            broken.append((pair["distribution"], pair["meta"], chosen, rejected))
    assert broken == []
    dropped = sum(b.num_rows for source in rows for b in read_verdicts(lake, "preference", source))
    assert len(pairs) + dropped == sum(state.rows for state in lake.head("curated").partitions.values())
