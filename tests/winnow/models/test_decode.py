"""Prompts of a batch are asked for token after token, each until it ends and no longer."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.base import resolve_base
from winnow.models.decode import decode
from winnow.models.local import load_causal_lm


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load_causal_lm(Path(resolve_base("tiny", tmp_path_factory.mktemp("models")).path))


prompts = st.lists(
    st.tuples(st.lists(st.integers(3, 258), min_size=1, max_size=30), st.integers(1, 9)),
    min_size=1,
    max_size=5,
)


@given(prompts)
@settings(deadline=None, max_examples=10)
def test_each_is_asked_with_its_own_logits_until_it_ends(
    model: Any, batch: list[tuple[list[int], int]]
) -> None:
    import torch

    written = [list(ids) for ids, _ in batch]

    def take(prompt: int, logits: Any) -> int | None:
        with torch.inference_mode():
            alone = model(torch.tensor([written[prompt]])).logits[0, -1]
        torch.testing.assert_close(logits, alone, atol=1e-4, rtol=1e-4)
        # Not the likeliest: what the caller draws is what goes on
        token = (int(logits.argmax()) + prompt) % 259
        written[prompt].append(token)
        ids, length = batch[prompt]
        assert len(written[prompt]) <= len(ids) + length, "it had ended"
        return token if len(written[prompt]) < len(ids) + length else None

    decode(model, [ids for ids, _ in batch], 6, take)
    for text, (ids, length) in zip(written, batch, strict=True):
        assert len(text) == len(ids) + min(length, 6)
