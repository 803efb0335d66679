"""Conversations that a tiny model can learn something from."""

import json
from pathlib import Path
from typing import Any

from winnow.core.identity import conversation_hash


def said(role: str, content: str | None = None, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def row(
    name: str, messages: list[dict[str, Any]], kind: str = "sft", tools: str | None = None
) -> dict[str, Any]:
    return {
        "row_id": name,
        "source": "lessons",
        "kind": kind,
        "content_hash": conversation_hash(messages, tools),
        "messages": messages,
        "tools": tools,
    }


def lessons(count: int) -> list[dict[str, Any]]:
    """Questions of different lengths whose answers have a pattern that even a tiny model picks up."""
    return [
        row(
            f"{number:032x}",
            [
                said("user", f"Count to {number}."),
                said("assistant", " ".join(map(str, range(1, number % 23 + 2)))),
            ],
        )
        for number in range(count)
    ]


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path
