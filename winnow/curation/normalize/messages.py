"""OpenAI chat messages into the messages of a row, losslessly or not at all."""

from collections.abc import Mapping
from typing import Any

from winnow.curation.normalize.json_text import dump_json, is_json_object, parse_json
from winnow.curation.normalize.rules import ParkError

ROLE = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
_MESSAGE_KEYS = frozenset(
    {
        "role",
        "content",
        "name",
        "reasoning",
        "reasoning_content",
        "tool_calls",
        "tool_call_id",
        "function_call",
    }
)
_FUNCTION_KEYS = frozenset({"name", "arguments"})
_CALL_KEYS = frozenset({"id", "type", "index"})
"""Of a call beside its function; `index` counts the calls of a message, which their order does too."""


def checked(text: str) -> str:
    """The text itself; ParkError nul-byte or lone-surrogate where the lake could not hold it."""
    if "\0" in text:
        raise ParkError("nul-byte")
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise ParkError("lone-surrogate") from None
    return text


def messages_of(value: Any, flags: set[str]) -> list[dict[str, Any]]:
    """The messages of a row. The list may come as JSON text; flags collects the rules of what was changed.

    Raises ParkError.
    """
    if isinstance(value, str):
        value = _parsed_list(value)
    if not isinstance(value, list):
        raise ParkError("field-type")
    if not value:
        raise ParkError("empty-messages")
    messages = [_message(message, flags) for message in value]
    if not any(
        m["tool_calls"] or (m["content"] or "").strip() or (m["reasoning"] or "").strip() for m in messages
    ):
        raise ParkError("empty")
    return messages


def tools_of(value: Any) -> str | None:
    """The offered tools as JSON text: text that is JSON as it stands, a list or object written compactly."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            offered = parse_json(checked(value))
        except ParkError as error:
            raise ParkError("field-type" if error.rule == "malformed-json" else error.rule) from None
        text = value
    else:
        offered, text = value, dump_json(value)
    if not isinstance(offered, list | dict):
        raise ParkError("field-type")
    return checked(text)


def _parsed_list(text: str) -> Any:
    try:
        return parse_json(text)
    except ParkError as error:
        raise ParkError("field-type" if error.rule == "malformed-json" else error.rule) from None


def _message(value: Any, flags: set[str]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ParkError("field-type")
    role = _text(value, "role")
    if role is None:
        raise ParkError("missing-field")
    if role not in ROLE:
        raise ParkError("unknown-role")
    if ROLE[role] != role:
        flags.add("role-mapped")
    _flag_unmapped(value, _MESSAGE_KEYS, flags)
    calls = _calls(value, flags)
    content = _content(value.get("content"), flags)
    reasoning = _reasoning(value, flags)
    if content is None and not calls and reasoning is None:
        raise ParkError("missing-field")
    return {
        "role": ROLE[role],
        "content": content,
        "reasoning": reasoning,
        "tool_calls": calls,
        "tool_call_id": _text(value, "tool_call_id"),
        "name": _text(value, "name"),
    }


def _text(holder: Mapping[str, Any], key: str) -> str | None:
    value = holder.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise ParkError("field-type")
    return checked(value)


def _flag_unmapped(holder: Mapping[str, Any], known: frozenset[str], flags: set[str]) -> None:
    """A null is no loss: Arrow pads objects of different shape with them."""
    if any(key not in known and value is not None for key, value in holder.items()):
        flags.add("unmapped-field")


def _content(value: Any, flags: set[str]) -> str | None:
    if value is None:
        return None
    if isinstance(value, str):
        return checked(value)
    if not isinstance(value, list):
        raise ParkError("field-type")
    parts = [_part(part, flags) for part in value]
    if len(parts) > 1:
        flags.add("parts-joined")
    return "\n".join(parts)


def _part(value: Any, flags: set[str]) -> str:
    if not isinstance(value, Mapping):
        raise ParkError("field-type")
    if value.get("type") != "text":
        raise ParkError("non-text-content")
    _flag_unmapped(value, frozenset({"type", "text"}), flags)
    text = _text(value, "text")
    if text is None:
        raise ParkError("missing-field")
    return text


def _reasoning(value: Mapping[str, Any], flags: set[str]) -> str | None:
    reasoning, named_otherwise = _text(value, "reasoning"), _text(value, "reasoning_content")
    if reasoning is not None and named_otherwise not in (None, reasoning):
        flags.add("unmapped-field")
    return named_otherwise if reasoning is None else reasoning


def _calls(value: Mapping[str, Any], flags: set[str]) -> list[dict[str, Any]] | None:
    """The calls of a message; the older single `function_call` counts as one without an id."""
    calls, single = value.get("tool_calls"), value.get("function_call")
    if calls is not None and not isinstance(calls, list):
        raise ParkError("field-type")
    if single is not None:
        if calls or not isinstance(single, Mapping):
            raise ParkError("field-type")
        calls = [{"function": single}]
    return [_call(call, flags) for call in calls] if calls else None


def _call(value: Any, flags: set[str]) -> dict[str, Any]:
    """A call as OpenAI writes it, or flat with name and arguments beside the id."""
    if not isinstance(value, Mapping) or value.get("type") not in (None, "function"):
        raise ParkError("field-type")
    function = value.get("function")
    _flag_unmapped(value, _CALL_KEYS | (_FUNCTION_KEYS if function is None else {"function"}), flags)
    if function is None:
        function = value
    elif not isinstance(function, Mapping):
        raise ParkError("field-type")
    else:
        _flag_unmapped(function, _FUNCTION_KEYS, flags)
    name = _text(function, "name")
    if not name:
        raise ParkError("missing-field")
    return {"id": _text(value, "id"), "name": name, "arguments": _arguments(function.get("arguments"), flags)}


def _arguments(value: Any, flags: set[str]) -> str | None:
    if value is None:
        return None
    if isinstance(value, str):
        if not is_json_object(value):
            flags.add("arguments-not-object")
        return checked(value)
    if not isinstance(value, dict):
        raise ParkError("field-type")
    flags.add("arguments-as-text")
    return checked(dump_json(value))
