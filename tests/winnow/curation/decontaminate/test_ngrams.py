import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.decontaminate import ngrams
from winnow.curation.decontaminate.ngrams import (
    Vocabulary,
    hash_values,
    token_ids,
    token_spans,
    tokens,
    window_hashes,
)

texts = st.text(
    alphabet=st.one_of(st.sampled_from("ab1_ \n\t\\nrtu'\"(){}.éİ字\ufb01\u0301"), st.characters()),
    max_size=60,
)
CODE = 'def f(x):\n    """Add "one"."""\n    return x + 1\n'


@pytest.mark.parametrize(
    "disguised",
    [
        CODE.replace("    ", "\t"),
        CODE.replace("\n", "\r\n\r\n"),
        CODE.upper(),
        CODE.replace('"', "'"),
        json.dumps(CODE)[1:-1],
        json.dumps(json.dumps(CODE)[1:-1])[1:-1],
        " ".join(CODE.split()),
        CODE.replace("f", "\uff46"),
    ],
)
def test_layout_case_quotes_and_escapes_do_not_matter(disguised: str) -> None:
    assert tokens(disguised) == tokens(CODE)


@given(texts)
def test_there_is_a_span_for_every_token_and_they_ascend(text: str) -> None:
    spans = token_spans(text)
    assert len(spans) == len(tokens(text))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)


@given(st.text(alphabet="abc1 _\n().é", max_size=60))
def test_spans_hold_their_tokens(text: str) -> None:
    assert [text[start:end].lower() for start, end in token_spans(text)] == tokens(text)


@given(texts)
def test_ids_are_those_of_the_tokens_and_unknown_is_0(text: str) -> None:
    found = tokens(text)
    vocabulary = Vocabulary((word, i) for i, word in enumerate(sorted(set(found))[::2], 1))
    assert token_ids(text, vocabulary).tolist() == [vocabulary.get(word, 0) for word in found]


def test_long_texts_are_read_in_pieces_that_cut_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "alpha beta(gamma)\n" * 50
    whole = tokens(text)
    monkeypatch.setattr(ngrams, "_PIECE", 40)
    vocabulary = Vocabulary((word, i) for i, word in enumerate(sorted(set(whole)), 1))
    assert token_ids(text, vocabulary).tolist() == [vocabulary[word] for word in whole]


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 6))
def test_windows_have_equal_hashes_where_their_ids_are_equal(ids: list[int], n: int) -> None:
    hashes = window_hashes(np.array(ids, np.uint32), hash_values(4), n)
    windows = [tuple(ids[i : i + n]) for i in range(max(0, len(ids) - n + 1))]
    assert len(hashes) == len(windows)
    assert len(set(hashes.tolist())) == len(set(windows))


def test_hash_values_never_change() -> None:
    assert hash_values(2).tolist() == [16294208416658607535, 7960286522194355700]
