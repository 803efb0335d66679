"""The loop in which a local model writes: prompts side by side, one token after another, none waiting for the rest."""

from collections.abc import Callable, Sequence
from typing import Any

Take = Callable[[int, Any], int | None]
"""Given the number of a prompt and the logits of its next token (fp32, on the CPU): the token, or None to end it."""


def decode(model: Any, prompts: Sequence[Sequence[int]], most: int, take: Take) -> None:
    """Asks `take` for token after token of every prompt, `most` times at most, each as it would be alone.

    But for rounding, that is: prompts are padded on the left, positions count from the first real token, and one
    that has ended leaves the batch. Memory: keys and values of (longest prompt + most) x prompts tokens.
    """
    import torch
    from transformers import DynamicCache

    width = max(map(len, prompts))
    ids = torch.tensor([[0] * (width - len(p)) + list(p) for p in prompts], device=model.device)
    mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts], device=model.device)
    positions = (mask.cumsum(1) - 1).clamp(min=0)
    cache = DynamicCache(config=model.config)
    going = list(range(len(prompts)))
    with torch.inference_mode():
        for _ in range(most):
            logits = _next_logits(model, ids, mask, positions, cache)
            taken = [take(prompt, logits[place]) for place, prompt in enumerate(going)]
            staying = [place for place, token in enumerate(taken) if token is not None]
            if not staying:
                return
            if len(staying) < len(going):
                index = torch.tensor(staying, device=model.device)
                cache.batch_select_indices(index)
                mask, positions = mask[index], positions[index]
                going = [going[place] for place in staying]
            ids = torch.tensor([[taken[place]] for place in staying], device=model.device)
            mask = torch.cat([mask, mask.new_ones(len(going), 1)], dim=1)
            positions = positions[:, -1:] + 1


def _next_logits(model: Any, ids: Any, mask: Any, positions: Any, cache: Any) -> Any:
    logits = model(
        input_ids=ids,
        attention_mask=mask,
        position_ids=positions,
        cache=cache,
        use_cache=True,
        logits_to_keep=1,
    ).logits
    return logits[:, -1].float().cpu()
