from collections.abc import Callable
from pathlib import Path

import pytest
from lessons import lessons, row, said, write_rows

from training.base import BaseModel
from training.recipe import SftRecipe
from training.rows import CUT_OFF, NO_ANSWER, train_set
from winnow.core.errors import DataError
from winnow.models.chat import ChatEncoder


@pytest.fixture
def encoder(tiny_base: BaseModel) -> ChatEncoder:
    return ChatEncoder.from_files(Path(tiny_base.path) / "tokenizer.json", Path(tiny_base.template))


Recipe = Callable[..., SftRecipe]


def test_rows_come_once_an_epoch_each_epoch_in_another_order(
    encoder: ChatEncoder, tiny_recipe: Recipe, tmp_path: Path
) -> None:
    file = write_rows(tmp_path / "r.jsonl", lessons(10))
    found = train_set(file, encoder, tiny_recipe(max_steps=9, batch_size=3))
    ids = [found.rows[i].row_id for i in found.order]
    assert len(ids) == 27
    epochs = [ids[:10], ids[10:20], ids[20:]]
    assert sorted(epochs[0]) == sorted(epochs[1]) == [r["row_id"] for r in lessons(10)]
    assert len({tuple(e[:7]) for e in epochs}) == 3
    assert [r.row_id for r in found.step(2, 3)] == ids[3:6]


def test_the_order_does_not_depend_on_the_file(
    encoder: ChatEncoder, tiny_recipe: Recipe, tmp_path: Path
) -> None:
    rows = lessons(40)
    one = train_set(write_rows(tmp_path / "a.jsonl", rows), encoder, tiny_recipe())
    two = train_set(write_rows(tmp_path / "b.jsonl", rows[::-1]), encoder, tiny_recipe())
    assert one == two
    assert one.content_hash() == two.content_hash()
    other = train_set(write_rows(tmp_path / "c.jsonl", rows), encoder, tiny_recipe(seed=2))
    assert other.content_hash() != one.content_hash()


def test_only_the_rows_that_are_needed_are_taken(
    encoder: ChatEncoder, tiny_recipe: Recipe, tmp_path: Path
) -> None:
    file = write_rows(tmp_path / "r.jsonl", lessons(300))
    assert len(train_set(file, encoder, tiny_recipe(max_steps=5, batch_size=2)).rows) == 10
    few = train_set(file, encoder, tiny_recipe(max_steps=5, batch_size=2, max_rows=3))
    assert len(few.rows) == 3
    assert len(few.order) == 10


def test_kinds_choose(encoder: ChatEncoder, tiny_recipe: Recipe, tmp_path: Path) -> None:
    code = row("c" * 32, [said("assistant", "x = 1")], kind="code")
    file = write_rows(tmp_path / "r.jsonl", [*lessons(5), code])
    assert [r.row_id for r in train_set(file, encoder, tiny_recipe(kinds=["code"])).rows] == ["c" * 32]
    assert len(train_set(file, encoder, tiny_recipe(kinds=[])).rows) == 6
    with pytest.raises(DataError, match="no row of kind tool"):
        train_set(file, encoder, tiny_recipe(kinds=["tool"]))


def test_a_row_with_nothing_to_learn_is_refused_by_its_id(
    encoder: ChatEncoder, tiny_recipe: Recipe, tmp_path: Path
) -> None:
    silent = row("a" * 32, [said("user", "Hello?")])
    late = row("b" * 32, [said("user", "x" * 2000), said("assistant", "y")])
    broken = row("d" * 32, [said("user", "x"), said("assistant", "y")], tools="{")
    file = write_rows(tmp_path / "r.jsonl", [*lessons(4), silent, late, broken])
    found = train_set(file, encoder, tiny_recipe(max_steps=50))
    assert len(found.rows) == 4
    reasons = {r.row_id: r.reason for r in found.refused}
    assert reasons.pop("a" * 32) == NO_ANSWER
    assert reasons.pop("b" * 32) == CUT_OFF
    assert "JSON list" in reasons.pop("d" * 32)
    assert not reasons
    with pytest.raises(DataError, match="a" * 32):
        train_set(write_rows(tmp_path / "s.jsonl", [silent]), encoder, tiny_recipe())


def test_long_rows_are_cut_and_counted(encoder: ChatEncoder, tiny_recipe: Recipe, tmp_path: Path) -> None:
    rows = [row(f"{n:032x}", [said("user", "x"), said("assistant", "y" * n)]) for n in (1, 10, 400, 900)]
    found = train_set(write_rows(tmp_path / "r.jsonl", rows), encoder, tiny_recipe(sequence_len=128))
    assert found.truncated == 2
    assert max(len(r.encoded.ids) for r in found.rows) == 128
