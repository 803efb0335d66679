import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.decontaminate import index as index_module
from winnow.curation.decontaminate.benchmarks import Item
from winnow.curation.decontaminate.index import SHORT, SHORTEST, BenchmarkIndex, N, max_items
from winnow.curation.decontaminate.ngrams import tokens

words = st.lists(st.sampled_from(["alpha", "beta", "gamma", "x", "+", "1"]), max_size=45).map(" ".join)


def covered_by_definition(item: str, text: str) -> set[int]:
    """Tokens of the item in an n-gram with a word of two letters that the text holds too."""
    have, field = tokens(text), tokens(item)
    grams = {tuple(have[i : i + N]) for i in range(len(have) - N + 1)}
    found: set[int] = set()
    for i in range(len(field) - N + 1):
        gram = tuple(field[i : i + N])
        if gram in grams and any(len(w) > 1 and w.isalpha() for w in gram):
            found |= set(range(i, i + N))
    return found


@given(words, words, st.integers(0, 20), st.integers(0, 30))
def test_coverage_is_the_share_of_the_item_by_definition(
    item: str, text: str, start: int, length: int
) -> None:
    part = " ".join(tokens(item)[start : start + length])
    row = f"{text} {part} {text}"
    index = BenchmarkIndex([Item("b", "1", item)])
    matches = {m.field.name: m for m in index.match(index.ids([row]))}
    field = tokens(item)
    covered = len(covered_by_definition(item, row))
    coverable = max(len(covered_by_definition(item, item)), min(len(field), SHORT), len(field) // 3)
    if len(field) >= SHORT and covered:
        assert matches["prompt"].coverage == min(1.0, covered / coverable)
    if len(field) >= SHORT and not covered:
        assert matches == {}


@given(words, st.text(alphabet="ab +", max_size=20), st.text(alphabet="ab +", max_size=20))
def test_a_short_text_has_coverage_1_exactly_where_it_is_whole(item: str, before: str, after: str) -> None:
    field = tokens(item)
    words = [w for w in field if len(w) > 1]
    if not SHORTEST <= len(field) < SHORT or len(words) < len(field) - 4:
        return
    index = BenchmarkIndex([Item("b", "1", item)])
    whole = index.match(index.ids([f"{before} {item} {after}"]))
    assert [m.coverage for m in whole] == [1.0]
    cut = index.match(index.ids([f"{before} zeta {' '.join(field[1:])} {after}"]))
    assert all(m.coverage < 1.0 for m in cut)


@given(words, words)
def test_places_are_where_the_item_stands(item: str, before: str) -> None:
    if len(tokens(item)) < SHORT:
        return
    index = BenchmarkIndex([Item("b", "1", item)])
    have = tokens(f"{before} {item}")
    grams = {tuple(tokens(item)[i : i + N]) for i in range(len(tokens(item)) - N + 1)}
    for match in index.match(index.ids([before, item])):
        assert match.places.tolist() == sorted(match.places.tolist())
        assert all(tuple(have[p : p + N]) in grams for p in match.places.tolist())


@given(words, words, st.integers(1, 12))
def test_a_long_text_is_matched_alike_in_pieces(item: str, before: str, chunk: int) -> None:
    index = BenchmarkIndex([Item("b", "1", item, " ".join(item.split()[:7]))])
    ids = index.ids([before, item, before])
    whole = index.match(ids)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_module, "_CHUNK", chunk)
        pieces = index.match(ids)
    for one, other in zip(whole, pieces, strict=True):
        assert (one.field, one.coverage, one.places.tolist()) == (
            other.field,
            other.coverage,
            other.places.tolist(),
        )


def test_what_many_items_share_is_boilerplate() -> None:
    shared = "You are given the following function to complete in the language Python please"
    items = [Item("b", str(i), f"{shared} {chr(97 + i) * 3} " * 2) for i in range(max_items(1) + 1)]
    index = BenchmarkIndex(items)
    assert index.match(index.ids([shared])) == []
    fewer = BenchmarkIndex(items[:-1])
    assert len(fewer.match(fewer.ids([shared]))) == len(items) - 1


def test_what_has_no_words_matches_nothing() -> None:
    index = BenchmarkIndex([Item("b", "1", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, x = [0]")])
    assert index.match(index.ids(["1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, x = [0]"])) == []


@pytest.mark.parametrize("items", [[], [Item("b", "1", "")], [Item("b", "1", "a b")]])
def test_little_or_nothing_indexed_matches_nothing(items: list[Item]) -> None:
    index = pickle.loads(pickle.dumps(BenchmarkIndex(items)))
    assert index.match(index.ids(["a b c d e f g h i j k l m n o p"])) == []
    assert index.match(index.ids([])) == []


def test_the_hash_moves_with_every_part_of_an_item() -> None:
    item = Item("b", "1", "p", "s", "t", ("n",))
    others = [
        Item("c", "1", "p", "s", "t", ("n",)),
        Item("b", "1", "p", "s", "t", ()),
        Item("b", "1", "ps", "", "t", ("n",)),
    ]
    assert len({BenchmarkIndex([i]).hash for i in [item, *others]}) == 4
