"""The environment says where the zones are; what it does not say has a default, and nesting is refused."""

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from seaweed import Seaweed

from winnow.core.errors import ConfigError
from winnow.lake.lake import Lake
from winnow.lake.settings import LakeSettings


def test_without_an_environment_both_zones_lie_under_data() -> None:
    settings = LakeSettings.from_env({})
    assert settings.open.root.endswith("/data/lake")
    assert settings.restricted.root.endswith("/data/lake_raw")


def test_the_restricted_zone_falls_back_to_the_plain_credentials() -> None:
    plain = {"AWS_ENDPOINT_URL": "http://h:1", "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s"}
    settings = LakeSettings.from_env(plain)
    assert settings.restricted.access_key == "k"
    assert settings.restricted.secret() == "s"
    assert settings.restricted.endpoint_url == "http://h:1"


def test_own_credentials_of_the_restricted_zone_replace_all_plain_ones() -> None:
    env = {
        "AWS_ACCESS_KEY_ID": "k",
        "AWS_SECRET_ACCESS_KEY": "s",
        "AWS_SESSION_TOKEN": "t",
        "LAKE_RAW_AWS_ACCESS_KEY_ID": "k2",
        "LAKE_RAW_AWS_SECRET_ACCESS_KEY": "s2",
    }
    settings = LakeSettings.from_env(env)
    assert (settings.restricted.access_key, settings.restricted.secret()) == ("k2", "s2")
    assert settings.restricted.token() is None
    assert settings.open.token() == "t"


@pytest.mark.parametrize(
    ("open_root", "restricted_root"),
    [
        ("/data", "/data/raw"),
        ("/data/raw/lake", "/data/raw"),
        ("/data", "/data"),
        ("s3://b/a", "s3://b/a/raw"),
    ],
)
def test_a_zone_inside_the_other_is_refused(open_root: str, restricted_root: str) -> None:
    with pytest.raises(ConfigError, match="share a folder"):
        LakeSettings.from_env({"LAKE_ROOT": open_root, "LAKE_RAW_ROOT": restricted_root})


def test_neighbours_with_a_common_prefix_are_not_nested() -> None:
    LakeSettings.from_env({"LAKE_ROOT": "/data/lake", "LAKE_RAW_ROOT": "/data/lake_raw"})


@pytest.mark.parametrize("root", ["gs://bucket/lake", "s3://", "https://host/lake"])
def test_a_root_of_another_kind_is_refused_by_name(root: str) -> None:
    with pytest.raises(ConfigError, match=f"LAKE_ROOT={root}"):
        LakeSettings.from_env({"LAKE_ROOT": root})


def test_no_secret_shows_in_the_settings() -> None:
    settings = LakeSettings.from_env({"AWS_SECRET_ACCESS_KEY": "hunter2", "AWS_SESSION_TOKEN": "hunter3"})
    assert "hunter" not in repr(settings)
    assert "hunter" not in settings.model_dump_json()


@pytest.mark.s3
def test_one_environment_serves_pyarrow_polars_and_duckdb(seaweed: Seaweed) -> None:
    import polars as pl

    lake = Lake.open(LakeSettings.from_env(seaweed.lake_env()))
    zone = lake.zone("open")
    with zone.open_output("a/x.parquet") as file:
        pq.write_table(pa.table({"n": [1, 2, 3]}), file)
    uri = zone.uri("a/x.parquet")
    assert pl.scan_parquet(uri, storage_options=zone.settings.storage_options()).collect().height == 3
    with duckdb.connect() as connection:
        zone.settings.duckdb_setup(connection)
        assert connection.execute("SELECT sum(n) FROM read_parquet(?)", [uri]).fetchone() == (6,)


def test_a_link_does_not_hide_that_one_zone_holds_the_other(tmp_path: Path) -> None:
    (tmp_path / "lake" / "raw").mkdir(parents=True)
    (tmp_path / "raw").symlink_to(tmp_path / "lake" / "raw")
    for raw in (tmp_path / "raw", tmp_path / "x" / ".." / "lake" / "raw"):
        with pytest.raises(ConfigError, match="share a folder"):
            LakeSettings.from_env({"LAKE_ROOT": str(tmp_path / "lake"), "LAKE_RAW_ROOT": str(raw)})
