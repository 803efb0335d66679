import gzip
import json
import pickle
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reading import Result, cases, ingest, normalize, source

from schemas.rows import KINDS, ROLES
from winnow.core.identity import conversation_hash
from winnow.curation.normalize import FieldMap, Normalize
from winnow.curation.normalize.rules import FLAGGED, PARKED


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows")


def of_lines(folder: Path, *lines: str | bytes, **more: object) -> Result:
    path = folder / "a.jsonl"
    path.write_bytes(b"".join((x if isinstance(x, bytes) else x.encode()) + b"\n" for x in lines))
    return normalize(source("jsonl", path, **more))


scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=8)
)
names = st.sampled_from(
    [
        "text",
        "messages",
        "tools",
        "role",
        "content",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "type",
        "language",
    ]
)
anything = st.recursive(
    scalars | st.sampled_from(["user", "assistant", "tool", "text", "{}", "[]", "function"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(names | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(st.lists(anything, max_size=6))
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=300)
def test_any_json_value_is_kept_or_parked(folder: Path, values: list[object]):
    result = of_lines(folder, *(json.dumps(value) for value in values))
    parked = [v for v in result.verdicts if v["decision"] == "park"]
    assert len(result.rows) + len(parked) == len(values)
    assert {v["rule"] for v in parked} <= PARKED.keys()
    assert {rule for v in result.verdicts if v["decision"] == "keep" for rule in v["rules"]} <= FLAGGED.keys()
    assert len(set(result.ids) | {v["row_id"] for v in parked}) == len(values)
    for row in result.rows:
        assert row["kind"] in KINDS
        assert {m["role"] for m in row["messages"]} <= set(ROLES)
        assert row["content_hash"] == conversation_hash(row["messages"], row["tools"])


@given(st.lists(st.binary(max_size=40).filter(lambda b: b"\n" not in b and b.strip()), max_size=6))
def test_any_bytes_are_kept_or_parked(folder: Path, lines: list[bytes]):
    (folder / "b.jsonl").write_bytes(b"\n".join([b"{}", *lines]))
    entry = source("jsonl", folder / "b.jsonl")
    assert normalize(entry).rows_in == ingest(entry).rows_in


@given(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1).filter(str.strip)
)
def test_text_is_kept_exactly(folder: Path, text: str):
    (row,) = of_lines(folder, json.dumps({"text": text})).rows
    (message,) = row["messages"]
    assert (message["role"], message["content"], row["kind"], row["language"]) == (
        "assistant",
        text,
        "sft",
        None,
    )


def test_a_text_that_names_its_language_is_code(folder: Path):
    (row,) = of_lines(
        folder, '{"body": "x = 1", "lang": "Python"}', fields=FieldMap(text="body", language="lang")
    ).rows
    assert (row["kind"], row["language"]) == ("code", "python")


def test_tools_make_the_kind(folder: Path):
    turns = '[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]'
    rows = of_lines(
        folder,
        f'{{"messages": {turns}}}',
        f'{{"messages": {turns}, "tools": []}}',
        f'{{"messages": {turns}, "tools": [{{}}]}}',
    ).rows
    assert [(r["kind"], r["tools"]) for r in rows] == [("sft", None), ("sft", "[]"), ("tool", "[{}]")]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ('{"text": "a"', "malformed-json"),
        ('{"text": "a", "text": "b"}', "duplicate-json-key"),
        ("[1]", "not-an-object"),
        ('"text"', "not-an-object"),
        ("{}", "missing-field"),
        ('{"text": null}', "missing-field"),
        ('{"text": 5}', "field-type"),
        ('{"text": ["a"]}', "field-type"),
        ('{"text": "a", "language": 5}', "field-type"),
        ('{"text": " \\n"}', "empty"),
        ('{"messages": []}', "empty-messages"),
        ('{"text": "a\\u0000"}', "nul-byte"),
        (b'{"text": "a\0"}', "nul-byte"),
        (b'{"text": "\xff"}', "invalid-utf8"),
        (b'{"text": "\xed\xa0\x80"}', "invalid-utf8"),
        ('{"text": "\\ud83d"}', "lone-surrogate"),
        ('{"id": 1, "text": ' + "[" * 300 + "]" * 300 + "}", "too-deep"),
    ],
)
def test_what_cannot_be_a_row_is_parked_under_its_rule(folder: Path, line: str | bytes, rule: str):
    result = of_lines(folder, line, '{"text": "fine"}')
    assert result.rules == {("park", rule): 1}
    assert len(result.rows) == 1


def test_a_fault_in_a_field_that_is_not_used_does_no_harm(folder: Path):
    result = of_lines(folder, '{"text": "a", "id": "\\ud83d", "n": 1e999, "m": %s}' % ("9" * 5000))
    assert len(result.rows) == 1
    assert not result.verdicts


def test_what_was_changed_is_flagged_with_all_rules(folder: Path):
    line = '{"messages": [{"role": "developer", "content": "a", "weight": 0}], "text": "b"}'
    (verdict,) = of_lines(folder, line).verdicts
    assert (verdict["decision"], verdict["rule"]) == ("keep", "role-mapped")
    assert verdict["rules"] == ["role-mapped", "unmapped-field"]


@pytest.mark.parametrize(
    "line",
    [
        '{"text": "b", "tools": [{"type": "function"}]}',
        '{"messages": [{"role": "user", "content": "a"}], "language": "python"}',
        '{"messages": [{"role": "user", "content": "a"}], "text": ""}',
    ],
    ids=["tools", "language", "text"],
)
def test_a_named_field_that_finds_no_place_is_flagged(folder: Path, line: str):
    (verdict,) = of_lines(folder, line).verdicts
    assert (verdict["decision"], verdict["rules"]) == ("keep", ["unmapped-field"])


def test_raw_columns_are_carried_over():
    entry = source("python_distributions", "typer")
    raw = {row["row_id"]: row for row in ingest(entry).rows}
    for row in normalize(entry).rows:
        for name in ("source", "source_revision", "license", "meta"):
            assert row[name] == raw[row["row_id"]][name]


def test_the_stage_can_be_sent_to_a_worker_and_names_what_it_depends_on():
    stage = Normalize(FieldMap(text="body"))
    assert pickle.loads(pickle.dumps(stage)) == stage
    assert stage.identity() != Normalize().identity()
    json.dumps(stage.identity())


def test_an_empty_batch_gives_an_empty_batch(tmp_path: Path):
    (tmp_path / "a.jsonl").write_text("{}\n[]\n")
    result = normalize(source("jsonl", tmp_path / "a.jsonl"))
    assert (result.rows_in, result.rows) == (2, [])


def test_published_openai_rows_are_all_kept():
    result = normalize(source("jsonl", cases("chat/openai_chat_finetune.jsonl.gz")))
    assert result.rows
    assert {v["decision"] for v in result.verdicts} <= {"keep"}
    assert "tool" in result.column("kind")


MALFORMED_KEPT = {
    "null content with tool_calls (legal OpenAI)",
    "arguments as object",
    "arguments as string",
    "parallel calls",
    "messages as JSON string",
    "tool_calls None vs list across rows",
}
MALFORMED_PARKED = {
    "null content without tool_calls": "missing-field",
    "missing role": "missing-field",
    "content as list of parts": "non-text-content",
    "unknown role names": "missing-field",
    "DPO chosen == rejected": "missing-field",
}


def test_published_edge_rows_are_treated_as_expected(tmp_path: Path):
    with gzip.open(cases("chat/malformed_and_edge_rows.jsonl.gz"), "rt") as stream:
        edge = [json.loads(line) for line in stream]
    result = of_lines(tmp_path, *(json.dumps({"id": e["case"], **e["row"]}) for e in edge), key="id")
    raw = {r["row_id"]: r["key"] for r in ingest(source("jsonl", tmp_path / "a.jsonl", key="id")).rows}
    kept = {raw[row_id] for row_id in result.ids}
    parked = {raw[v["row_id"]]: v["rule"] for v in result.verdicts if v["decision"] == "park"}
    flagged = {raw[v["row_id"]]: v["rules"] for v in result.verdicts if v["decision"] == "keep"}
    assert kept >= MALFORMED_KEPT
    assert parked.items() >= MALFORMED_PARKED.items()
    assert flagged["arguments as object"] == ["arguments-as-text"]
    assert flagged["arguments double-encoded"] == ["arguments-not-object"]
    assert flagged["tool_call invalid escapes C:\\path"] == ["arguments-not-object"]
