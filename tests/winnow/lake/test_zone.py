"""The verbs of a zone mean the same on a directory and on S3."""

import pickle
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from winnow.lake.lake import Lake
from winnow.lake.probe import check_zone, put_if_absent
from winnow.lake.settings import LakeSettings
from winnow.lake.zone import Zone


def test_put_read_list_delete(lake: Lake) -> None:
    zone = lake.zone("open")
    assert list(zone.list("a")) == []
    assert not zone.exists("a/one")
    with pytest.raises(FileNotFoundError):
        zone.read_bytes("a/one")
    for name in ("a/two", "a/one", "b/three"):
        zone.put(name, name.encode())
    assert [(entry.path, entry.size) for entry in zone.list("a")] == [("a/one", 5), ("a/two", 5)]
    assert zone.read_bytes("b/three") == b"b/three"
    zone.delete(["a/one", "a/never-there"])
    zone.delete_folder("b")
    assert [entry.path for entry in zone.list()] == ["a/two"]


def test_put_if_absent_never_overwrites(lake: Lake) -> None:
    zone = lake.zone("open")
    assert zone.put_if_absent("x", b"first")
    assert not zone.put_if_absent("x", b"second")
    assert zone.read_bytes("x") == b"first"
    assert put_if_absent(zone)


def test_rename_moves_and_copy_reads_the_other_zone(lake: Lake) -> None:
    opened, restricted = lake.zone("open"), lake.zone("restricted")
    data = bytes(range(256)) * 40_000
    with restricted.open_output("raw/part") as file:
        file.write(data)
    assert opened.copy_from(restricted, "raw/part", "t/incoming") == len(data)
    opened.rename("t/incoming", "t/final")
    assert [entry.path for entry in opened.list("t")] == ["t/final"]
    assert opened.read_bytes("t/final") == data


def test_a_zone_survives_pickling_without_its_connections(lake: Lake) -> None:
    lake.zone("open").put("x", b"1")
    again = pickle.loads(pickle.dumps(lake))
    assert again.zone("open").read_bytes("x") == b"1"


def test_reading_an_absent_lake_makes_nothing(tmp_path: Path) -> None:
    from small_lake import lake_in

    lake = lake_in(tmp_path)
    assert lake.head("sanitized").version is None
    assert list(lake.scan("sanitized")) == []
    assert not lake.zone("open").exists("x")
    assert list(tmp_path.iterdir()) == []


def test_the_restricted_root_is_its_owners_alone(tmp_path: Path) -> None:
    from small_lake import lake_in

    root = tmp_path / "lake_raw"
    root.mkdir(mode=0o755)
    check_zone(lake_in(tmp_path).zone("restricted"))
    assert stat.S_IMODE(root.stat().st_mode) == 0o700


def test_a_folder_that_others_empty_and_remove_meanwhile_is_made_again(tmp_path: Path) -> None:
    zone = LakeSettings.from_env(
        {"LAKE_ROOT": str(tmp_path / "o"), "LAKE_RAW_ROOT": str(tmp_path / "r")}
    ).open
    writer = Zone(zone)

    def one(number: int) -> None:
        path = f"a/b/c/{number}"
        with writer.open_output(path) as file:
            file.write(b"x")
        writer.rename(path, f"a/d/{number}")
        writer.delete([f"a/d/{number}"])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(400)))
    assert list(writer.list()) == []
