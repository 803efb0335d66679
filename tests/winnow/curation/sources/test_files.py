import os
from pathlib import Path

import pytest
from reading import source

from winnow.core.errors import ConfigError, RunError
from winnow.curation.sources.files import locate, matches
from winnow.curation.sources.records import ReadSettings

SUFFIXES = (".jsonl", ".jsonl.gz")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("b.jsonl", "a.jsonl.gz", "notes.txt", "deep/c.jsonl", "deep/er/d.jsonl", "odd [1].jsonl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "dead.jsonl").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe.jsonl")
    return tmp_path


def located(tree: Path, *location: str) -> list[str]:
    files = locate(source("jsonl", *location), ReadSettings(base=tree), SUFFIXES)
    return [Path(file.path).relative_to(tree).as_posix() for file in files]


@pytest.mark.parametrize(
    ("location", "names"),
    [
        ("b.jsonl", ["b.jsonl"]),
        ("notes.txt", ["notes.txt"]),
        (".", ["a.jsonl.gz", "b.jsonl", "deep/c.jsonl", "deep/er/d.jsonl", "odd [1].jsonl"]),
        ("*.jsonl", ["b.jsonl", "odd [1].jsonl"]),
        ("**/*.jsonl", ["b.jsonl", "deep/c.jsonl", "deep/er/d.jsonl", "odd [1].jsonl"]),
        ("deep/*", ["deep/c.jsonl"]),
        ("odd [1].jsonl", ["odd [1].jsonl"]),
        ("[ab].*", ["a.jsonl.gz", "b.jsonl"]),
    ],
)
def test_a_location_names_regular_files_in_order(tree: Path, location: str, names: list[str]):
    assert located(tree, location) == names


def test_locations_keep_their_order_and_a_file_counts_once(tree: Path):
    assert located(tree, "deep", "b.jsonl", "*.jsonl")[:3] == ["deep/c.jsonl", "deep/er/d.jsonl", "b.jsonl"]
    assert len(located(tree, "deep", "b.jsonl", "*.jsonl")) == 4


@pytest.mark.parametrize("location", ["nothing.jsonl", "no/*.jsonl", "pipe.jsonl", "dead.jsonl", "ftp://a/b"])
def test_a_location_without_a_file_names_source_field_value_and_remedy(tree: Path, location: str):
    with pytest.raises(ConfigError, match=r"source `some-source`, `location`: got `|no S3 location"):
        located(tree, location)


def test_a_linked_folder_is_read_and_a_link_back_never_loops(
    tree: Path, tmp_path_factory: pytest.TempPathFactory
):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "e.jsonl").write_text("{}")
    (elsewhere / "again").symlink_to(elsewhere)
    (tree / "deep" / "linked").symlink_to(elsewhere)
    assert located(tree, "deep") == ["deep/c.jsonl", "deep/er/d.jsonl", "deep/linked/e.jsonl"]
    assert located(tree, "deep/linked") == ["deep/linked/e.jsonl"]
    (elsewhere / "back").symlink_to(tree / "deep")
    assert located(tree, "deep") == ["deep/c.jsonl", "deep/er/d.jsonl", "deep/linked/e.jsonl"]


def test_a_glob_walks_into_folders_only_where_it_says_so():
    assert matches(("a", "b", "c"), ("a", "**"))
    assert matches(("a",), ("a", "**"))
    assert not matches(("a", "b"), ("*",))


def test_a_folder_that_cannot_be_listed_is_not_taken_for_an_empty_one(
    tree: Path, monkeypatch: pytest.MonkeyPatch
):
    closed, listed = str(tree / "deep"), os.scandir

    def scandir(path: str) -> object:
        if os.fspath(path) == closed:
            raise PermissionError(13, "Permission denied", closed)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(RunError, match=r"deep` cannot be listed: Permission denied\. Make it readable"):
        located(tree, ".")
