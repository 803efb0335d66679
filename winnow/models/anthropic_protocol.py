"""Anthropic's messages: the body of a call, and the reply in its answer."""

import json
from collections.abc import Mapping
from typing import Any

from winnow.models.answer import Answer, count, items, mapping, optional, text_or_none
from winnow.models.request import Message, ModelRequest, ToolCall

_FINISH = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls"}


def unsupported(request: ModelRequest) -> str | None:
    """What of the request this protocol cannot say."""
    if request.sampling.seed is not None:
        return "Anthropic takes no seed; leave `sampling.seed` out and number the draws by `sample`"
    if request.logprobs is not None:
        return "Anthropic gives no log-probabilities; leave `logprobs` out, or ask another provider"
    return None


def body(request: ModelRequest, model: str) -> dict[str, Any]:
    """The arguments of `messages.create`. Turns of one side in a row, as after two tool calls, become one."""
    sampling = request.sampling
    turns: list[dict[str, Any]] = []
    for message in request.messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += _blocks(message)
        else:
            turns.append({"role": role, "content": _blocks(message)})
    given = {
        "system": "\n\n".join(m.content or "" for m in request.messages if m.role == "system") or None,
        # the SDK has no arguments for these, as newer models refuse them; older ones take them
        "extra_body": {n: v for n in ("temperature", "top_p") if (v := getattr(sampling, n)) is not None}
        or None,
        "stop_sequences": list(sampling.stop) or None,
        "tools": [_tool(function) for function in request.functions()] or None,
    }
    return {
        "model": model,
        "messages": turns,
        "max_tokens": sampling.max_tokens,
        **{name: value for name, value in given.items() if value is not None},
    }


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": function["name"],
        "description": function["description"],
        "input_schema": function["parameters"],
    }


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [
            {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.content or ""}
        ]
    said = [{"type": "text", "text": message.content}] if message.content else []
    calls = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": json.loads(call.arguments)}
        for call in message.tool_calls
    ]
    return [*said, *calls]


def parse(raw: Any) -> Answer:
    """The reply in a message. Raises ValueError for what is none."""
    message = mapping(raw, "the body")
    if message.get("type") != "message":
        raise ValueError("`type` is not `message`")
    if message.get("content") is None:
        raise ValueError("no `content`")
    blocks = [mapping(block, "content") for block in items(message["content"], "content")]
    usage = optional(message.get("usage"))
    cached = count(usage.get("cache_read_input_tokens"))
    written = count(usage.get("cache_creation_input_tokens"))
    fresh = count(usage.get("input_tokens"))
    finish = text_or_none(message.get("stop_reason"), "stop_reason") or "stop"
    return Answer(
        text=_joined(blocks, "text", "text") or "",
        tool_calls=tuple(_tool_call(block) for block in blocks if block.get("type") == "tool_use"),
        reasoning=_joined(blocks, "thinking", "thinking"),
        finish_reason=_FINISH.get(finish, finish),
        model=text_or_none(message.get("model"), "model") or "",
        tokens_in=None if fresh is None else fresh + (cached or 0) + (written or 0),
        tokens_out=count(usage.get("output_tokens")),
        tokens_cached=cached,
    )


def _joined(blocks: list[Mapping[str, Any]], kind: str, name: str) -> str | None:
    said = [text_or_none(block.get(name), name) or "" for block in blocks if block.get("type") == kind]
    return "".join(said) if said else None


def _tool_call(block: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        id=text_or_none(block.get("id"), "id") or "",
        name=text_or_none(block.get("name"), "name") or "",
        arguments=json.dumps(block.get("input") or {}, ensure_ascii=False),
    )
