import unicodedata

import xxhash
from hypothesis import given
from hypothesis import strategies as st
from near_copies import tokens_of

from winnow.curation.dedup.tokens import token_hashes

# Letters with and without case, digits, marks, white space of all kinds, scripts without spaces, astral planes.
ALPHABET = "aB_9é\u0301\u0344ß\u0915\u093f \t\n\r\x1c\u00a0\u2028\u3000(=+\"'~漢字ひカーｶไท\u0e34\u0e14ກ\u1780\u17d2\u1000\u103b\U0001f600\U00020000²½\ufeff\u200b\ud7a3\u1100\u1161"
texts = st.lists(st.text(st.sampled_from(ALPHABET), max_size=30), max_size=6)


def expected(text: str) -> list[int]:
    return [xxhash.xxh3_64_intdigest(token.encode()) for token in tokens_of(text)]


@given(texts)
def test_tokens_are_those_of_the_definition(texts: list[str]) -> None:
    hashes, counts = token_hashes(texts)
    assert counts.tolist() == [len(expected(t)) for t in texts]
    assert hashes.tolist() == [h for t in texts for h in expected(t)]


@given(st.text(st.sampled_from(ALPHABET)))
def test_the_normal_form_does_not_matter(text: str) -> None:
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    first, second = (token_hashes([form])[0].tolist() for form in forms)
    assert first == second


def test_neighbours_in_a_batch_do_not_touch() -> None:
    hashes, counts = token_hashes(["ab", "cd", "", "漢", "ef"])
    assert counts.tolist() == [1, 1, 0, 1, 1]
    assert hashes.tolist() == [xxhash.xxh3_64_intdigest(t.encode()) for t in ("ab", "cd", "漢", "ef")]


def test_blocks_leave_no_seam() -> None:
    text = "word é " * 100_000
    alone = token_hashes([text])[0]
    both = token_hashes(["x", text, text, "y"])[0]
    assert both[1 : 1 + len(alone)].tolist() == alone.tolist()
    assert len(both) == 2 * len(alone) + 2


def test_a_lone_surrogate_is_a_token_like_any_other() -> None:
    assert token_hashes(["a \ud800 b"])[1].tolist() == [3]
