"""What a server or a local model answered, before it is priced; and how strictly its JSON is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from winnow.models.reply import TokenLogprob
from winnow.models.request import ToolCall

_MOST = 2**53


@dataclass(frozen=True)
class Answer:
    """Fields as in ModelReply."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    reasoning: str | None
    finish_reason: str
    model: str
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    logprobs: tuple[TokenLogprob, ...] | None = None


def at(raw: Any, name: str, place: int) -> Any:
    """`raw[name][place]`. Raises ValueError where there is none."""
    found = items(mapping(raw, "the body").get(name), name)
    if len(found) <= place:
        raise ValueError(f"no `{name}`")
    return found[place]


def mapping(raw: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise ValueError(f"`{what}` is no object")
    return raw


def optional(raw: Any) -> Mapping[str, Any]:
    """The object, or an empty one where the server sends none."""
    return raw if isinstance(raw, Mapping) else {}


def items(raw: Any, what: str) -> Sequence[Any]:
    """A list; null is an empty one."""
    if raw is None:
        return ()
    if not isinstance(raw, list):
        raise ValueError(f"`{what}` is no list")
    return raw


def text_or_none(raw: Any, what: str) -> str | None:
    if raw is not None and not isinstance(raw, str):
        raise ValueError(f"`{what}` is no text")
    return raw


def number(raw: Any, what: str) -> float:
    """A number; what stands in its place is not quoted."""
    if not isinstance(raw, int | float) or isinstance(raw, bool):
        raise ValueError(f"`{what}` is no number")
    try:
        return float(raw)
    except OverflowError:
        raise ValueError(f"`{what}` is too large") from None


def count(raw: Any) -> int | None:
    """A number of tokens, or None where the server says none, or one that no table holds."""
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw < _MOST else None
