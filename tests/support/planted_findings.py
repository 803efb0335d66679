"""A lake whose sanitize stage found e-mail addresses and tokens, of which a person is to judge a sample."""

from collections.abc import Mapping
from typing import Any

from small_lake import Row, conversation, publish_layer, version_of

from schemas.rows import CONVERSATIONS, SANITIZED
from winnow.core.stage import Span, Verdict
from winnow.lake.lake import Lake

PATH = "/messages/0/content"
SECRET = "zebra{}@private.example.net"


def text_of(number: int) -> str:
    return f"row {number}\nmail {SECRET.format(number)} today\nbye"


def found(row: Row, number: int, decision: str = "redact", category: str = "email_address") -> Verdict:
    start = text_of(number).index("zebra")
    span = Span(category, "d", PATH, start, start + len(SECRET.format(number)))
    return Verdict(row["row_id"], row["source"], decision, f"{category}/d", spans=(span,))


def plant(
    lake: Lake, source: str = "gamma", count: int = 12, config: Mapping[str, Any] | None = None
) -> list[Row]:
    """Rows up to sanitized: every third dropped for a token, the others redacted for an address."""
    rows = [conversation(source, f"k{n}", text_of(n)) for n in range(count)]
    publish_layer(lake, "normalize", CONVERSATIONS, source, count, rows)
    dropped = set(range(0, count, 3))
    verdicts = [
        found(row, n, "drop", "token") if n in dropped else found(row, n) for n, row in enumerate(rows)
    ]
    kept = [
        {
            **conversation(source, f"k{n}", text_of(n).replace(SECRET.format(n), "<EMAIL_ADDRESS_1>")),
            "row_id": row["row_id"],
        }
        for n, row in enumerate(rows)
        if n not in dropped
    ]
    inputs = version_of(lake, "conversations", source)
    publish_layer(lake, "sanitize", SANITIZED, source, count, kept, verdicts, inputs, config=config)
    return rows
