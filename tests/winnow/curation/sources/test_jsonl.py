import bz2
import gzip
import hashlib
import io
import lzma
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import ingest, normalize, source

from winnow.core.errors import DataError
from winnow.curation.sources.jsonl import lines
from winnow.curation.sources.records import Record


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def cut(content: bytes, limit: int = 1 << 20) -> list[bytes]:
    return [line for line in lines(io.BytesIO(content), limit) if isinstance(line, bytes)]


class Trickle(io.RawIOBase):
    """A stream that gives a few bytes at a time, as a network may."""

    def __init__(self, content: bytes, step: int) -> None:
        self._rest, self._step = content, step

    def read(self, size: int = -1) -> bytes:
        given_now, self._rest = self._rest[: self._step], self._rest[self._step :]
        return given_now


@given(st.lists(st.binary(max_size=30).filter(lambda b: b"\n" not in b), max_size=12), st.integers(1, 7))
def test_lines_do_not_depend_on_how_the_bytes_arrive(parts: list[bytes], step: int):
    content = b"\n".join(parts)
    assert list(lines(Trickle(content, step), 12)) == list(lines(io.BytesIO(content), 12))


@given(
    st.lists(st.binary(min_size=1, max_size=30).filter(lambda b: b"\n" not in b and b.strip()), max_size=9)
)
def test_payloads_are_the_bytes_between_line_ends(parts: list[bytes]):
    parts = [p.removesuffix(b"\r") for p in parts if p.removesuffix(b"\r").strip()]
    if parts:
        parts[0] = parts[0].removeprefix(b"\xef\xbb\xbf") or b"x"
    assert cut(b"\n".join(parts)) == parts
    assert cut(b"\r\n".join(parts) + b"\r\n") == parts


def test_only_the_mark_at_the_start_of_the_file_goes():
    assert cut(b"\xef\xbb\xbf{}\n\xef\xbb\xbf{}") == [b"{}", b"\xef\xbb\xbf{}"]


def test_no_other_separator_cuts_a_line():
    text = '{"a":"x\u2028y\u0085z\x0c"}\r {"b":1}'.encode()
    assert cut(text) == [text]


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("step", [1, 3, 1000])
def test_a_long_line_is_hashed_and_never_handed_on(ending: bytes, step: int):
    body = b"x" * 50 + b"\r" + b"y" * 50
    first, long, last = (
        lines(Trickle(b"{}\n" + body + ending + (b"[]\n" if ending else b""), step), 100),
        None,
        None,
    )
    records = list(first)
    long = records[1]
    assert isinstance(long, Record)
    assert (long.size, long.payload, long.park) == (101, None, "record-too-large")
    assert long.content_hash == hashlib.sha256(body).hexdigest()
    last = records[2:]
    assert last == ([b"[]"] if ending else [])


def test_a_line_of_exactly_the_limit_is_held():
    assert cut(b"x" * 100 + b"\r\n", 100) == [b"x" * 100]


def test_a_long_line_is_parked_under_its_own_id(tmp_path: Path):
    path = write(tmp_path / "a.jsonl", b'{"text":"a"}\n{"text":"' + b"b" * 200 + b'"}\n{"text":"c"}\n')
    result = ingest(source("jsonl", path), max_record_bytes=100)
    (verdict,) = result.verdicts
    assert (verdict["decision"], verdict["rule"], verdict["score"]) == ("park", "record-too-large", 211.0)
    assert result.rows_in == 3
    assert result.column("ordinal") == [0, 2]
    (same,) = ingest(source("jsonl", path), max_record_bytes=150).verdicts
    assert same["row_id"] == verdict["row_id"]
    assert verdict["row_id"] in ingest(source("jsonl", path)).ids


def test_keys_name_records_and_repeats_are_counted(tmp_path: Path):
    rows = [
        b'{"id":"a","n":1}',
        b'{"id":7}',
        b'{"id":"a","n":2}',
        b'{"id":null}',
        b'{"id":1.5}',
        b"{",
        b'{"id":"a"}',
    ]
    result = ingest(source("jsonl", write(tmp_path / "a.jsonl", b"\n".join(rows)), key="id"))
    assert result.column("key") == ["a", "7", "a", None, None, None, "a"]
    assert result.column("occurrence") == [0, 0, 1, 0, 0, 0, 2]
    assert result.rules == {("keep", "duplicate-key"): 2}
    assert {v["row_id"] for v in result.verdicts} == {result.ids[2], result.ids[6]}


def test_a_key_that_the_lake_could_not_hold_is_none(tmp_path: Path):
    rows = [
        b'{"id":"\\ud83d"}',
        b'{"id":"a\\u0000"}',
        b'{"id":""}',
        b'{"id":"' + b"k" * 1001 + b'"}',
        b'{"id":true}',
    ]
    result = ingest(source("jsonl", write(tmp_path / "a.jsonl", b"\n".join(rows)), key="id"))
    assert result.column("key") == [None] * 5


def test_equal_lines_without_a_key_are_told_apart_without_a_flag(tmp_path: Path):
    result = ingest(source("jsonl", write(tmp_path / "a.jsonl", b"{}\n{}\n{}\n")))
    assert result.column("occurrence") == [0, 1, 2]
    assert len(set(result.ids)) == 3
    assert not result.verdicts


def test_a_cut_last_line_flows_on_and_normalize_parks_it(tmp_path: Path):
    path = write(tmp_path / "a.jsonl", b'{"text":"a"}\n{"text":"b')
    assert ingest(source("jsonl", path)).column("payload") == [b'{"text":"a"}', b'{"text":"b']
    assert normalize(source("jsonl", path)).rules == {("park", "malformed-json"): 1}


ROWS = b'{"text":"a"}\n{"text":"b"}\n'


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"])
@pytest.mark.parametrize("codec", ["none", "gzip", "zstd", "bz2", "xz"])
def test_the_bytes_and_not_the_name_tell_the_compression(tmp_path: Path, name: str, codec: str):
    stored = {
        "none": ROWS,
        "gzip": gzip.compress(ROWS[:13]) + gzip.compress(ROWS[13:]),
        "zstd": pa.compress(ROWS[:13], codec="zstd", asbytes=True)
        + pa.compress(ROWS[13:], codec="zstd", asbytes=True),
        "bz2": bz2.compress(ROWS[:13]) + bz2.compress(ROWS[13:]),
        "xz": lzma.compress(ROWS[:13]) + lzma.compress(ROWS[13:]),
    }[codec]
    result = ingest(source("jsonl", write(tmp_path / name, stored)))
    assert result.column("payload") == ROWS.splitlines()


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ('{"text":"a"}\n'.encode("utf-16"), "UTF-16 text"),
        ("\ufeff{}\n".encode("utf-16-be"), "UTF-16 text"),
        (b"PAR1" + bytes(40), "a Parquet file"),
        (b"PK\x03\x04" + bytes(40), "a ZIP archive"),
    ],
)
def test_a_file_of_another_format_is_named_as_such(tmp_path: Path, stored: bytes, said: str):
    with pytest.raises(DataError, match=rf"some-source.*odd\.jsonl.*{said}"):
        ingest(source("jsonl", write(tmp_path / "odd.jsonl", stored)))


@pytest.mark.parametrize("fault", ["cut", "crc", "trailing", "empty", "zstd-cut", "bz2-cut", "xz-cut"])
def test_a_corrupt_file_is_a_data_error_that_names_it(tmp_path: Path, fault: str):
    packed = gzip.compress(ROWS * 500)
    stored = {
        "cut": packed[: len(packed) // 2],
        "crc": packed[:-8] + b"\0\0\0\0" + packed[-4:],
        "trailing": packed + b"rest",
        "empty": b"",
        "bz2-cut": bz2.compress(ROWS * 500)[:-9],
        "xz-cut": lzma.compress(ROWS * 500)[:-9],
        "zstd-cut": bytes(pa.compress(ROWS * 500, codec="zstd", asbytes=True))[:-9],
    }[fault]
    path = write(tmp_path / "part-7.jsonl.gz", stored)
    with pytest.raises(DataError, match=r"some-source.*part-7\.jsonl\.gz"):
        ingest(source("jsonl", path))
