"""Whatever is wrong with a root is told in one line that names the setting to change, and soon."""

import os
import socket
from pathlib import Path

import pytest
from pydantic import SecretStr
from seaweed import Seaweed
from writers import sanitized_candidate, seconds

from winnow.core.errors import ConfigError, DataError, RunError, WinnowError
from winnow.lake.faults import explain
from winnow.lake.lake import Lake
from winnow.lake.probe import check_zone
from winnow.lake.publish import publish
from winnow.lake.settings import LakeSettings, ZoneSettings

BOUND_SECONDS = 10


def _lake(env: dict[str, str]) -> Lake:
    return Lake.open(LakeSettings.from_env(env))


def _verbs(lake: Lake) -> dict[str, object]:
    """One call through each of the three storage clients."""
    return {
        "obstore": lambda: check_zone(lake.zone("open")),
        "deltalake": lambda: lake.head("sanitized"),
        "pyarrow": lambda: lake.zone("open").create("x").close(),
        "candidate": lambda: sanitized_candidate(lake, "s", "v"),
    }


def _fault(lake: Lake, verb: str) -> WinnowError:
    with pytest.raises(WinnowError) as caught:
        _verbs(lake)[verb]()  # type: ignore[operator]
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.s3
@pytest.mark.parametrize("verb", ["obstore", "deltalake", "pyarrow", "candidate"])
class TestOnS3:
    def test_wrong_endpoint_fails_soon(self, seaweed: Seaweed, verb: str) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            endpoint = f"http://127.0.0.1:{unused.getsockname()[1]}"
        lake = _lake({**seaweed.lake_env(), "AWS_ENDPOINT_URL": endpoint})
        found: list[WinnowError] = []
        assert seconds(lambda: found.append(_fault(lake, verb))) < BOUND_SECONDS
        assert isinstance(found[0], RunError)
        assert f"AWS_ENDPOINT_URL={endpoint}: no S3 server answers" in str(found[0])

    def test_wrong_credentials(self, seaweed: Seaweed, verb: str) -> None:
        lake = _lake({**seaweed.lake_env(), "AWS_SECRET_ACCESS_KEY": "not-the-secret-at-all"})
        error = _fault(lake, verb)
        assert isinstance(error, ConfigError)
        assert "Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" in str(error)
        assert "not-the-secret-at-all" not in str(error)

    def test_missing_bucket(self, seaweed: Seaweed, verb: str) -> None:
        roots = {"LAKE_ROOT": "s3://nobody-made-this/lake", "LAKE_RAW_ROOT": "s3://nor-this/raw"}
        error = _fault(_lake(seaweed.env(**roots)), verb)
        assert isinstance(error, ConfigError)
        assert "has no bucket `nobody-made-this`" in str(error)
        assert "correct LAKE_ROOT" in str(error)


def test_the_restricted_zone_names_its_own_settings(seaweed: Seaweed) -> None:
    env = {
        **seaweed.lake_env(),
        "LAKE_RAW_AWS_ACCESS_KEY_ID": "other",
        "LAKE_RAW_AWS_SECRET_ACCESS_KEY": "wrong-secret",
    }
    lake = _lake(env)
    check_zone(lake.zone("open"))
    with pytest.raises(ConfigError, match="Correct LAKE_RAW_AWS_ACCESS_KEY_ID and LAKE_RAW_AWS_SECRET"):
        check_zone(lake.zone("restricted"))


@pytest.mark.parametrize(
    "text",
    [
        "after 2 retries, retry_timeout: 6s - Server returned non-2xx status code: 500 Internal Server Error",
        "AWS Error INTERNAL_FAILURE during UploadPart operation: We encountered an internal error",
    ],
)
def test_an_error_of_the_server_itself_is_no_missing_server(text: str) -> None:
    settings = ZoneSettings(name="open", root="s3://b", endpoint_url="http://h:1")
    assert "AWS_ENDPOINT_URL=http://h:1 answered with an error of its own" in str(
        explain(OSError(text), settings, "writing")
    )


def test_a_full_disk_names_the_root(tmp_path: Path) -> None:
    lake = _lake({"LAKE_ROOT": str(tmp_path / "lake"), "LAKE_RAW_ROOT": str(tmp_path / "raw")})
    zone = lake.zone("open")
    zone.ensure()
    os.symlink("/dev/full", tmp_path / "lake" / "part")
    wanted = r"LAKE_ROOT=.* is full, while writing part. Free space"
    with pytest.raises(RunError, match=wanted), zone.open_output("part") as file:
        file.write(b"x" * 100_000)


@pytest.mark.parametrize(
    "text", ["Generic LocalFileSystem error: No space left on device (os error 28)", "Disk quota exceeded"]
)
def test_a_full_disk_is_known_by_its_words(text: str) -> None:
    settings = ZoneSettings(name="restricted", root="/data/raw")
    assert "LAKE_RAW_ROOT=/data/raw is full" in str(explain(RuntimeError(text), settings, "writing"))


def test_a_root_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "lake").write_text("")
    lake = _lake({"LAKE_ROOT": str(tmp_path / "lake"), "LAKE_RAW_ROOT": str(tmp_path / "raw")})
    with pytest.raises(ConfigError, match=r"LAKE_ROOT=.* is not a directory"):
        check_zone(lake.zone("open"))


def test_a_secret_in_a_client_message_is_masked() -> None:
    settings = ZoneSettings(name="open", root="s3://b", secret_key=SecretStr("hunter2hunter2"))
    assert "hunter2" not in str(explain(OSError("strange: hunter2hunter2"), settings, "reading"))
    assert "hunter2" not in repr(settings)


def test_a_table_of_another_writer_is_told(lake: Lake) -> None:
    import pyarrow as pa
    from deltalake import write_deltalake

    zone = lake.zone("open")
    zone.ensure()
    rows = pa.table({"row_id": ["a"], "source": ["s"]})
    write_deltalake(
        zone.uri("sanitized"), rows, partition_by=["source"], storage_options=zone.settings.storage_options()
    )
    for call in (lambda: lake.head("sanitized"), lambda: publish(lake, sanitized_candidate(lake, "s", "v"))):
        with pytest.raises(DataError, match=r"Table sanitized in LAKE_ROOT=.* written by something else"):
            call()


def test_files_of_another_writer_without_a_log_are_told(lake: Lake) -> None:
    lake.zone("open").put("sanitized/data.parquet", b"PAR1")
    with pytest.raises(DataError, match=r"written by something else \(data.parquet\)"):
        publish(lake, sanitized_candidate(lake, "s", "v"))
