from pathlib import Path
from typing import Any

import pytest
from preferences import counting, pair, write_pairs

from training.base import BaseModel
from training.dpo_recipe import DpoRecipe
from training.pairs import pair_set
from winnow.core.config import load_model
from winnow.core.errors import DataError
from winnow.models.chat import ChatEncoder
from winnow.models.pairs import EMPTY, EQUAL, EQUAL_CUT, NO_ROOM


@pytest.fixture
def encoder(tiny_base: BaseModel) -> ChatEncoder:
    return ChatEncoder.from_files(Path(tiny_base.path) / "tokenizer.json", Path(tiny_base.template))


def recipe(**fields: Any) -> DpoRecipe:
    return load_model(DpoRecipe, {"sequence_len": 512, "max_steps": 12, "batch_size": 2, "seed": 1, **fields})


def test_pairs_come_once_an_epoch_whatever_the_order_of_the_file(
    encoder: ChatEncoder, tmp_path: Path
) -> None:
    pairs = counting(10)
    asked = recipe(max_steps=10, batch_size=2)
    one = pair_set(write_pairs(tmp_path / "a.parquet", pairs), encoder, asked)
    two = pair_set(write_pairs(tmp_path / "b.parquet", pairs[::-1]), encoder, asked)
    assert one == two
    ids = [one.rows[i].row_id for i in one.order]
    assert sorted(ids[:10]) == sorted(ids[10:]) == [p["row_id"] for p in pairs]
    assert ids[:10] != ids[10:]
    other = pair_set(tmp_path / "a.parquet", encoder, recipe(max_steps=10, batch_size=2, seed=2))
    assert other.content_hash() != one.content_hash()
    few = pair_set(tmp_path / "a.parquet", encoder, recipe(max_steps=10, batch_size=2, max_rows=3))
    assert [len(few.rows), len(few.order)] == [3, 20]


def test_a_pair_with_nothing_to_learn_is_refused_by_its_id(encoder: ChatEncoder, tmp_path: Path) -> None:
    bad = [
        pair("a" * 32, "x", "", "y"),
        pair("b" * 32, "x", "y", None),
        pair("c" * 32, "x", "y", " \n"),
        pair("d" * 32, "x", "same", "same"),
        pair("e" * 32, "x" * 600, "y", "z"),
        pair("f" * 32, "x", "y" * 600 + "1", "y" * 600 + "2"),
    ]
    file = write_pairs(tmp_path / "p.parquet", [*bad, *counting(6)])
    found = pair_set(file, encoder, recipe(max_steps=50))
    assert {r.row_id[0]: r.reason for r in found.refused} == {
        "a": EMPTY,
        "b": EMPTY,
        "c": EMPTY,
        "d": EQUAL,
        "e": NO_ROOM,
        "f": EQUAL_CUT,
    }
    assert {row.row_id for row in found.rows} == {p["row_id"] for p in counting(6)}
    with pytest.raises(DataError, match="nothing can be learned from 6 pairs"):
        pair_set(write_pairs(tmp_path / "q.parquet", bad), encoder, recipe())
    with pytest.raises(DataError, match="no pair to learn from"):
        pair_set(write_pairs(tmp_path / "r.parquet", []), encoder, recipe())


@pytest.mark.parametrize("lengths", [(400, 5), (5, 400), (400, 390)])
def test_a_long_answer_is_cut_and_its_prompt_is_not(
    encoder: ChatEncoder, tmp_path: Path, lengths: tuple[int, int]
) -> None:
    chosen, rejected = "c" * lengths[0], "r" * lengths[1]
    file = write_pairs(tmp_path / "p.parquet", [pair("a" * 32, "prompt " * 10, chosen, rejected)])
    found = pair_set(file, encoder, recipe(sequence_len=200))
    assert found.truncated == 1
    [row] = found.rows
    prompt = encoder.render([{"role": "user", "content": "prompt " * 10}], prompt=True)
    for answer, text in ((row.encoded.chosen, chosen), (row.encoded.rejected, rejected)):
        assert len(row.encoded.prompt) + len(answer) <= 200
        whole = encoder._coded(prompt) + encoder._coded(text) + encoder._coded("<|im_end|>")
        assert list(row.encoded.prompt + answer) == whole[:200]
