"""Greedy decoding of several prompts at once."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Ending = Literal["turn", "complete", "length"]


@dataclass(frozen=True)
class Decoded:
    """Tokens written, and why no more: the model ended its turn, the caller had enough, or the limit was met."""

    ids: tuple[int, ...]
    ending: Ending


def decode_greedily(
    model: Any,
    prompts: Sequence[Sequence[int]],
    max_new_tokens: int,
    ends: Collection[int],
    is_complete: Callable[[Sequence[int]], bool],
) -> list[Decoded]:
    """The most likely next token, again and again, for every prompt, each as it would be alone but for rounding.

    A token of `ends` ends the text and is not part of it. Prompts are padded on the left; a finished one leaves
    the batch. Memory: keys and values of (longest prompt + max_new_tokens) x prompts tokens.
    """
    import torch
    from transformers import DynamicCache

    width = max(map(len, prompts))
    ids = torch.tensor([[0] * (width - len(p)) + list(p) for p in prompts], device=model.device)
    mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts], device=model.device)
    positions = (mask.cumsum(1) - 1).clamp(min=0)
    cache = DynamicCache(config=model.config)
    written: list[list[int]] = [[] for _ in prompts]
    endings: list[Ending] = ["length"] * len(prompts)
    going = list(range(len(prompts)))
    with torch.inference_mode():
        for _ in range(max_new_tokens):
            tokens = _next_tokens(model, ids, mask, positions, cache)
            staying = []
            for place, row in enumerate(going):
                token = int(tokens[place])
                if token in ends:
                    endings[row] = "turn"
                    continue
                written[row].append(token)
                if is_complete(written[row]):
                    endings[row] = "complete"
                else:
                    staying.append(place)
            if not staying:
                break
            if len(staying) < len(going):
                index = torch.tensor(staying, device=model.device)
                cache.batch_select_indices(index)
                tokens, mask, positions = tokens[index], mask[index], positions[index]
                going = [going[place] for place in staying]
            ids = tokens.unsqueeze(1)
            mask = torch.cat([mask, mask.new_ones(len(going), 1)], dim=1)
            positions = positions[:, -1:] + 1
    return [Decoded(tuple(w), e) for w, e in zip(written, endings, strict=True)]


def _next_tokens(model: Any, ids: Any, mask: Any, positions: Any, cache: Any) -> Any:
    logits = model(
        input_ids=ids,
        attention_mask=mask,
        position_ids=positions,
        cache=cache,
        use_cache=True,
        logits_to_keep=1,
    ).logits
    return logits[:, -1].argmax(dim=-1)
