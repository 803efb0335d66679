"""Replies of a local model to a batch of prompts. What a row draws does not depend on the rows beside it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from winnow.models.reply import TokenLogprob
from winnow.models.request import Sampling


@dataclass(frozen=True)
class Prompt:
    """Token ids, how to draw, the seed of this row, and how many alternatives to report (None: no logprobs)."""

    ids: Sequence[int]
    sampling: Sampling
    seed: int
    logprobs: int | None = None


@dataclass
class Generated:
    """Token ids without the end token, why the reply ended, and the log-probabilities asked for."""

    text: str = ""
    ids: list[int] = field(default_factory=list)
    finish_reason: str = "length"
    logprobs: list[TokenLogprob] = field(default_factory=list)
    done: bool = False


def generate(
    model: Any,
    prompts: Sequence[Prompt],
    decode: Callable[[Sequence[int]], str],
    ends: frozenset[int],
    pad: int,
) -> list[Generated]:
    """One reply a prompt. Without a temperature rows are drawn at 1, with 0 the likeliest token is taken.

    Padded on the left; positions count from the first real token. `ends` are the tokens that end a turn.
    """
    import torch

    width = max(len(prompt.ids) for prompt in prompts)
    ids = torch.full((len(prompts), width), pad, dtype=torch.long)
    mask = torch.zeros(len(prompts), width, dtype=torch.long)
    for row, prompt in enumerate(prompts):
        ids[row, width - len(prompt.ids) :] = torch.tensor(list(prompt.ids))
        mask[row, width - len(prompt.ids) :] = 1
    ids, mask = ids.to(model.device), mask.to(model.device)
    dice = [torch.Generator().manual_seed(prompt.seed % 2**63) for prompt in prompts]
    rows = [Generated() for _ in prompts]
    cache = None
    positions = (mask.cumsum(-1) - 1).clamp(min=0)
    with torch.inference_mode():
        for _ in range(max(prompt.sampling.max_tokens for prompt in prompts)):
            out = model(
                input_ids=ids,
                attention_mask=mask,
                position_ids=positions,
                cache=cache,
                use_cache=True,
                logits_to_keep=1,
            )
            cache = out.cache
            logits = out.logits[:, -1].float().cpu()
            drawn = [
                pad if row.done else _step(row, prompt, logits[n], dice[n], decode, ends)
                for n, (row, prompt) in enumerate(zip(rows, prompts, strict=True))
            ]
            if all(row.done for row in rows):
                break
            ids = torch.tensor(drawn, device=model.device)[:, None]
            mask = torch.cat([mask, torch.ones_like(ids)], dim=1)
            positions = positions[:, -1:] + 1
    return rows


def _step(
    row: Generated,
    prompt: Prompt,
    logits: Any,
    dice: Any,
    decode: Callable[[Sequence[int]], str],
    ends: frozenset[int],
) -> int:
    """Draws the next token of a row and ends the row where it is time; returns the token."""
    token = _drawn(logits, prompt.sampling, dice)
    if token in ends:
        row.text, row.done, row.finish_reason = decode(row.ids), True, "stop"
        return token
    row.ids.append(token)
    if prompt.logprobs is not None:
        row.logprobs.append(_logprob(logits, token, prompt.logprobs, decode))
    full = len(row.ids) == prompt.sampling.max_tokens
    if prompt.sampling.stop or full:
        row.text = decode(row.ids)
        found = [at for stop in prompt.sampling.stop if (at := row.text.find(stop)) >= 0]
        if found:
            row.text, row.finish_reason = row.text[: min(found)], "stop"
        row.done = bool(found) or full
    return token


def _drawn(logits: Any, sampling: Sampling, dice: Any) -> int:
    import torch

    if sampling.temperature == 0:
        return int(logits.argmax())
    odds = torch.softmax(logits.double() / (sampling.temperature or 1.0), -1)
    if sampling.top_p is not None:
        ordered, order = odds.sort(descending=True, stable=True)
        # the token that passes top_p is the last that counts
        ordered[ordered.cumsum(-1) - ordered >= sampling.top_p] = 0
        odds = torch.zeros_like(odds).scatter(0, order, ordered)
    return int(torch.multinomial(odds, 1, generator=dice))


def _logprob(
    logits: Any, token: int, alternatives: int, decode: Callable[[Sequence[int]], str]
) -> TokenLogprob:
    logs = logits.log_softmax(-1)
    top = logs.topk(min(alternatives, len(logs)))
    return TokenLogprob(
        token=decode([token]),
        logprob=float(logs[token]),
        alternatives=tuple((decode([int(t)]), float(v)) for v, t in zip(*top, strict=True)),
    )
