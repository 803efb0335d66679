"""A prompt with a chosen and a rejected answer, as the tokens that a preference is learned and judged on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from winnow.core.errors import DataError
from winnow.models.chat import ChatEncoder, Encoded

EMPTY = "one of its answers is empty"
EQUAL = "its answers are equal"
NO_ROOM = "its prompt leaves no room for an answer within sequence_len"
EQUAL_CUT = "its answers do not differ within sequence_len"
OTHER_PROMPT = "the chat template renders its prompt differently for its two answers"


@dataclass(frozen=True)
class EncodedPair:
    """Token ids of a prompt and of both answers, each cut to fit; an answer ends with the end-of-turn token.

    What a cut takes is the end of an answer, never a part of the prompt.
    """

    prompt: tuple[int, ...]
    chosen: tuple[int, ...]
    rejected: tuple[int, ...]
    chosen_length: int
    """Tokens of the chosen answer before the cut."""
    rejected_length: int

    @property
    def ids(self) -> tuple[int, ...]:
        """What the model reads: the prompt with the chosen answer, then the prompt with the rejected one."""
        return self.prompt + self.chosen + self.prompt + self.rejected

    @property
    def scored(self) -> int:
        """Tokens of both answers."""
        return len(self.chosen) + len(self.rejected)

    @property
    def truncated(self) -> bool:
        return self.chosen_length + self.rejected_length > self.scored

    def sides(self) -> tuple[Encoded, Encoded]:
        """The chosen and the rejected answer after the prompt, as conversations of which the answer counts."""
        return (
            self._side(self.chosen, self.chosen_length),
            self._side(self.rejected, self.rejected_length),
        )

    def _side(self, answer: tuple[int, ...], length: int) -> Encoded:
        trained = (False,) * len(self.prompt) + (True,) * len(answer)
        return Encoded(self.prompt + answer, trained, len(self.prompt) + length, length)


def encode_pair(
    encoder: ChatEncoder, prompt: Sequence[Mapping[str, Any]], chosen: str, rejected: str, limit: int
) -> EncodedPair:
    """The pair with at most `limit` tokens a side.

    Raises DataError, with the reason alone as its message, for a pair of which nothing can be learned: an
    empty answer, equal answers, answers that differ only beyond the limit, or a prompt that fills it.
    """
    if not (chosen.strip() and rejected.strip()):
        raise DataError(EMPTY)
    if chosen == rejected:
        raise DataError(EQUAL)
    before, good = _turn(encoder, prompt, chosen)
    before_rejected, bad = _turn(encoder, prompt, rejected)
    if before != before_rejected:
        raise DataError(OTHER_PROMPT)
    room = limit - len(before)
    if room < 1:
        raise DataError(NO_ROOM)
    if good[:room] == bad[:room]:
        raise DataError(EQUAL_CUT if len(good) > room or len(bad) > room else EQUAL)
    return EncodedPair(before, good[:room], bad[:room], len(good), len(bad))


def _turn(
    encoder: ChatEncoder, prompt: Sequence[Mapping[str, Any]], answer: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What stands before the last turn of the assistant, and that turn: the last run of tokens to be written."""
    encoded = encoder.encode([*prompt, {"role": "assistant", "content": answer}])
    end = len(encoded.trained) - encoded.trained[::-1].index(True)
    start = end
    while start and encoded.trained[start - 1]:
        start -= 1
    return encoded.ids[:start], encoded.ids[start:end]
