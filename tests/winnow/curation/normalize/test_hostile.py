"""Files made to break a pipeline: each is read, parked or refused by name, and none with a crash."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from reading import cases, collect, normalize, source

from schemas.raw import RAW
from schemas.rows import CONVERSATIONS
from winnow.core.errors import DataError
from winnow.core.identity import payload_hash, row_id
from winnow.curation.normalize import Normalize

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    script = cases("hostile/make_hostile.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True)
    return folder


PARK = "park"
JSONL: dict[str, tuple[int, dict[str, int]]] = {
    "ok": (10, {}),
    "bom": (10, {}),
    "crlf": (10, {}),
    "u2028_in_string": (1, {}),
    "proto": (1, {}),
    "empty": (0, {}),
    "empty_struct": (2, {}),
    "huge_ints": (3, {}),
    "huge_int_5000_digits": (1, {}),
    "one_line_20mb": (1, {}),
    "truncated_last": (10, {"malformed-json": 1}),
    "garbage_middle": (10, {"malformed-json": 2}),
    "lone_surrogate": (1, {"lone-surrogate": 2}),
    "dup_keys": (0, {"duplicate-json-key": 2}),
    "nan_inf": (0, {"malformed-json": 3, "missing-field": 1}),
    "type_flip": (1, {"field-type": 2, "missing-field": 1}),
    "nul_in_string": (0, {"nul-byte": 1}),
    "deep": (0, {"too-deep": 1}),
    "array_not_lines": (0, {"not-an-object": 1}),
    "concatenated": (0, {"malformed-json": 1}),
    "scalar_rows": (0, {"not-an-object": 5, "missing-field": 1}),
    "pretty": (0, {"malformed-json": 40}),
}


@pytest.mark.parametrize("name", JSONL)
def test_a_jsonl_file(hostile: Path, name: str):
    rows, parked = JSONL[name]
    result = normalize(source("jsonl", hostile / f"jsonl/{name}.jsonl"))
    assert len(result.rows) == rows
    assert result.rules == {(PARK, rule): count for rule, count in parked.items()}


def test_a_file_in_another_encoding_is_named_with_the_way_out(hostile: Path):
    with pytest.raises(DataError, match=r"utf16\.jsonl.*UTF-16.*iconv"):
        normalize(source("jsonl", hostile / "jsonl/utf16.jsonl"))


def test_every_jsonl_file_is_expected_by_name(hostile: Path):
    assert {p.stem for p in (hostile / "jsonl").iterdir()} == {*JSONL, "utf16"}


@pytest.mark.parametrize("name", ["truncated", "crc_bad", "trailing_garbage"])
def test_a_broken_gzip_file_is_refused_by_name(hostile: Path, name: str):
    with pytest.raises(DataError, match=name):
        normalize(source("jsonl", hostile / f"gz/{name}.jsonl.gz"))


@pytest.mark.parametrize("name", ["dup_columns", "truncated", "not_parquet", "magic_only"])
def test_a_broken_parquet_file_is_refused_by_name(hostile: Path, name: str):
    with pytest.raises(DataError, match=name):
        normalize(source("parquet", hostile / f"parquet/{name}.parquet"))


def test_parts_of_different_schemas_are_one_source(hostile: Path):
    result = normalize(source("parquet", hostile / "parquet/part-*.parquet", key="id"))
    assert [row["messages"][0]["content"] for row in result.rows] == ["a", "b", "c", "d", "e"]


def test_nulls_at_each_level_are_told_apart(hostile: Path):
    result = normalize(source("parquet", hostile / "parquet/nested_nulls.parquet", key="id"))
    assert result.rules == {(PARK, "field-type"): 2, (PARK, "empty-messages"): 1, (PARK, "missing-field"): 2}


def as_raw(folder: Path) -> pa.RecordBatch:
    rows = []
    for path in sorted(p for p in folder.iterdir() if p.is_file()):
        payload = path.read_bytes()
        hashed = payload_hash(payload)
        rows.append(
            {
                "row_id": row_id("code", path.name, hashed, 0),
                "source": "code",
                "source_revision": "1",
                "key": path.name,
                "occurrence": 0,
                "ordinal": len(rows),
                "payload_kind": "text",
                "payload": payload,
                "content_hash": hashed,
                "license": None,
                "meta": None,
            }
        )
    return pa.RecordBatch.from_pylist(rows, schema=RAW.arrow_schema())


def test_files_of_code_are_kept_exactly_or_parked_for_what_they_are(hostile: Path):
    batch = as_raw(hostile / "code")
    names = dict(zip(batch.column("row_id").to_pylist(), batch.column("key").to_pylist(), strict=True))
    result = collect([Normalize().run(batch)], CONVERSATIONS)
    assert result.rows_in == batch.num_rows > 40
    rules = {names[v["row_id"]]: v["rule"] for v in result.verdicts}
    assert rules == {
        "invalid_utf8.py": "invalid-utf8",
        "truncated_utf8_tail.py": "invalid-utf8",
        "overlong_utf8.py": "invalid-utf8",
        "gb18030.py": "invalid-utf8",
        "shift_jis.py": "invalid-utf8",
        "lone_surrogate_utf8.txt": "invalid-utf8",
        "utf16le_bom.py": "nul-byte",
        "utf16be_nobom.py": "nul-byte",
        "utf32.py": "nul-byte",
        "nul_bytes.py": "nul-byte",
        "zero_byte.py": "empty",
        "only_newlines.py": "empty",
        "only_spaces.txt": "empty",
        "latin1_declared.py": "declared-encoding",
        "bom_shebang.py": "bom-removed",
    }
    hashes = {names[row["row_id"]]: row["content_hash"] for row in result.rows}
    assert hashes["bom_shebang.py"] == hashes["no_bom_shebang.py"]
    assert Counter(result.column("kind")) == {"code": len(result.rows)}


def test_the_manifest_is_the_one_these_tests_know(hostile: Path):
    listed = [json.loads(line)["file"] for line in (hostile / "MANIFEST.jsonl").read_text().splitlines()]
    assert len(listed) >= 100
