"""Rows that are hard for deduplication, and the definition of a duplicate written as plainly as possible."""

import random
import re
import unicodedata
from collections.abc import Sequence

import polars as pl
from hypothesis import strategies as st

SPACELESS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
TOKEN = rf"[{SPACELESS}]|[\p{{L}}\p{{N}}_--[{SPACELESS}]]+|[^\p{{L}}\p{{N}}_\s]"
WORDS = ["alpha", "beta", "x", "=", "(", ")", "return", "0", "1", "naïve", "漢", "if"]


def tokens_of(text: str) -> list[str]:
    """By the engine of another language, and its tables of scripts."""
    text = re.sub(r"\s", " ", unicodedata.normalize("NFC", text))
    return list(pl.Series([text]).str.extract_all(TOKEN).to_list()[0])


def shingles_of(text: str, ngram: int = 5) -> set[tuple[str, ...]]:
    tokens = tokens_of(text)
    if len(tokens) < ngram:
        return {tuple(tokens)} if tokens else set()
    return {tuple(tokens[at : at + ngram]) for at in range(len(tokens) - ngram + 1)}


def similarity(a: set[tuple[str, ...]], b: set[tuple[str, ...]]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0


def greedy(texts: Sequence[str], threshold: float = 0.7) -> list[tuple[str, int, float] | None]:
    """For each text in keep order: kept (None), or the rule, the kept text that it duplicates and the score.

    A copy of a text that was itself dropped shares its verdict.
    """
    sets = [shingles_of(text) for text in texts]
    keys = [unicodedata.normalize("NFC", t.replace("\r\n", "\n").replace("\r", "\n")) for t in texts]
    verdicts: list[tuple[str, int, float] | None] = []
    for index, own in enumerate(sets):
        first = keys.index(keys[index])
        if own and first < index:
            verdicts.append(verdicts[first] or ("exact-duplicate", first, 1.0))
            continue
        kept = [(similarity(own, sets[k]), k) for k in range(index) if verdicts[k] is None]
        score, earliest = max(((s, -k) for s, k in kept), default=(0.0, 0))
        verdicts.append(("near-duplicate", -earliest, score) if score >= threshold else None)
    return verdicts


def edited(words: list[str], edits: int, rng: random.Random) -> list[str]:
    """`edits` words replaced, inserted or removed."""
    words = list(words)
    for _ in range(edits):
        at = rng.randrange(len(words) + 1)
        words[at : at + rng.randrange(2)] = [rng.choice(WORDS)] * rng.randrange(2)
    return words


@st.composite
def near_copies(draw: st.DrawFn, max_texts: int = 12) -> list[str]:
    """Edits of one or two base texts around the threshold, copies, whitespace variants, tiny and empty texts."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    bases = [
        [rng.choice(WORDS) + str(rng.randrange(9)) for _ in range(rng.randrange(6, 80))] for _ in range(2)
    ]
    texts: list[str] = []
    for _ in range(draw(st.integers(1, max_texts))):
        shape = draw(st.sampled_from(["edit", "edit", "edit", "copy", "spaces", "tiny", "empty", "chain"]))
        if shape == "copy" and texts:
            texts.append(rng.choice(texts))
        elif shape == "spaces" and texts:
            texts.append(rng.choice(texts).replace(" ", rng.choice(["\n", "\r\n", "  "])))
        elif shape == "chain" and texts:
            texts.append(" ".join(edited(rng.choice(texts).split(), 2, rng)))
        elif shape == "tiny":
            texts.append(" ".join(rng.choice(WORDS[:4]) for _ in range(rng.randrange(1, 6))))
        elif shape == "empty":
            texts.append(rng.choice(["", " ", "\n\t"]))
        else:
            texts.append(" ".join(edited(rng.choice(bases), rng.randrange(12), rng)))
    return texts
