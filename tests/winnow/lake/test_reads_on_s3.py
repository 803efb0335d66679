"""What is read from a lake in two buckets equals what is read from one in two directories."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from seaweed import Seaweed
from small_lake import grow, grown, sample

from schemas.verdicts import STAGE_COUNTS, TOKEN_COUNTS, verdicts_contract
from winnow.core.errors import ConflictError, DataError
from winnow.lake.content_hash import hash_table
from winnow.lake.contracts import contract_of
from winnow.lake.explanation import LAYERS
from winnow.lake.funnel import funnel
from winnow.lake.lake import Lake
from winnow.lake.registry import Contender, aliases, swap
from winnow.lake.release import build_release, load_release, scan_release
from winnow.lake.settings import LakeSettings
from winnow.lake.sweep import sweep
from winnow.lake.trace import trace
from winnow.lake.views import connect, write_init

pytestmark = pytest.mark.s3
TABLES = [
    *(contract_of(table) for table in LAYERS.values()),
    *(verdicts_contract(stage) for stage in LAYERS),
    STAGE_COUNTS,
    TOKEN_COUNTS,
]


@pytest.fixture(scope="module")
def on_s3(seaweed: Seaweed) -> Lake:
    lake = Lake.open(LakeSettings.from_env(seaweed.lake_env()))
    grow(lake, sample())
    return lake


@pytest.fixture
def on_disk(tmp_path: Path) -> Lake:
    return grown(tmp_path)


def test_every_table_hashes_alike(on_s3: Lake, on_disk: Lake) -> None:
    for contract in TABLES:
        assert hash_table(on_s3, contract) == hash_table(on_disk, contract)
    assert hash_table(on_s3, TABLES[2]).rows == 14


def test_a_release_is_the_same_release(on_s3: Lake, on_disk: Lake) -> None:
    there, here = build_release(on_s3), build_release(on_disk)
    assert (there.name, there.content_hash) == (here.name, here.content_hash)
    assert load_release(on_s3, there.name) == there
    assert build_release(on_s3, there.name).created_at == there.created_at
    read = [b.to_pylist() for b in scan_release(on_s3, there, "sft_train", verify=True)]
    assert read == [b.to_pylist() for b in scan_release(on_disk, here, "sft_train", verify=True)]


def test_sql_funnel_and_trace_answer_alike(on_s3: Lake, on_disk: Lake) -> None:
    build_release(on_s3)
    build_release(on_disk)
    assert funnel(on_s3) == funnel(on_disk)
    for row in sample()["beta"]:
        assert trace(on_s3, row["row_id"]) == trace(on_disk, row["row_id"])
    with (
        connect(on_s3, restricted=True, why="test") as there,
        connect(on_disk, restricted=True, why="test") as here,
    ):
        for view in ("verdicts", "sft_train", "conversations", "token_counts"):
            query = f"FROM {view} ORDER BY ALL"
            assert there.execute(query).fetchall() == here.execute(query).fetchall()


def test_the_init_file_names_the_bucket_and_no_secret(on_s3: Lake, tmp_path: Path) -> None:
    init = tmp_path / "lake.init.sql"
    write_init(on_s3, init)
    text = init.read_text()
    settings = on_s3.settings.open
    assert settings.root in text
    assert "PROVIDER credential_chain" in text
    for secret in (settings.secret(), settings.access_key, on_s3.settings.restricted.root):
        assert secret
        assert secret not in text


def test_a_missing_object_is_told_by_name(seaweed: Seaweed) -> None:
    lake = Lake.open(LakeSettings.from_env(seaweed.lake_env()))
    grow(lake, {"alpha": sample()["alpha"][:1]})
    release = build_release(lake, "first")
    file = release.tables["sft_train"].partitions["alpha"].files[0]
    lake.zone("open").delete([file.path])
    with pytest.raises(DataError, match=r"Release first pins s3://.* but nothing lies there"):
        list(scan_release(lake, release, "sft_train"))


def test_a_sweep_removes_old_objects_only(seaweed: Seaweed) -> None:
    lake, rows = Lake.open(LakeSettings.from_env(seaweed.lake_env())), sample()
    grow(lake, rows)
    release = build_release(lake, "first")
    grow(lake, {**rows, "beta": rows["beta"][:5]})
    before = funnel(lake)
    report = sweep(lake, timedelta(0))
    assert report.bytes > 0
    assert not any(lake.zone(f.zone).exists(f.path) for f in report.files)
    assert funnel(lake) == before
    list(scan_release(lake, release, "sft_train", verify=True))
    assert sweep(lake, timedelta(0)).files == ()


def test_of_six_first_promotions_one_wins(seaweed: Seaweed) -> None:
    lake = Lake.open(LakeSettings.from_env(seaweed.lake_env()))

    def attempt(number: int) -> str | None:
        try:
            return swap(lake, "m", None, Contender(f"c{number}", "r-1"), {"n": number})[
                "champion"
            ].checkpoint_id
        except ConflictError:
            return None

    with ThreadPoolExecutor(6) as pool:
        won = [name for name in pool.map(attempt, range(6)) if name]
    assert [aliases(lake, "m")["champion"].checkpoint_id] == won
