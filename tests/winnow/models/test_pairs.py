from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.base import resolve_base
from winnow.core.errors import DataError
from winnow.models.chat import ChatEncoder
from winnow.models.pairs import EMPTY, EQUAL, EQUAL_CUT, NO_ROOM, encode_pair

END = "<|im_end|>"
PIECES = ["a", "b", " ", "\n", "é", END, "<|im_start|>", "longer text "]
TEXT = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
TURN = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": TEXT})


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> ChatEncoder:
    base = resolve_base("tiny", tmp_path_factory.mktemp("models"))
    return ChatEncoder.from_files(Path(base.path) / "tokenizer.json", Path(base.template))


@given(st.lists(TURN, max_size=4), TEXT, TEXT, st.integers(1, 200))
@settings(deadline=None, max_examples=200)
def test_a_pair_is_the_start_of_both_conversations_or_is_refused(
    encoder: ChatEncoder, turns: list[dict[str, Any]], chosen: str, rejected: str, limit: int
) -> None:
    prompt = [*turns, {"role": "user", "content": "question"}]
    whole = [encoder.encode([*prompt, {"role": "assistant", "content": t}]) for t in (chosen, rejected)]
    try:
        pair = encode_pair(encoder, prompt, chosen, rejected, limit)
    except DataError as refusal:
        reason = str(refusal)
        assert reason in {EMPTY, EQUAL, NO_ROOM, EQUAL_CUT}
        assert (reason == EMPTY) == (not chosen.strip() or not rejected.strip())
        if reason == EQUAL_CUT:
            assert whole[0].ids[:limit] == whole[1].ids[:limit]
        return
    for side, full in zip(pair.sides(), whole, strict=True):
        # What follows the answer is the newline of the template
        assert side.ids == full.ids[: min(limit, full.length - 1)]
        assert side.ids[: len(pair.prompt)] == pair.prompt
        assert 0 < side.scored == len(side.ids) - len(pair.prompt)
        if not side.truncated:
            assert side.ids[-1] == encoder._coded(END)[0]
            assert full.trained[len(pair.prompt) - 1 : full.length - 1] == (False, *[True] * side.scored)
    assert pair.truncated == any(side.truncated for side in pair.sides())
    assert pair.ids == pair.sides()[0].ids + pair.sides()[1].ids
    assert pair.chosen != pair.rejected
