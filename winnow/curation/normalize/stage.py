"""The stage `normalize`: raw records into conversations, losslessly or parked with the reason.

Content is kept exactly: no Unicode form, no line end and no blank is touched. All that does change
(`rules.FLAGGED`) is written as a `keep` verdict.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from schemas.rows import CONVERSATIONS
from winnow.core.identity import conversation_hash
from winnow.core.stage import StageOutput, Verdict, verdict_batch
from winnow.curation.normalize.fields import FieldMap
from winnow.curation.normalize.file_text import decoded
from winnow.curation.normalize.json_text import parse_json
from winnow.curation.normalize.language import language_of
from winnow.curation.normalize.messages import checked, messages_of, tools_of
from winnow.curation.normalize.rules import MAX_DEPTH, ParkError

_SCHEMA = CONVERSATIONS.arrow_schema()
_CARRIED = ("row_id", "source", "source_revision", "license", "meta")
_RAW_COLUMNS = (*_CARRIED, "key", "payload_kind", "payload")


@dataclass
class _Row:
    kind: str
    messages: list[dict[str, Any]]
    tools: str | None = None
    language: str | None = None
    flags: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Normalize:
    """Turns raw batches into batches of the row form.

    A file is one assistant message of kind `code`, its language by its name. A JSON record with `messages`
    is kind `tool` where tools are offered, called or answered, else `sft`. A JSON record with `text` is one
    assistant message: kind `code` where it names its language, else `sft`. Other fields of a record stay
    in raw.
    """

    fields: FieldMap = field(default_factory=FieldMap)
    name: str = "normalize"
    code_version: str = "3"

    def identity(self) -> Mapping[str, Any]:
        """The field names and the limit of depth."""
        return {"fields": self.fields.model_dump(), "max_depth": MAX_DEPTH}

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        """One row for each record that can be one; a park verdict for each that cannot."""
        columns: dict[str, list[Any]] = {name: [] for name in _SCHEMA.names}
        verdicts: list[Verdict] = []
        raw = [batch.column(name).to_pylist() for name in _RAW_COLUMNS]
        for values in zip(*raw, strict=True):
            record = dict(zip(_RAW_COLUMNS, values, strict=True))
            judged = {"row_id": record["row_id"], "source": record["source"]}
            try:
                row = self._row(record)
            except ParkError as error:
                verdicts.append(Verdict(**judged, decision="park", rule=error.rule))
                continue
            if row.flags:
                flags = sorted(row.flags)
                verdicts.append(Verdict(**judged, decision="keep", rule=flags[0], rules=tuple(flags)))
            _append(columns, record, row)
        kept = pa.RecordBatch.from_pydict(columns, schema=_SCHEMA)
        return StageOutput(rows_in=batch.num_rows, kept=kept, verdicts=verdict_batch(verdicts))

    def _row(self, record: Mapping[str, Any]) -> _Row:
        if record["payload_kind"] == "text":
            return _file_row(record["payload"], _path(record))
        return self._json_row(record["payload"])

    def _json_row(self, payload: bytes) -> _Row:
        if b"\0" in payload:
            raise ParkError("nul-byte")
        try:
            value = parse_json(payload.decode("utf-8"))
        except UnicodeDecodeError:
            raise ParkError("invalid-utf8") from None
        if not isinstance(value, dict):
            raise ParkError("not-an-object")
        messages, text = value.get(self.fields.messages), value.get(self.fields.text)
        tools, language = value.get(self.fields.tools), value.get(self.fields.language)
        if messages is None and text is None:
            raise ParkError("missing-field")
        if messages is not None:
            row, left_out = _conversation(messages, tools), [text, language]
        else:
            row, left_out = _text_row(text, language), [tools]
        if any(unused is not None for unused in left_out):
            row.flags.add("unmapped-field")
        return row


def _path(record: Mapping[str, Any]) -> str | None:
    """The path of a file: in its meta, else its key."""
    meta = json.loads(record["meta"]) if record["meta"] else {}
    path = meta.get("path", record["key"]) if isinstance(meta, dict) else record["key"]
    return path if isinstance(path, str) else None


def _file_row(payload: bytes, path: str | None) -> _Row:
    language = language_of(path)
    text, flags = decoded(payload, language)
    return _Row("code", [_assistant(text)], language=language, flags=set(flags))


def _text_row(text: Any, language: Any) -> _Row:
    if not isinstance(text, str) or not isinstance(language, str | None):
        raise ParkError("field-type")
    named = checked(language).strip().lower() if language else None
    return _Row("code" if named else "sft", [_assistant(checked(text))], language=named or None)


def _assistant(text: str) -> dict[str, Any]:
    if not text.strip():
        raise ParkError("empty")
    return {
        "role": "assistant",
        "content": text,
        "reasoning": None,
        "tool_calls": None,
        "tool_call_id": None,
        "name": None,
    }


def _conversation(value: Any, tools_value: Any) -> _Row:
    flags: set[str] = set()
    messages = messages_of(value, flags)
    tools = tools_of(tools_value)
    with_tools = tools not in (None, "[]", "{}") or any(
        m["tool_calls"] or m["role"] == "tool" for m in messages
    )
    return _Row("tool" if with_tools else "sft", messages, tools=tools, flags=flags)


def _append(columns: Mapping[str, list[Any]], record: Mapping[str, Any], row: _Row) -> None:
    values = {
        **{name: record[name] for name in _CARRIED},
        "parent_row_id": None,
        "kind": row.kind,
        "messages": row.messages,
        "tools": row.tools,
        "language": row.language,
        "content_hash": conversation_hash(row.messages, row.tools),
    }
    for name, column in columns.items():
        column.append(values[name])
