from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from reading import ingest, source
from seaweed import Seaweed

from winnow.core.errors import ConfigError, RunError, WinnowError
from winnow.curation.sources import source_version
from winnow.curation.sources.filesystem import default_filesystem

pytestmark = pytest.mark.s3


@pytest.fixture(scope="module")
def server() -> Iterator[Seaweed]:
    started = Seaweed().start()
    started.create_bucket("data")
    yield started
    started.stop()


@pytest.fixture(autouse=True)
def pointed_at(server: Seaweed, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in server.env().items():
        monkeypatch.setenv(name, value)


def put(path: str, content: bytes) -> None:
    filesystem, inner = default_filesystem(f"s3://data/{path}")
    with filesystem.open_output_stream(inner) as stream:
        stream.write(content)


def test_a_prefix_and_a_glob_read_what_lies_below():
    put("rows/a.jsonl", b'{"id":1}\n{"id":2}\n')
    put("rows/deep/b.jsonl.gz", b'{"id":3}\n')
    put("rows/notes.txt", b"no")
    for location in (
        "s3://data/rows",
        "s3://data/rows/",
        "s3://data/rows/**/*.jsonl*",
        "s3://data/r*/**/*.jsonl*",
    ):
        assert ingest(source("jsonl", location, key="id")).column("key") == ["1", "2", "3"], location
    assert ingest(source("jsonl", "s3://data/rows/a.jsonl", key="id")).column("key") == ["1", "2"]


def test_parquet_is_read_in_place():
    filesystem, inner = default_filesystem("s3://data/table/part-0.parquet")
    pq.write_table(pa.table({"id": ["a", "b"]}), inner, filesystem=filesystem)
    assert ingest(source("parquet", "s3://data/table", key="id")).column("key") == ["a", "b"]


def test_the_version_follows_the_content():
    put("versioned/a.jsonl", b'{"id":1}\n')
    entry = source("jsonl", "s3://data/versioned")
    before = source_version(entry)
    assert source_version(entry) == before
    put("versioned/a.jsonl", b'{"id":2}\n')
    assert source_version(entry) != before


def test_a_prefix_without_files_is_a_config_error():
    with pytest.raises(ConfigError, match="s3://data/nothing"):
        ingest(source("jsonl", "s3://data/nothing"))


def test_refused_credentials_are_a_run_error_that_shows_no_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not-the-secret")
    with pytest.raises(WinnowError) as error:
        ingest(source("jsonl", "s3://data/rows"))
    assert "not-the-secret" not in str(error.value)
    assert isinstance(error.value, RunError)
    assert "AWS_SECRET_ACCESS_KEY" in str(error.value)


@pytest.mark.parametrize("location", ["s3://", "gs://bucket/a"])
def test_what_is_no_s3_location_is_told_how_to_write_one(location: str):
    with pytest.raises(ConfigError, match="s3://bucket/prefix"):
        ingest(source("jsonl", location))
