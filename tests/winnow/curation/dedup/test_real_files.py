"""Found duplicates against brute force and against datasketch, on files of the standard library."""

import sysconfig
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from winnow.curation.dedup import DedupConfig, judge_rows
from winnow.curation.dedup.shingles import ShingleSets, shingle_sets
from winnow.curation.dedup.signatures import band_hashes, signatures

THRESHOLD = 0.7


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Files, and slices of the same files as near copies of many degrees."""
    paths = sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    files = [p.read_text(encoding="utf-8", errors="replace") for p in paths if "site-packages" not in p.parts]
    files = [t for t in files if 300 < len(t) < 20_000][:1500]
    parts = [
        t[: int(len(t) * share)] for n, t in enumerate(files) for share in (0.68 + 0.02 * (n % 16),) if n % 2
    ]
    return files + parts


def all_pairs(sets: ShingleSets) -> dict[tuple[int, int], float]:
    """Every pair at the threshold, by an inverted index over all shingles: no hashing of bands, no sampling."""
    owners = np.repeat(np.arange(len(sets)), sets.sizes)
    order = np.argsort(sets.hashes, kind="stable")
    hashes, owners = sets.hashes[order], owners[order]
    starts = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1]))
    postings = dict(zip(hashes[starts].tolist(), np.split(owners, starts[1:]), strict=True))
    found = {}
    for row in range(len(sets)):
        lists = [postings[h] for h in sets[row].tolist()]
        shared = np.bincount(np.concatenate([*lists, [0]]).astype(np.int64), minlength=len(sets))[:row]
        scores = shared / np.maximum(sets.sizes[row] + sets.sizes[:row] - shared, 1)
        found.update({(row, int(k)): float(scores[k]) for k in np.flatnonzero(scores >= THRESHOLD)})
    return found


@pytest.fixture(scope="module")
def truth(texts: list[str]) -> dict[tuple[int, int], float]:
    return all_pairs(shingle_sets(texts))


@pytest.mark.slow
def test_survivors_are_those_of_the_definition_but_for_what_bands_miss(
    texts: list[str], truth: dict[tuple[int, int], float]
) -> None:
    verdicts = judge_rows([(str(n), t) for n, t in enumerate(texts)])
    for row, verdict in enumerate(verdicts):
        if verdict:
            kept = int(verdict.matched_id or -1)
            assert verdicts[kept] is None
            assert truth[row, kept] == verdict.score
    left = {pair: score for pair, score in truth.items() if verdicts[pair[0]] is None is verdicts[pair[1]]}
    removed = sum(v is not None for v in verdicts)
    assert removed > 300
    assert [score for score in left.values() if score >= 0.8] == []
    assert len({row for row, _ in left}) <= 0.02 * removed


@pytest.mark.slow
def test_bands_propose_what_datasketch_proposes(
    texts: list[str], truth: dict[tuple[int, int], float]
) -> None:
    datasketch = pytest.importorskip("datasketch")
    config = DedupConfig()
    sets = shingle_sets(texts)
    hashed = band_hashes(signatures(sets, 252, config.seed), config.bands, config.rows_per_band, config.seed)
    ours = [p for p in truth if (hashed[p[0]] == hashed[p[1]]).any()]
    lsh = datasketch.MinHashLSH(num_perm=252, params=(config.bands, config.rows_per_band))
    for row in range(len(sets)):
        lsh.insert(row, _minhash(datasketch, sets[row]))
    theirs = [(a, b) for a, b in truth if b in lsh.query(_minhash(datasketch, sets[a]))]
    expected = sum(config.recall(score) for score in truth.values())
    spread = 4 * np.sqrt(sum(config.recall(s) * (1 - config.recall(s)) for s in truth.values()))
    assert abs(len(ours) - expected) <= spread + 1
    assert abs(len(theirs) - expected) <= spread + 1


def _minhash(datasketch: Any, shingles: Any) -> Any:
    sketch = datasketch.MinHash(num_perm=252, hashfunc=lambda h: int(h) & 0xFFFFFFFF)
    sketch.update_batch(shingles.tolist())
    return sketch
