import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near_copies import WORDS, edited, greedy, near_copies, shingles_of, similarity

from winnow.core.errors import DataError
from winnow.core.progress import Progress
from winnow.core.stage import VERDICT_SCHEMA, Verdict
from winnow.curation.dedup import DedupConfig, judge_duplicates, judge_rows
from winnow.curation.dedup.rows import _batch

CERTAIN = DedupConfig(bands=36, rows_per_band=1)
"""Bands that propose all but one in 10^19 pairs at the threshold, so that the definition is met exactly."""


def judge(texts: Sequence[str], config: DedupConfig = CERTAIN, **how: Any) -> list[Verdict | None]:
    return judge_rows([(str(n), text) for n, text in enumerate(texts)], config, **how)


@given(near_copies())
def test_the_survivors_are_those_of_the_definition(texts: list[str]) -> None:
    found = [v and (v.rule, int(v.matched_id or -1), v.score) for v in judge(texts)]
    assert found == greedy(texts)


@given(near_copies())
def test_a_drop_names_a_kept_row_that_is_truly_near(texts: list[str]) -> None:
    verdicts = judge(texts, DedupConfig())
    for index, verdict in enumerate(verdicts):
        if verdict:
            kept = int(verdict.matched_id or -1)
            assert (verdict.row_id, verdict.decision, kept < index) == (str(index), "drop", True)
            assert verdicts[kept] is None
            assert verdict.score == similarity(shingles_of(texts[index]), shingles_of(texts[kept])) >= 0.7


@given(near_copies())
def test_survivors_judged_again_all_stay(texts: list[str]) -> None:
    kept = [t for t, verdict in zip(texts, judge(texts, DedupConfig()), strict=True) if verdict is None]
    assert judge(kept, DedupConfig()) == [None] * len(kept)


@given(near_copies(), st.integers(1, 5))
def test_batch_size_does_not_matter(texts: list[str], batch_rows: int) -> None:
    assert judge(texts, batch_rows=batch_rows) == judge(texts)


def test_a_chain_does_not_remove_what_resembles_nothing_kept() -> None:
    a = [f"w{n}" for n in range(60)]
    b = [*a[9:], *(f"v{n}" for n in range(6))]
    c = [*b[9:], *(f"u{n}" for n in range(6))]
    texts = [" ".join(words) for words in (a, b, c)]
    near = [similarity(shingles_of(x), shingles_of(y)) for x, y in pairwise(texts)]
    assert min(near) >= 0.7 > similarity(shingles_of(texts[0]), shingles_of(texts[2]))
    assert [v and v.matched_id for v in judge(texts)] == [None, "0", None]


def test_two_disjoint_pairs_in_one_bucket_keep_one_of_each() -> None:
    shared = [f"template{n}" for n in range(40)]
    texts = [" ".join([*shared, *(f"{topic}{n}" for n in range(60))]) for topic in "aabb"]
    texts[1] += " end"
    texts[3] += " end"
    assert [v and v.matched_id for v in judge(texts)] == [None, "0", None, "2"]


def test_a_shared_template_with_other_content_is_kept() -> None:
    template = " ".join(f"word{n}" for n in range(30))
    texts = [f"{template} " + " ".join(f"{n}x{k}" for k in range(30)) for n in range(50)]
    assert judge(texts) == [None] * 50


def test_the_nearest_kept_row_is_named_and_of_equals_the_earliest() -> None:
    base = [f"w{n}" for n in range(100)]
    far, near = [*base[:80], *"abcdefghijklmnopqrst"], [*base[:60], *(f"z{n}" for n in range(40))]
    texts = [" ".join(far), " ".join(near), " ".join(base[:78] + list("abcdefghijklmnopqrst"))]
    assert [v and v.matched_id for v in judge(texts)] == [None, None, "0"]


def test_copies_in_many_sources_are_one_row(tmp_path: Path) -> None:
    rng = random.Random(3)
    bases = [" ".join(rng.choice(WORDS) + str(rng.randrange(50)) for _ in range(40)) for _ in range(30)]
    batches = [(source, _batch([("", t) for t in bases], 30 * n)) for n, source in enumerate("cab")]
    judged = {
        s: [v for b in parts for v in b.to_pylist()]
        for s, parts in judge_duplicates(batches, CERTAIN, tmp_path, 1)
    }
    assert list(judged) == ["c", "a", "b"]
    assert [len(rows) for rows in judged.values()] == [0, 30, 30]
    for number, verdict in enumerate(judged["b"]):
        assert (verdict["source"], verdict["rule"], verdict["score"]) == ("b", "exact-duplicate", 1.0)
        assert int(verdict["matched_id"], 16) == number


def test_a_source_without_rows_has_no_verdicts(tmp_path: Path) -> None:
    batches = [("a", _batch([], 0)), ("b", _batch([("", "x y")], 0)), ("c", _batch([], 1))]
    judged = {s: list(parts) for s, parts in judge_duplicates(batches, CERTAIN, tmp_path, 1)}
    assert judged == {"a": [], "b": [], "c": []}
    assert list(judge_duplicates([], CERTAIN, tmp_path, 1)) == []


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    """Enough rows to leave the calling process: versions of texts, many of them near the threshold."""
    rng = random.Random(11)
    texts: list[str] = []
    for _ in range(250):
        base = [rng.choice(WORDS) + str(rng.randrange(40)) for _ in range(rng.randrange(20, 120))]
        texts.extend(" ".join(edited(base, rng.randrange(14), rng)) for _ in range(rng.randrange(1, 9)))
    rng.shuffle(texts)
    return texts


def test_the_number_of_workers_does_not_matter(corpus: list[str]) -> None:
    alone = judge(corpus, DedupConfig())
    assert 100 < sum(v is not None for v in alone) < len(corpus) - 100
    assert judge(corpus, DedupConfig(), workers=2, batch_rows=97) == alone


def test_a_pool_of_the_caller_is_used(corpus: list[str], tmp_path: Path) -> None:
    def verdicts(**how: Any) -> list[dict[str, Any]]:
        judged = judge_duplicates(
            [("s", _batch([("", t) for t in corpus], 0))], DedupConfig(), tmp_path, 1, **how
        )
        batches = [b for _, parts in judged for b in parts]
        assert all(b.schema == VERDICT_SCHEMA for b in batches)
        return pa.Table.from_batches(batches).to_pylist()

    said: list[str] = []
    with ThreadPoolExecutor(3) as pool:
        progress = Progress("dedup", said.append, every=0)
        assert verdicts(executor=pool, progress=progress) == verdicts()
        assert progress.rows == len(corpus)
    assert said


def test_the_definition_holds_on_a_larger_corpus(corpus: list[str]) -> None:
    found = [v and (v.rule, int(v.matched_id or -1), v.score) for v in judge(corpus)]
    assert found == greedy(corpus)


def test_a_source_in_two_pieces_is_refused(tmp_path: Path) -> None:
    batches = [(s, _batch([("", "x")], n)) for n, s in enumerate("aba")]
    with pytest.raises(ValueError, match="source 'a' comes in two pieces"):
        list(judge_duplicates(batches, CERTAIN, tmp_path, 1))


def test_an_id_of_another_form_is_refused_in_one_line(tmp_path: Path) -> None:
    batch = _batch([("", "x")], 0)
    renamed = batch.set_column(0, "row_id", pa.array(["web/1"]))
    with pytest.raises(DataError, match="32 hex digits") as caught:
        list(judge_duplicates([("s", renamed)], CERTAIN, tmp_path, 1))
    assert "\n" not in str(caught.value)


@settings(max_examples=20)
@given(near_copies(), st.floats(0.3, 1.0))
def test_the_threshold_is_the_one_of_the_configuration(texts: list[str], threshold: float) -> None:
    config = DedupConfig(bands=64, rows_per_band=1, threshold=threshold)
    found = [v and (v.rule, int(v.matched_id or -1), v.score) for v in judge(texts, config)]
    assert found == greedy(texts, threshold)
