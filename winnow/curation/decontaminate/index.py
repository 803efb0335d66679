"""An index of benchmark items by the hashes of their n-grams, and the coverage of items by a text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from winnow.core.identity import digest
from winnow.curation.decontaminate.benchmarks import Item
from winnow.curation.decontaminate.ngrams import (
    Hashes,
    Ids,
    Vocabulary,
    hash_values,
    hashes_at,
    token_ids,
    tokens,
    window_hashes,
)

N = 10
"""Length of the n-grams, in tokens."""
HEAD = 5
"""A field shorter than N is found by its first tokens, so many, and then compared whole."""
SHORT = 20
"""A field shorter than this many tokens counts only as a whole."""
_PAIR_BITS = 22


@dataclass(frozen=True)
class Field:
    """The prompt, solution or tests of an item: its token ids, and how many of them an n-gram can cover."""

    item: int
    name: str
    ids: Ids
    coverable: int


@dataclass(frozen=True)
class Match:
    """What a text covers of a field: the share of its tokens, and where its n-grams begin in the text.

    Places count tokens of the text; of equal n-grams the first is given.
    """

    field: Field
    coverage: float
    places: NDArray[np.int64]


class BenchmarkIndex:
    """N-grams of benchmark items, sorted by hash. A hit of an n-gram is sure up to a 64-bit collision.

    Left out: n-grams without a word of two letters, and boilerplate, which more than `max_items` of a
    benchmark's items share. Most of a text is rejected by its pairs of tokens, which no benchmark holds.
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = tuple(items)
        texts = [(i, name, tokens(text)) for i, item in enumerate(items) for name, text in _fields(item)]
        words = sorted({word for _, _, found in texts for word in found})
        self.vocabulary = Vocabulary((word, number) for number, word in enumerate(words, 1))
        self._values = hash_values(len(words) + 1)
        telling = np.array([False, *(len(word) > 1 and any(map(str.isalpha, word)) for word in words)])
        ids = [np.array([self.vocabulary[w] for w in found], np.uint32) for _, _, found in texts]
        hashes = [self._telling_ngrams(field, telling) for field in ids]
        boilerplate = self._boilerplate([i for i, _, _ in texts], hashes)
        self.fields: list[Field] = []
        owners: list[NDArray[np.int32]] = []
        kept: list[Hashes] = []
        places: list[NDArray[np.int32]] = []
        for (item, name, _), field, found in zip(texts, ids, hashes, strict=True):
            use = (found != 0) & ~np.isin(found, boilerplate)
            covered = int(_covered(np.flatnonzero(use), len(field)).sum())
            owners.append(np.full(int(use.sum()), len(self.fields), np.int32))
            kept.append(found[use])
            places.append(np.flatnonzero(use).astype(np.int32))
            self.fields.append(
                Field(item, name, field, max(covered, min(len(field), SHORT), len(field) // 3))
            )
        order = np.argsort(np.concatenate(kept), kind="stable") if kept else np.zeros(0, np.int64)
        self._hashes: Hashes = np.concatenate(kept)[order] if kept else np.zeros(0, np.uint64)
        self._owners = np.concatenate(owners)[order] if kept else np.zeros(0, np.int32)
        self._places = np.concatenate(places)[order] if kept else np.zeros(0, np.int32)
        self._pairs = np.zeros(1 << _PAIR_BITS, np.bool_)
        for field in ids:
            self._pairs[window_hashes(field, self._values, 2) >> np.uint64(64 - _PAIR_BITS)] = True
        self._build_heads()

    def _telling_ngrams(self, ids: Ids, telling: NDArray[np.bool_]) -> Hashes:
        """The hash at each token of a field, 0 where the n-gram holds no telling one."""
        return np.where(_any_in_window(telling[ids], N), window_hashes(ids, self._values, N), np.uint64(0))

    def __len__(self) -> int:
        return len(self.items)

    @property
    def hash(self) -> str:
        """Hash of every item and of how n-grams are made."""
        rows = [[i.benchmark, i.item_id, i.prompt, i.solution, i.tests, list(i.names)] for i in self.items]
        return digest([rows, N, HEAD, SHORT])

    def ids(self, parts: Iterable[str]) -> Ids:
        """Token ids of the parts of a row, one after the other."""
        found = [token_ids(part, self.vocabulary) for part in parts]
        return np.concatenate(found) if found else np.zeros(0, np.uint32)

    def match(self, ids: Ids) -> list[Match]:
        """Every field of which the text covers something, in the order of the items."""
        if len(ids) < HEAD:
            return []
        known = self._known_pairs(ids)
        return self._match_ngrams(ids, _runs(known, N - 1)) + self._match_heads(ids, _runs(known, HEAD - 1))

    def _match_ngrams(self, ids: Ids, at: NDArray[np.int64]) -> list[Match]:
        """By n-grams; `at` are the places where one may begin."""
        wanted, first = np.unique(hashes_at(ids, self._values, N, at), return_index=True)
        at = at[first]
        left = np.searchsorted(self._hashes, wanted, "left")
        count = np.searchsorted(self._hashes, wanted, "right") - left
        at, left, count = at[count > 0], left[count > 0], count[count > 0]
        if not len(at):
            return []
        postings = np.repeat(left - np.cumsum(count) + count, count) + np.arange(count.sum())
        owners, places, origin = self._owners[postings], self._places[postings], np.repeat(at, count)
        order = np.argsort(owners, kind="stable")
        numbers, begins = np.unique(owners[order], return_index=True)
        groups = np.split(order, begins[1:])
        fields = [self.fields[number] for number in numbers]
        return [_match(f, ids, places[g], origin[g]) for f, g in zip(fields, groups, strict=True)]

    def _build_heads(self) -> None:
        short = [n for n, f in enumerate(self.fields) if HEAD <= len(f.ids) < N]
        heads = [int(window_hashes(self.fields[n].ids, self._values, HEAD)[0]) for n in short]
        order = sorted(range(len(short)), key=lambda i: heads[i])
        self._heads: Hashes = np.array([heads[i] for i in order], np.uint64)
        self._head_owners = [short[i] for i in order]

    def _match_heads(self, ids: Ids, at: NDArray[np.int64]) -> list[Match]:
        """By the first tokens of short fields, then by all of them."""
        wanted = hashes_at(ids, self._values, HEAD, at)
        left = np.searchsorted(self._heads, wanted, "left")
        right = np.searchsorted(self._heads, wanted, "right")
        found: dict[int, list[int]] = {}
        for place, begin, end in zip(at.tolist(), left.tolist(), right.tolist(), strict=True):
            for number in self._head_owners[begin:end]:
                field = self.fields[number].ids
                if np.array_equal(ids[place : place + len(field)], field):
                    found.setdefault(number, []).append(place)
        return [Match(self.fields[n], 1.0, np.array(found[n], np.int64)) for n in sorted(found)]

    def _known_pairs(self, ids: Ids) -> NDArray[np.int64]:
        """How many of the first 0, 1, 2 ... neighbouring tokens stand side by side in a benchmark as well."""
        pairs = self._pairs[window_hashes(ids, self._values, 2) >> np.uint64(64 - _PAIR_BITS)]
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(pairs)])

    def _boilerplate(self, owners: list[int], hashes: list[Hashes]) -> Hashes:
        """N-grams that too many items of one benchmark share."""
        sizes: dict[str, int] = {}
        for item in self.items:
            sizes[item.benchmark] = sizes.get(item.benchmark, 0) + 1
        shared: list[Hashes] = []
        for benchmark, size in sizes.items():
            of_item: dict[int, list[Hashes]] = {}
            for owner, found in zip(owners, hashes, strict=True):
                if self.items[owner].benchmark == benchmark:
                    of_item.setdefault(owner, []).append(found)
            distinct = [np.unique(np.concatenate(found)) for found in of_item.values()]
            if distinct:
                values, counts = np.unique(np.concatenate(distinct), return_counts=True)
                shared.append(values[counts > max_items(size)])
        return np.unique(np.concatenate(shared)) if shared else np.zeros(0, np.uint64)


def max_items(size: int) -> int:
    """In how many of a benchmark's `size` items an n-gram may stand before it counts as boilerplate."""
    return max(4, size // 200)


def _fields(item: Item) -> list[tuple[str, str]]:
    named = (("prompt", item.prompt), ("solution", item.solution), ("tests", item.tests))
    return [(name, text) for name, text in named if text.strip()]


def _match(field: Field, ids: Ids, places: NDArray[np.int32], origin: NDArray[np.int64]) -> Match:
    """What n-grams at `places` of the field, found at `origin` of the text, cover of it."""
    length = len(field.ids)
    coverage = min(1.0, int(_covered(places, length).sum()) / field.coverable)
    if length < SHORT:
        starts = np.unique(origin - places)
        whole = any(np.array_equal(ids[s : s + length], field.ids) for s in starts[starts >= 0].tolist())
        coverage = 1.0 if whole else min(coverage, (length - 1) / length)
    return Match(field, coverage, np.sort(origin))


def _any_in_window(flags: NDArray[np.bool_], n: int) -> NDArray[np.bool_]:
    total = np.concatenate([[0], np.cumsum(flags)])
    return total[n:] - total[:-n] > 0 if len(flags) >= n else np.zeros(0, np.bool_)


def _covered(starts: NDArray[np.integer], length: int) -> NDArray[np.bool_]:
    """Which of `length` tokens lie in an n-gram that starts at one of `starts`."""
    change = np.zeros(length + N + 1, np.int64)
    np.add.at(change, starts, 1)
    np.add.at(change, np.asarray(starts) + N, -1)
    return np.cumsum(change)[:length] > 0


def _runs(known: NDArray[np.int64], pairs: int) -> NDArray[np.int64]:
    """Where so many known pairs in a row begin."""
    return np.flatnonzero(known[pairs:] - known[:-pairs] == pairs)
