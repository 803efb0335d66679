"""A cache of fingerprints changes nothing but what is computed."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near_copies import near_copies

from schemas.rows import SANITIZED
from winnow.core.cached import CacheUse
from winnow.core.identity import conversation_hash
from winnow.curation.dedup import DedupConfig, fingerprint_identity, judge_duplicates
from winnow.lake.result_cache import StoredResults
from winnow.lake.settings import LakeSettings
from winnow.lake.zone import Zone

COLUMNS = ["row_id", "messages", "tools", "content_hash"]
SCHEMA = pa.schema([pa.field(n, SANITIZED.arrow_schema().field(n).type) for n in COLUMNS])


class Memory:
    def __init__(self) -> None:
        self.values: dict[bytes, bytes] = {}

    def get(self, keys: Sequence[bytes]) -> list[bytes | None]:
        return [self.values.get(key) for key in keys]

    def put(self, key: bytes, value: bytes) -> None:
        assert self.values.setdefault(key, value) == value, "two fingerprints of one content"


def batches(texts: Sequence[str], size: int) -> Iterator[tuple[str, pa.RecordBatch]]:
    for at in range(0, len(texts), size):
        rows = []
        for number, text in enumerate(texts[at : at + size], at):
            messages = [{"role": "assistant", "content": text}]
            named = {"row_id": f"{number:032x}", "content_hash": conversation_hash(messages, None)}
            rows.append({**named, "messages": messages, "tools": None})
        yield "s", pa.RecordBatch.from_pylist(rows, schema=SCHEMA)


def judge(texts: Sequence[str], size: int = 5, cache: Any = None, **how: Any) -> tuple[list[Any], CacheUse]:
    use = CacheUse()
    with TemporaryDirectory() as folder:
        judged = judge_duplicates(
            batches(texts, size), DedupConfig(), Path(folder), 1, cache=cache, use=use, **how
        )
        return [v for _, parts in judged for batch in parts for v in batch.to_pylist()], use


@settings(deadline=None)
@given(near_copies(), near_copies(), st.integers(1, 5))
def test_verdicts_are_the_same_and_only_new_content_is_computed(
    before: list[str], texts: list[str], size: int
) -> None:
    cache = Memory()
    _, cold = judge(before, size, cache)
    assert (cold.hits, cold.misses) == (len(before) - cold.misses, cold.misses)
    texts = before[::2] + texts
    found, use = judge(texts, size, cache)
    assert found == judge(texts)[0]
    known = set(before)
    assert use.hits + use.misses == len(texts)
    assert use.hits >= sum(text in known for text in texts)
    assert judge(texts, size, cache) == (found, CacheUse(hits=len(texts)))


def test_it_survives_a_run_in_the_restricted_zone(tmp_path: Path) -> None:
    zone = Zone(LakeSettings.from_env({"LAKE_RAW_ROOT": str(tmp_path / "raw")}).restricted)
    texts = [f"def f{n}(): return {n}" for n in range(40)] + ["", "def f7(): return 7"]
    with StoredResults(zone, "dedup", "i", "all", tmp_path) as cache, ThreadPoolExecutor(2) as executor:
        plain, _ = judge(texts, 7, cache, executor=executor)
        cache.save()
    with StoredResults(zone, "dedup", "i", "all", tmp_path) as cache:
        assert judge([*texts, "new"], 7, cache) == (plain, CacheUse(hits=len(texts), misses=1))


@pytest.mark.parametrize("change", [{"ngram": 4}, {"bands": 35}, {"rows_per_band": 6}, {"seed": 1}], ids=str)
def test_what_shapes_a_fingerprint_is_its_identity(change: dict[str, int]) -> None:
    assert fingerprint_identity(DedupConfig(**change)) != fingerprint_identity(DedupConfig())


def test_the_threshold_only_judges_fingerprints() -> None:
    assert fingerprint_identity(DedupConfig(threshold=0.8)) == fingerprint_identity(DedupConfig())
