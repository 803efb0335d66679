"""Greedy decoding of several prompts at once."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from winnow.models.decode import decode

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
    """The most likely next token, again and again, for every prompt (`winnow.models.decode`).

    A token of `ends` ends the text and is not part of it.
    """
    written: list[list[int]] = [[] for _ in prompts]
    endings: list[Ending] = ["length"] * len(prompts)

    def take(prompt: int, logits: Any) -> int | None:
        token = int(logits.argmax())
        if token in ends:
            endings[prompt] = "turn"
            return None
        written[prompt].append(token)
        if is_complete(written[prompt]):
            endings[prompt] = "complete"
            return None
        return token

    decode(model, prompts, max_new_tokens, take)
    return [Decoded(tuple(w), e) for w, e in zip(written, endings, strict=True)]
