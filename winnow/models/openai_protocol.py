"""OpenAI's chat completions: the body of a call, and the reply in its answer."""

from collections.abc import Mapping
from typing import Any

from winnow.models.answer import Answer, at, count, items, mapping, number, optional, text_or_none
from winnow.models.reply import TokenLogprob
from winnow.models.request import Message, ModelRequest, ToolCall

_FINISH = {"content_filter": "refusal", "function_call": "tool_calls"}


def unsupported(request: ModelRequest) -> str | None:
    """What of the request this protocol cannot say."""
    return None


def body(request: ModelRequest, model: str, limit_field: str) -> dict[str, Any]:
    """The arguments of `chat.completions.create`."""
    sampling = request.sampling
    given = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "stop": list(sampling.stop) or None,
        "seed": sampling.seed,
        "tools": [{"type": "function", "function": f} for f in request.functions()] or None,
        "logprobs": True if request.logprobs is not None else None,
        "top_logprobs": request.logprobs or None,
    }
    return {
        "model": model,
        "messages": [_message(message) for message in request.messages],
        limit_field: sampling.max_tokens,
        **{name: value for name, value in given.items() if value is not None},
    }


def _message(message: Message) -> dict[str, Any]:
    said: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.name is not None and message.role != "tool":
        said["name"] = message.name
    if message.tool_call_id is not None:
        said["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        said["tool_calls"] = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
            for c in message.tool_calls
        ]
    return said


def parse(raw: Any) -> Answer:
    """The reply in a chat completion. Raises ValueError for what is none."""
    choice = mapping(at(raw, "choices", 0), "choices.0")
    message = mapping(choice.get("message"), "choices.0.message")
    usage = optional(raw.get("usage"))
    finish = text_or_none(choice.get("finish_reason"), "finish_reason") or "stop"
    refusal = text_or_none(message.get("refusal"), "refusal")
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    return Answer(
        text=text_or_none(message.get("content"), "content") or refusal or "",
        tool_calls=tuple(_tool_call(call) for call in items(message.get("tool_calls"), "tool_calls")),
        reasoning=reasoning if isinstance(reasoning, str) else None,
        finish_reason="refusal" if refusal else _FINISH.get(finish, finish),
        model=text_or_none(raw.get("model"), "model") or "",
        tokens_in=count(usage.get("prompt_tokens")),
        tokens_out=count(usage.get("completion_tokens")),
        tokens_cached=count(optional(usage.get("prompt_tokens_details")).get("cached_tokens")),
        logprobs=_logprobs(choice.get("logprobs")),
    )


def _tool_call(raw: Any) -> ToolCall:
    call = mapping(raw, "tool_calls")
    function = mapping(call.get("function"), "tool_calls.function")
    return ToolCall(
        id=text_or_none(call.get("id"), "id") or "",
        name=text_or_none(function.get("name"), "name") or "",
        arguments=text_or_none(function.get("arguments"), "arguments") or "{}",
    )


def _logprobs(raw: Any) -> tuple[TokenLogprob, ...] | None:
    if not isinstance(raw, Mapping) or raw.get("content") is None:
        return None
    return tuple(
        TokenLogprob(
            token=str(token["token"]),
            logprob=number(token["logprob"], "logprob"),
            alternatives=tuple(
                (str(t["token"]), number(t["logprob"], "logprob")) for t in token.get("top_logprobs") or ()
            ),
        )
        for token in (mapping(each, "logprobs.content") for each in items(raw["content"], "logprobs.content"))
    )
