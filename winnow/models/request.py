"""What a model is asked: a conversation in the lake's row form, the tools offered, and how to sample."""

import json
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from winnow.core.config import ConfigModel
from winnow.core.identity import canonical


class ToolCall(ConfigModel):
    """A call of a tool; `arguments` is JSON text."""

    id: str
    name: str
    arguments: str


class Message(ConfigModel):
    """One turn, as a row of the lake holds it. `reasoning` is kept with the row and never sent."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    reasoning: str | None = None
    tool_calls: tuple[ToolCall, ...] = Field(default=(), strict=False)
    tool_call_id: str | None = None
    name: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _null_means_none(cls, raw: Any) -> Any:
        if isinstance(raw, Mapping) and raw.get("tool_calls", ()) is None:
            return {**raw, "tool_calls": ()}
        return raw

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.role == "tool" and not self.tool_call_id:
            raise ValueError("a message of a tool needs `tool_call_id`")
        if self.role != "assistant" and self.content is None:
            raise ValueError(f"a message of the {self.role} needs `content`")
        return self


class Sampling(ConfigModel):
    """How a reply is drawn. What is left out is not sent: several models refuse `temperature` and `top_p`."""

    max_tokens: int = Field(default=1024, ge=1)
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    stop: tuple[str, ...] = Field(default=(), strict=False)
    seed: int | None = Field(default=None, ge=0)


class ModelRequest(ConfigModel):
    """One call. Two requests that differ in any field are two calls, equal ones are one.

    `sample` numbers the draws of one prompt: 0, 1, 2 are three calls. `logprobs` asks for the log-probability of
    each token of the reply and of so many alternatives; 0 asks for the tokens alone.
    """

    messages: tuple[Message, ...] = Field(strict=False, min_length=1)
    tools: str | None = None
    """JSON text of a list of tool schemas in OpenAI's form, `{"type": "function", "function": {…}}`, or bare."""
    sampling: Sampling = Sampling()
    logprobs: int | None = Field(default=None, ge=0, le=20)
    sample: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _can_be_sent(self) -> Self:
        try:
            self.model_dump_json()
        except ValueError:
            raise ValueError("a text holds a lone surrogate, which is no Unicode; replace it") from None
        if self.tools is not None and not _is_list_of_functions(self.tools):
            raise ValueError("`tools` must be the JSON text of a list of objects that have a `name`")
        for place, message in enumerate(self.messages):
            for call in message.tool_calls:
                if not isinstance(_parsed(call.arguments), Mapping):
                    raise ValueError(f"messages.{place}: arguments of a tool call must be a JSON object")
        return self

    def functions(self) -> list[dict[str, Any]]:
        """The tools as objects of name, description and parameters."""
        return [_function(tool) for tool in json.loads(self.tools or "[]")]

    def encoded(self) -> bytes:
        """The canonical bytes of everything that was asked."""
        return canonical(self.model_dump())

    def size(self) -> int:
        """UTF-8 bytes of messages and tools: no byte-level tokenizer makes more tokens of them."""
        return len(self.encoded())


def _function(tool: Mapping[str, Any]) -> dict[str, Any]:
    inner = tool.get("function", tool)
    return {
        "name": inner["name"],
        "description": inner.get("description") or "",
        "parameters": inner.get("parameters") or inner.get("input_schema") or {"type": "object"},
    }


def _is_list_of_functions(text: str) -> bool:
    tools = _parsed(text)
    return isinstance(tools, list) and all(isinstance(t, Mapping) and _has_name(t) for t in tools)


def _has_name(tool: Mapping[str, Any]) -> bool:
    inner = tool.get("function", tool)
    return isinstance(inner, Mapping) and isinstance(inner.get("name"), str)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
