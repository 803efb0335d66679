"""Replies of a local model to a batch of prompts. What a row draws does not depend on the rows beside it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from winnow.models.decode import decode
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
    text_of: Callable[[Sequence[int]], str],
    ends: frozenset[int],
) -> list[Generated]:
    """One reply a prompt. Without a temperature rows are drawn at 1, with 0 the likeliest token is taken.

    `ends` are the tokens that end a turn.
    """
    import torch

    dice = [torch.Generator().manual_seed(prompt.seed % 2**63) for prompt in prompts]
    rows = [Generated() for _ in prompts]

    def take(n: int, logits: Any) -> int | None:
        token = _step(rows[n], prompts[n], logits, dice[n], text_of, ends)
        return None if rows[n].done else token

    decode(model, [p.ids for p in prompts], max(p.sampling.max_tokens for p in prompts), take)
    return rows


def _step(
    row: Generated,
    prompt: Prompt,
    logits: Any,
    dice: Any,
    text_of: Callable[[Sequence[int]], str],
    ends: frozenset[int],
) -> int:
    """Draws the next token of a row and ends the row where it is time; returns the token."""
    token = _drawn(logits, prompt.sampling, dice)
    if token in ends:
        row.text, row.done, row.finish_reason = text_of(row.ids), True, "stop"
        return token
    row.ids.append(token)
    if prompt.logprobs is not None:
        row.logprobs.append(_logprob(logits, token, prompt.logprobs, text_of))
    full = len(row.ids) == prompt.sampling.max_tokens
    if prompt.sampling.stop or full:
        row.text = text_of(row.ids)
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
    logits: Any, token: int, alternatives: int, text_of: Callable[[Sequence[int]], str]
) -> TokenLogprob:
    logs = logits.log_softmax(-1)
    top = logs.topk(min(alternatives, len(logs)))
    return TokenLogprob(
        token=text_of([token]),
        logprob=float(logs[token]),
        alternatives=tuple((text_of([int(t)]), float(v)) for v, t in zip(*top, strict=True)),
    )
