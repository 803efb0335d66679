"""An index of benchmark items by the hashes of their n-grams, and the coverage of items by a text."""

from collections.abc import Iterable, Iterator, Sequence
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
from winnow.curation.decontaminate.postings import Found, Postings

N = 10
"""Length of the n-grams, in tokens."""
SHORT = 20
"""A field shorter than this many tokens counts only as a whole."""
SHORTEST = 5
"""A field shorter than this many tokens is not looked for."""
_PAIR_BITS = 22
_CHUNK = 1 << 18
"""Tokens of a text that are looked up at a time."""


@dataclass(frozen=True)
class Field:
    """The prompt, solution or tests of an item: its token ids, and how many of them n-grams can cover."""

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
    """N-grams of benchmark items by hash. A hit of an n-gram is sure up to a 64-bit collision.

    Left out: n-grams without a word of two letters, and boilerplate, which more than `max_items` of a
    benchmark's items share. A field shorter than an n-gram is looked for as a whole. Most of a text is
    rejected by its pairs of tokens, which no benchmark holds.
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = tuple(items)
        texts = [
            (number, name, tokens(text)) for number, item in enumerate(items) for name, text in _fields(item)
        ]
        words = sorted({word for _, _, found in texts for word in found})
        self.vocabulary = Vocabulary((word, number) for number, word in enumerate(words, 1))
        self._values = hash_values(len(words) + 1)
        self._pairs = np.zeros(1 << _PAIR_BITS, np.bool_)
        telling = np.array([False, *(len(word) > 1 and any(map(str.isalpha, word)) for word in words)])
        owners = [number for number, _, _ in texts]
        ids = [np.array([self.vocabulary[word] for word in found], np.uint32) for _, _, found in texts]
        hashes = [self._telling_ngrams(field, telling) for field in ids]
        boilerplate = self._boilerplate(owners, hashes)
        self.fields: list[Field] = []
        entries: dict[int, list[tuple[int, Hashes, NDArray[np.int64]]]] = {}
        for (item, name, _), field, found in zip(texts, ids, hashes, strict=True):
            at = np.flatnonzero((found != 0) & ~np.isin(found, boilerplate))
            if SHORTEST <= len(field) < N:
                found, at = window_hashes(field, self._values, len(field)), np.zeros(1, np.int64)
            entries.setdefault(min(len(field), N), []).append((len(self.fields), found[at], at))
            covered = int(_covered(at, len(field)).sum())
            self.fields.append(
                Field(item, name, field, max(covered, min(len(field), SHORT), len(field) // 3))
            )
            self._pairs[self._pair_buckets(field)] = True
        short = [field.ids[:SHORTEST] for field in self.fields if SHORTEST <= len(field.ids) < N]
        self._heads = np.unique([window_hashes(head, self._values, SHORTEST) for head in short]).astype(
            np.uint64
        )
        self._postings = [Postings.build(n, entries.get(n, [])) for n in range(SHORTEST, N + 1)]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def hash(self) -> str:
        """Hash of every item and of how n-grams are made."""
        rows = [[i.benchmark, i.item_id, i.prompt, i.solution, i.tests, list(i.names)] for i in self.items]
        return digest([rows, N, SHORT, SHORTEST])

    def ids(self, parts: Iterable[str]) -> Ids:
        """Token ids of the parts of a row, one after the other."""
        found = [token_ids(part, self.vocabulary) for part in parts]
        return np.concatenate(found) if found else np.zeros(0, np.uint32)

    def match(self, ids: Ids) -> list[Match]:
        """Every field of which the text covers something; short ones first, else in the order of the items."""
        chunks: list[list[tuple[Hashes, NDArray[np.int64]]]] = [[] for _ in self._postings]
        for begin in range(0, len(ids) - SHORTEST + 1, _CHUNK):
            part = ids[begin : begin + _CHUNK + N - 1]
            known = np.concatenate([np.zeros(1, np.int64), np.cumsum(self._pairs[self._pair_buckets(part)])])
            heads = self._heads_at(part, _runs(known, SHORTEST - 1))
            for postings, found in zip(self._postings, chunks, strict=True):
                at = heads if postings.length < N else _runs(known, N - 1)
                if len(at):
                    hashes, places = postings.known(part, self._values, at)
                    found.append((hashes, places + begin))
        return [
            match
            for postings, found in zip(self._postings, chunks, strict=True)
            if any(len(hashes) for hashes, _ in found)
            for match in self._matches(postings, found, ids)
        ]

    def _matches(
        self, postings: Postings, chunks: list[tuple[Hashes, NDArray[np.int64]]], ids: Ids
    ) -> Iterator[Match]:
        hashes = np.concatenate([found for found, _ in chunks])
        places = np.concatenate([at for _, at in chunks])
        wanted, first = np.unique(hashes, return_index=True)
        found = postings.find(wanted, places[first])
        numbers, begins = np.unique(found.fields, return_index=True)
        for number, begin, end in zip(numbers, begins, [*begins[1:], len(found.fields)], strict=True):
            part = slice(begin, end)
            group = Found(found.fields[part], found.places[part], found.origins[part])
            yield _match(self.fields[number], ids, group)

    def _telling_ngrams(self, ids: Ids, telling: NDArray[np.bool_]) -> Hashes:
        """The hash at each token of a field, 0 where the n-gram holds no telling one."""
        hashes = window_hashes(ids, self._values, N)
        total = np.concatenate([np.zeros(1, np.int64), np.cumsum(telling[ids])])
        return np.where(total[N:] > total[:-N], hashes, np.uint64(0)) if len(hashes) else hashes

    def _heads_at(self, ids: Ids, at: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of the places those where the first tokens of a short field stand."""
        hashes = hashes_at(ids, self._values, SHORTEST, at)
        left = np.searchsorted(self._heads, hashes, "left")
        return at[np.searchsorted(self._heads, hashes, "right") > left]

    def _pair_buckets(self, ids: Ids) -> Hashes:
        return window_hashes(ids, self._values, 2) >> np.uint64(64 - _PAIR_BITS)

    def _boilerplate(self, owners: list[int], hashes: list[Hashes]) -> Hashes:
        """N-grams that too many items of one benchmark share."""
        of_benchmark: dict[str, dict[int, list[Hashes]]] = {}
        for owner, found in zip(owners, hashes, strict=True):
            of_benchmark.setdefault(self.items[owner].benchmark, {}).setdefault(owner, []).append(found)
        shared = [np.zeros(0, np.uint64)]
        for of_item in of_benchmark.values():
            distinct = [np.unique(np.concatenate(found)) for found in of_item.values()]
            values, counts = np.unique(np.concatenate(distinct), return_counts=True)
            shared.append(values[counts > max_items(len(of_item))])
        return np.unique(np.concatenate(shared))


def max_items(size: int) -> int:
    """In how many of a benchmark's `size` items an n-gram may stand before it counts as boilerplate."""
    return max(4, size // 200)


def _fields(item: Item) -> list[tuple[str, str]]:
    named = (("prompt", item.prompt), ("solution", item.solution), ("tests", item.tests))
    return [(name, text) for name, text in named if text.strip()]


def _match(field: Field, ids: Ids, found: Found) -> Match:
    """What the n-grams found cover of a field."""
    length = len(field.ids)
    coverage = min(1.0, int(_covered(found.places, length).sum()) / field.coverable)
    if length < SHORT:
        starts = np.unique(found.origins - found.places)
        whole = any(np.array_equal(ids[s : s + length], field.ids) for s in starts[starts >= 0].tolist())
        coverage = 1.0 if whole else min(coverage, (length - 1) / length)
    return Match(field, coverage, np.sort(found.origins))


def _covered(starts: NDArray[np.integer], length: int) -> NDArray[np.bool_]:
    """Which of `length` tokens lie in an n-gram that starts at one of `starts`."""
    change = np.zeros(length + N + 1, np.int64)
    np.add.at(change, starts, 1)
    np.add.at(change, np.asarray(starts) + N, -1)
    return np.cumsum(change)[:length] > 0


def _runs(known: NDArray[np.int64], pairs: int) -> NDArray[np.int64]:
    """Where so many known pairs in a row begin."""
    return np.flatnonzero(known[pairs:] - known[:-pairs] == pairs)
