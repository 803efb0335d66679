from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.humaneval.decode import Decoded, decode_greedily
from training.base import BaseModel
from winnow.models.local import load_adapter, load_causal_lm

prompts = st.lists(st.lists(st.integers(3, 258), min_size=1, max_size=40), min_size=1, max_size=5)


@pytest.fixture(scope="session")
def model(tiny_base: BaseModel, loud_adapter: Path) -> Any:
    return load_adapter(load_causal_lm(Path(tiny_base.path)), loud_adapter)


def never(ids: Sequence[int]) -> bool:
    return False


def plain(model: Any, prompt: Sequence[int], limit: int) -> tuple[int, ...]:
    """The definition: the whole text through the model for each token, no cache, no padding."""
    import torch

    ids = list(prompt)
    with torch.inference_mode():
        for _ in range(limit):
            ids.append(int(model(torch.tensor([ids])).logits[0, -1].argmax()))
    return tuple(ids[len(prompt) :])


@given(prompts)
@settings(deadline=None, max_examples=10)
def test_each_prompt_of_a_batch_goes_on_as_it_would_alone(model: Any, batch: list[list[int]]) -> None:
    assert decode_greedily(model, batch, 6, (), never) == [
        Decoded(plain(model, prompt, 6), "length") for prompt in batch
    ]


@given(prompts, st.sets(st.integers(0, 258), max_size=120), st.integers(1, 9))
@settings(deadline=None, max_examples=10)
def test_a_text_ends_at_an_end_token_or_when_it_is_complete(
    model: Any, batch: list[list[int]], ends: set[int], size: int
) -> None:
    found = decode_greedily(model, batch, 10, ends, lambda ids: len(ids) == size or ids[-1] % 7 == 0)
    for prompt, one in zip(batch, found, strict=True):
        whole = plain(model, prompt, 10)
        stop = next((n for n, t in enumerate(whole) if t in ends), 10)
        enough = next((n + 1 for n, t in enumerate(whole) if t % 7 == 0 or n + 1 == size), 10)
        ending = "turn" if stop < enough else "complete"
        assert one == Decoded(whole[: min(stop, enough)], ending)


def test_the_models_texts_differ(model: Any) -> None:
    texts = {d.ids for d in decode_greedily(model, [[9], [80, 7], [200] * 5], 8, (), never)}
    assert len(texts) == 3
