import gzip
import hmac
import itertools
import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from planted_texts import rich_texts, rich_values

from schemas.rows import ROW_COLUMNS
from winnow.core.config import load_model
from winnow.core.errors import ConfigError
from winnow.core.identity import canonical, conversation_hash
from winnow.curation.sanitize import SanitizeConfig, SanitizeStage
from winnow.curation.sanitize.config import RULES
from winnow.curation.text import row_strings
from winnow.models.tokenizer import load_tokenizer

SCHEMA = pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in ROW_COLUMNS])
START = {"end": 0}
REDACTING = load_model(SanitizeConfig, {"policies": {"private_key": "redact"}})
CASES = Path(__file__).parents[5] / "shared" / "cases"


def make_row(number: int, content: str, **columns: Any) -> dict[str, Any]:
    message = dict.fromkeys(("reasoning", "tool_calls", "tool_call_id", "name"))
    messages = columns.pop("messages", [{"role": "user", "content": content, **message}])
    row = dict.fromkeys(c.name for c in ROW_COLUMNS)
    row |= {
        "row_id": f"{number:032x}",
        "source": "s",
        "source_revision": "1",
        "kind": "sft",
        "messages": messages,
    }
    row |= {"content_hash": conversation_hash(messages, columns.get("tools"))}
    return row | columns


def as_batch(*rows: dict[str, Any]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(list(rows), schema=SCHEMA)


def rich_row(number: int, texts: list[str], arguments: Any, meta: Any) -> dict[str, Any]:
    call = {"id": texts[0], "name": texts[1], "arguments": json.dumps(arguments)}
    first = {"role": "user", "content": texts[2], "reasoning": texts[3], "tool_calls": [call]}
    second = {"role": "tool", "content": texts[4], "tool_call_id": texts[0], "name": texts[1]}
    return make_row(number, "", messages=[first, second], license=texts[5], meta=json.dumps(meta))


@settings(max_examples=50, deadline=None)
@given(st.lists(rich_texts, min_size=6, max_size=6), rich_values, rich_values)
def test_every_string_is_scanned_and_the_output_is_clean(texts: list[str], arguments: Any, meta: Any) -> None:
    stage = SanitizeStage(REDACTING)
    batch = as_batch(rich_row(1, texts, arguments, meta), make_row(2, "plain"))
    once = stage.run(batch)
    twice = stage.run(once.kept)
    assert twice.verdicts.num_rows == 0
    assert twice.kept.equals(once.kept)
    row, before = once.kept.to_pylist()[0], batch.to_pylist()[0]
    assert row["content_hash"] == conversation_hash(row["messages"], row["tools"])
    assert [p for p, _ in row_strings(row)] == [p for p, _ in row_strings(before)]
    json.loads(row["messages"][0]["tool_calls"][0]["arguments"])
    json.loads(row["meta"])
    assert once.kept.to_pylist()[1] == batch.to_pylist()[1]


@settings(max_examples=50, deadline=None)
@given(st.lists(rich_texts, min_size=6, max_size=6), rich_values)
def test_spans_point_into_the_input_row(texts: list[str], arguments: Any) -> None:
    batch = as_batch(rich_row(1, texts, arguments, None))
    before = dict(row_strings(batch.to_pylist()[0]))
    output = SanitizeStage(REDACTING).run(batch)
    after = dict(row_strings(output.kept.to_pylist()[0]))
    spans = [span for v in output.verdicts.to_pylist() for span in v["spans"]]
    for path, text in before.items():
        mine = [s for s in spans if s["path"] == path]
        gaps = [
            text[a["end"] : b["start"]] for a, b in itertools.pairwise([START, *mine, {"start": len(text)}])
        ]
        pattern = "".join(
            re.escape(gap) + (f"<{span['category'].upper()}_\\d+>" if span else "")
            for gap, span in itertools.zip_longest(gaps, mine)
        )
        assert re.fullmatch(pattern, after[path])


def test_the_verdict_names_rules_spans_and_a_keyed_fingerprint() -> None:
    config = SanitizeConfig(fingerprint_key="k" * 16)  # type: ignore[arg-type]
    row = make_row(1, "é ann@site.io /home/alice", meta='{"by": "ann@site.io"}')
    verdict = SanitizeStage(config).run(as_batch(make_row(0, "nothing"), row)).verdicts.to_pylist()
    assert len(verdict) == 1
    assert (verdict[0]["row_id"], verdict[0]["decision"], verdict[0]["rule"]) == (
        row["row_id"],
        "redact",
        "email_address/address",
    )
    assert verdict[0]["rules"] == ["email_address/address", "user_name/posix_home"]
    spans = [(s["path"], s["start"], s["end"]) for s in verdict[0]["spans"]]
    assert spans == [("/messages/0/content", 2, 13), ("/messages/0/content", 20, 25), ("/meta", 8, 19)]
    found = canonical([("email_address", "ann@site.io"), ("user_name", "alice")])
    assert verdict[0]["fingerprint"] == hmac.new(b"k" * 16, found, "sha256").hexdigest()
    assert "ann@" not in json.dumps(verdict)


def test_the_key_of_the_fingerprint_leaves_no_trace() -> None:
    keyed, plain = SanitizeStage(SanitizeConfig(fingerprint_key="hunter2")), SanitizeStage()  # type: ignore[arg-type]
    assert keyed.identity() == plain.identity()
    assert "hunter2" not in repr(keyed.config)


def test_identity_moves_with_the_rules() -> None:
    fewer = SanitizeStage(load_model(SanitizeConfig, {"detectors": ["email_address/address"]}))
    assert fewer.identity() != SanitizeStage().identity()
    assert fewer.run(as_batch(make_row(1, "ann@site.io /home/alice"))).kept["messages"][0][0][
        "content"
    ].as_py() == ("<EMAIL_ADDRESS_1> /home/alice")
    with pytest.raises(ConfigError, match=r"Did you mean `email_address/address`"):
        load_model(SanitizeConfig, {"detectors": ["email_address/adress"]})


def test_tokens_are_counted_before_and_after() -> None:
    batch = as_batch(make_row(1, "é ann@site.io"), make_row(2, "same"), make_row(3, "same"))
    stage = pickle.loads(pickle.dumps(SanitizeStage(counter=load_tokenizer("bytes"))))
    side = stage.run(batch).side
    assert side["row_tokens"].to_pylist() == [
        {"row_id": f"{1:032x}", "tokens_in": 14, "tokens_out": 20},
        {"row_id": f"{2:032x}", "tokens_in": 4, "tokens_out": 4},
        {"row_id": f"{3:032x}", "tokens_in": 4, "tokens_out": 4},
    ]
    assert set(side) == {"row_tokens", "findings"}


def labelled(name: str) -> list[dict[str, Any]]:
    path = CASES / name
    if not path.exists():
        pytest.skip(f"{path.name} is not on this machine")
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def test_no_labelled_secret_of_our_categories_survives() -> None:
    kinds = {"ds-aws_key", "generated-aws-pair", "generated-github", "generated-github-fine", "ds-jwt"}
    rows = [r for r in labelled("secrets/secrets.jsonl.gz") if r["kind"] in kinds]
    kept = SanitizeStage().run(as_batch(*(make_row(i, r["text"]) for i, r in enumerate(rows)))).kept
    out = [m[0]["content"] for m in kept["messages"].to_pylist()]
    assert len(rows) >= 9
    assert not [s for text, r in zip(out, rows, strict=True) for s in r["secrets"] if s in text]


def test_labelled_negatives_of_secrets_stay() -> None:
    rules = [r for r in RULES if not r.startswith("email")]
    stage = SanitizeStage(load_model(SanitizeConfig, {"detectors": rules}))
    rows = [r for r in labelled("secrets/secrets.jsonl.gz") if not r["has_secret"]]
    assert stage.run(as_batch(*(make_row(i, r["text"]) for i, r in enumerate(rows)))).verdicts.num_rows == 0


def test_labelled_addresses_go_and_code_stays() -> None:
    rows = labelled("pii/pii.jsonl.gz")
    output = SanitizeStage().run(as_batch(*(make_row(i, r["text"]) for i, r in enumerate(rows))))
    out = [m[0]["content"] for m in output.kept["messages"].to_pylist()]
    for text, row in zip(out, rows, strict=True):
        for entity in row["entities"]:
            if entity["type"] == "EMAIL_ADDRESS" and not entity["value"].lower().endswith("@example.com"):
                assert entity["value"] not in text
        if row["tier"] == "code-negative":
            assert text == row["text"]
