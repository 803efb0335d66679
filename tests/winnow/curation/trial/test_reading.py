"""One row for each record, whatever is wrong with it, and the id as it was written."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.core.errors import ConfigError, DataError
from winnow.curation.trial import read_rows
from winnow.curation.trial.rows import MAX_RECORD


def told(path: Path) -> list[tuple[Any, str | None]]:
    return [(json.loads(row.id), row.park) for row in read_rows(path)]


def written(tmp_path: Path, content: bytes, name: str = "rows.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"id":"a","text":"x"}', ("a", None)),
        (b'{"id":7,"text":"x"}', (7, None)),
        (b'{"id":' + b"9" * 400 + b',"text":"x"}', (int("9" * 400), None)),
        (b'{"id":"a","text":"\\ud83d"}', ("a", None)),
        (b'{"id":"a","text":"\\u0000"}', ("a", None)),
        (b'{"text":"x"}', ("line:1", "missing-id")),
        (b'{"id":null,"text":"x"}', ("line:1", "missing-id")),
        (b'{"id":1.5,"text":"x"}', ("line:1", "invalid-id")),
        (b'{"id":1e400,"text":"x"}', ("line:1", "invalid-id")),
        (b'{"id":true,"text":"x"}', ("line:1", "invalid-id")),
        (b'{"id":"","text":"x"}', ("line:1", "invalid-id")),
        (b'{"id":["a"],"text":"x"}', ("line:1", "invalid-id")),
        (b'{"id":"\\ud83d","text":"x"}', ("line:1", "invalid-id")),
        (b'{"id":"a\\u0000","text":"x"}', ("line:1", "invalid-id")),
        (b'{"id":' + b"9" * 5000 + b',"text":"x"}', ("line:1", "invalid-id")),
        (b'{"id":1,"text":NaN}', ("line:1", None)),
        (b"[1]", ("line:1", None)),
        (b"\xff", ("line:1", None)),
        (b'{"id":1,"tex', ("line:1", None)),
    ],
)
def test_an_id_is_the_rows_own_or_its_line(tmp_path: Path, line: bytes, expected: tuple[Any, str | None]):
    assert told(written(tmp_path, line + b"\n")) == [expected]


def test_lines_are_numbered_as_an_editor_does_and_blank_ones_are_no_records(tmp_path: Path):
    content = b'\xef\xbb\xbf{"id":"a"}\r\n\n  \n1\n{"id":"b"}\n{"x":1}'
    assert told(written(tmp_path, content)) == [
        ("a", None),
        ("line:4", None),
        ("b", None),
        ("line:6", "missing-id"),
    ]


def test_the_second_of_an_id_is_parked_and_a_number_is_no_text(tmp_path: Path):
    content = b'{"id":"1"}\n{"id":1}\n{"id":"1"}\n{"id":1,"text":"y"}\n'
    assert told(written(tmp_path, content)) == [
        ("1", None),
        (1, None),
        ("1", "duplicate-id"),
        (1, "duplicate-id"),
    ]


def test_a_long_line_is_parked_without_its_content_and_the_next_is_read(tmp_path: Path):
    fits = json.dumps({"id": "fits", "text": ""}).encode()
    fits = fits.replace(b'"text": ""', b'"text": "%s"' % (b"x" * (MAX_RECORD - len(fits))))
    assert len(fits) == MAX_RECORD
    content = b"\n".join([fits, b'{"id":"long","text":"%s"}' % (b"x" * MAX_RECORD), b'{"id":"next"}'])
    assert told(written(tmp_path, content)) == [
        ("fits", None),
        ("line:2", "record-too-large"),
        ("next", None),
    ]


@given(st.lists(st.binary(max_size=12).filter(lambda b: b"\n" not in b), max_size=6))
def test_any_bytes_give_one_row_a_line_that_is_not_blank(tmp_path_factory, lines: list[bytes]):
    path = written(tmp_path_factory.mktemp("any"), b"\n".join(lines))
    lines = [lines[0].removeprefix(b"\xef\xbb\xbf"), *lines[1:]] if lines else []
    if not path.read_bytes().startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        assert len(list(read_rows(path))) == sum(bool(line.strip()) for line in lines)


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_compression_is_known_by_its_bytes(tmp_path: Path, codec: str):
    content = b'{"id":"a"}\n{"id":"b"}\n'
    packed = gzip.compress(content) if codec == "gzip" else pa.Codec("zstd").compress(content).to_pybytes()
    assert told(written(tmp_path, packed, "rows.txt")) == [("a", None), ("b", None)]


def test_a_file_that_breaks_off_is_an_error_that_names_it(tmp_path: Path):
    cut = gzip.compress(b'{"id":"a"}\n' * 50)[:-10]
    with pytest.raises(DataError, match=r"rows.jsonl cannot be read to its end"):
        told(written(tmp_path, cut))
    with pytest.raises(DataError, match=r"rows.parquet` cannot be read to its end"):
        told(written(tmp_path, b"PAR1 and no more", "rows.parquet"))


def test_nothing_to_read_is_said(tmp_path: Path):
    with pytest.raises(ConfigError, match="no such file or folder"):
        told(tmp_path / "nope")


def test_parquet_keeps_ids_even_of_rows_that_cannot_be_read(tmp_path: Path):
    table = pa.table({"id": [1, 2, None, 1], "text": pa.array([b"\xff", b"ok", b"x", b"y"])})
    pq.write_table(table, tmp_path / "rows.parquet")
    assert told(tmp_path / "rows.parquet") == [
        (1, "not-json"),
        (2, None),
        ("line:3", "missing-id"),
        (1, None),
    ]


def test_parquet_without_ids_counts_its_rows(tmp_path: Path):
    pq.write_table(pa.table({"text": ["a", "b"]}), tmp_path / "rows.parquet")
    assert told(tmp_path / "rows.parquet") == [("line:1", "missing-id"), ("line:2", "missing-id")]


def test_a_folder_is_its_regular_files_by_path(tmp_path: Path):
    for name in ("b.py", "a/z.txt", "a/y.py", "a b.md", "a.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "big").write_bytes(b"x" * (MAX_RECORD + 1))
    (tmp_path / "dead").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to(".")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / os.fsdecode(b"bad\xff.py")).write_text("x")
    assert told(tmp_path) == [
        ("a/y.py", None),
        ("a/z.txt", None),
        ("a b.md", None),
        ("a.py", None),
        ("b.py", None),
        ("line:6", "invalid-id"),
        ("big", "record-too-large"),
    ]
