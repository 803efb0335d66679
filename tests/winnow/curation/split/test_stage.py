"""Laws of the split, on near copies spread over a few distributions."""

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from near_copies import near_copies, shingles_of

from schemas.rows import CURATED
from winnow.core.stage import Stage
from winnow.curation.split import SplitConfig, SplitStage, build_heldout_index

SCHEMA = CURATED.arrow_schema()


def rows_of(texts: Sequence[str], groups: int, kinds: Sequence[str] = ("code",)) -> list[dict[str, Any]]:
    """A row a text; every fourth names no distribution."""
    return [
        {
            "row_id": f"{n:032x}",
            "source": "s",
            "source_revision": "1",
            "kind": kinds[n % len(kinds)],
            "messages": [{"role": "assistant", "content": text}],
            "content_hash": "0" * 64,
            "meta": None if n % 4 == 3 else json.dumps({"distribution": f"dist{n % groups}"}),
        }
        for n, text in enumerate(texts)
    ]


def batches_of(rows: Sequence[dict[str, Any]], size: int = 3) -> list[pa.RecordBatch]:
    return [
        pa.RecordBatch.from_pylist(list(rows[at : at + size]), schema=SCHEMA)
        for at in range(0, len(rows), size)
    ]


class Split:
    """The whole layer after the split: training rows, held-out rows and verdicts."""

    def __init__(self, rows: Sequence[dict[str, Any]], config: SplitConfig, size: int = 3) -> None:
        batches = batches_of(rows, size)

        def scan(columns: Sequence[str]) -> Iterable[pa.RecordBatch]:
            return (batch.select(list(columns)) for batch in batches)

        self.stage = SplitStage(config, build_heldout_index(scan, config))
        outputs = [self.stage.run(batch) for batch in batches]
        assert [o.rows_in for o in outputs] == [b.num_rows for b in batches]
        self.train = [row for o in outputs for row in o.kept.to_pylist()]
        self.heldout = [row for b in batches for row in self.stage.heldout_rows(b).to_pylist()]
        self.verdicts = {v["row_id"]: v for o in outputs for v in o.verdicts.to_pylist()}

    def under(self, rule: str) -> list[str]:
        return [row_id for row_id, verdict in self.verdicts.items() if verdict["rule"] == rule]


def ids(rows: Iterable[dict[str, Any]]) -> list[str]:
    return [row["row_id"] for row in rows]


def contained(a: dict[str, Any], b: dict[str, Any]) -> float:
    first, second = (shingles_of(row["messages"][0]["content"]) for row in (a, b))
    return len(first & second) / min(len(first), len(second)) if first and second else 0.0


configs = st.builds(
    SplitConfig,
    seed=st.integers(0, 99),
    heldout_fraction=st.sampled_from([0.01, 0.3, 0.8]),
    max_heldout_rows=st.sampled_from([1, 3, 1000]),
    max_train_rows=st.sampled_from([None, 1, 4]),
)


@given(near_copies(max_texts=16), configs, st.integers(1, 4))
def test_no_training_row_is_near_a_held_out_row(texts: list[str], config: SplitConfig, groups: int) -> None:
    split = Split(rows_of(texts, groups), config)
    assert max((contained(t, h) for t in split.train for h in split.heldout), default=0.0) < 0.5


@given(near_copies(max_texts=16), configs, st.integers(1, 4))
def test_nothing_is_withheld_without_a_true_near_copy(
    texts: list[str], config: SplitConfig, groups: int
) -> None:
    rows = rows_of(texts, groups)
    split = Split(rows, config)
    by_id = {row["row_id"]: row for row in rows}
    for name in split.under("heldout-near-copy"):
        verdict = split.verdicts[name]
        scores = [contained(by_id[name], row) for row in split.heldout]
        assert verdict["score"] == contained(by_id[name], by_id[verdict["matched_id"]]) == max(scores) >= 0.5
        assert verdict["matched_id"] in ids(split.heldout)


@given(near_copies(max_texts=16), configs, st.integers(1, 4))
def test_every_row_is_trained_or_has_one_verdict(texts: list[str], config: SplitConfig, groups: int) -> None:
    rows = rows_of(texts, groups, kinds=("code", "sft", "trace"))
    split = Split(rows, config)
    assert sorted([*ids(split.train), *split.verdicts]) == ids(rows)
    assert all(v["decision"] == "drop" and v["rules"] == [v["rule"]] for v in split.verdicts.values())
    assert ids(split.heldout) == split.under("heldout-group")
    assert split.under("kind-not-trained") == [row["row_id"] for row in rows if row["kind"] == "trace"]
    assert len(split.heldout) <= config.max_heldout_rows
    assert len(split.train) <= (config.max_train_rows or len(rows))


@given(near_copies(max_texts=16), configs, st.integers(1, 5), st.randoms())
def test_order_and_batches_of_the_rows_do_not_matter(
    texts: list[str], config: SplitConfig, size: int, rng: random.Random
) -> None:
    rows = rows_of(texts, 3)
    shuffled = rng.sample(rows, len(rows))
    split, other = Split(rows, config), Split(shuffled, config, size)
    assert split.stage.identity() == other.stage.identity()
    assert split.verdicts == other.verdicts


@given(configs, st.integers(2, 40))
def test_of_two_groups_or_more_one_is_held_out_and_one_is_not(config: SplitConfig, groups: int) -> None:
    rows = rows_of([f"{n} only here" for n in range(groups)], groups)
    split = Split(rows, config)
    assert split.heldout
    assert split.train


def test_rows_of_one_distribution_are_on_one_side() -> None:
    rows = rows_of([f"file {n} of this distribution" for n in range(400)], groups=21)
    split = Split(rows, SplitConfig(heldout_fraction=0.3))
    sides = [
        {json.loads(r["meta"])["distribution"] for r in part if r["meta"]}
        for part in (split.train, split.heldout)
    ]
    assert sides[0] & sides[1] == set()
    assert sides[0] | sides[1] == {f"dist{n}" for n in range(21)}


def test_the_fraction_is_about_met() -> None:
    rows = rows_of([f"file {n} alone" for n in range(3000)], groups=3000)
    assert 220 < len(Split(rows, SplitConfig(heldout_fraction=0.1), 500).heldout) < 380


def test_named_groups_and_no_others_are_held_out() -> None:
    rows = rows_of([f"file {n} alone" for n in range(40)], groups=4)
    split = Split(rows, SplitConfig(heldout_groups=("dist2",)))
    assert {row["meta"] for row in split.heldout} == {'{"distribution": "dist2"}'}
    assert {row["meta"] for row in split.train} == {
        None,
        '{"distribution": "dist0"}',
        '{"distribution": "dist1"}',
    }


def test_a_cap_takes_the_lowest_and_a_larger_cap_adds() -> None:
    rows = rows_of([f"file {n} alone" for n in range(200)], groups=5)
    whole = Split(rows, SplitConfig(heldout_groups=("dist1",)))
    chosen = [
        set(ids(Split(rows, SplitConfig(heldout_groups=("dist1",), max_train_rows=cap)).train))
        for cap in (10, 50)
    ]
    assert [len(c) for c in chosen] == [10, 50]
    assert chosen[0] < chosen[1] < set(ids(whole.train))


def test_the_version_moves_with_what_is_held_out_and_not_with_what_is_trained() -> None:
    texts = [f"file {n} with words of its own {n}" for n in range(40)]
    config = SplitConfig(heldout_groups=("dist1",))

    def identity(texts: Sequence[str], config: SplitConfig) -> Any:
        return Split(rows_of(texts, 4), config).stage.identity()

    assert identity([*texts[:2], "other training text", *texts[3:]], config) == identity(texts, config)
    assert identity([texts[0], "other held-out text", *texts[2:]], config) != identity(texts, config)
    assert identity(texts, SplitConfig(heldout_groups=("dist1",), containment=0.4)) != identity(texts, config)


def test_an_empty_layer_and_empty_texts_are_split() -> None:
    assert Split([], SplitConfig()).train == []
    split = Split(rows_of(["", " ", "", ""], 2), SplitConfig())
    assert len(split.train) + len(split.heldout) == 4


def test_it_is_a_stage() -> None:
    stage: Stage = Split([], SplitConfig()).stage
    assert (stage.name, stage.code_version) == ("split", "1")


def test_the_fraction_and_a_list_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="Keep the list, or the fraction"):
        SplitConfig(heldout_groups=("a",), heldout_fraction=0.1)
