from pathlib import Path

import pytest

from winnow.core.errors import ConfigError
from winnow.curation.sources import TINY_SOURCES, load_sources, read

GOOD = """
sources:
  - id: papers
    name: Papers of the group
    kind: jsonl
    location: [data/*.jsonl, s3://bucket/papers]
    revision: 2024-01-01
    key: id
    fields: {text: body}
    cap: 10
    filters:
      - {field: stars, op: ">=", value: 10}
      - {field: lang, op: in, value: [py, js]}
    licence: MIT
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "sources.yaml"
    path.write_text(text)
    return path


def test_an_entry_comes_out_as_it_was_written(tmp_path: Path):
    (entry,) = load_sources(write(tmp_path, GOOD)).sources
    assert entry.location == ("data/*.jsonl", "s3://bucket/papers")
    assert entry.revision == "2024-01-01"
    assert (entry.fields.text, entry.fields.messages) == ("body", "messages")
    assert entry.filters[1].value == ("py", "js")


def test_all_faults_are_told_at_once_with_the_near_miss(tmp_path: Path):
    text = """
sources:
  - {id: Papers, kind: json, location: [], cap: -3}
  - {id: b, kind: jsonl, location: a, lisence: MIT, filters: [{field: a, op: in, value: 3}]}
  - {id: b, kind: docstring_functions, location: stdlib, key: x}
"""
    with pytest.raises(ConfigError) as error:
        load_sources(write(tmp_path, text))
    message = str(error.value)
    assert "(8 to fix)" in message
    for part in (
        '`sources.0.id`: got "Papers"',
        '`sources.0.kind`: got "json"',
        "`sources.0.location`: got []",
        "`sources.0.cap`: got -3",
        "`sources.1.lisence`: no such key. Did you mean `licence`?",
        "`sources.1.filters.0.value`: got one value. `in` needs a list",
        "`id`: `b` stands 2 times",
        "`sources.2.key`: a `docstring_functions` source",
    ):
        assert part in message


@pytest.mark.parametrize("value", ["{a: 1}", "null", "[[1]]"])
def test_a_filter_value_of_a_wrong_type_is_one_fault(tmp_path: Path, value: str):
    entry = f"{{id: a, kind: jsonl, location: a, filters: [{{field: a, op: in, value: {value}}}]}}"
    with pytest.raises(ConfigError, match=r"1 to fix"):
        load_sources(write(tmp_path, f"sources: [{entry}]"))


@pytest.mark.parametrize("text", ["", "sources: []", "sources: 3", "- a", "sources: [3]", "a: [", "\x00"])
def test_what_is_no_list_of_sources_is_a_config_error(tmp_path: Path, text: str):
    with pytest.raises(ConfigError, match=r"sources\.yaml"):
        load_sources(write(tmp_path, text))


def test_an_id_that_the_lake_reserves_is_refused(tmp_path: Path):
    with pytest.raises(ConfigError, match=r"_global"):
        load_sources(write(tmp_path, "sources: [{id: _global, kind: jsonl, location: a}]"))


def test_an_unknown_id_names_its_near_miss(tmp_path: Path):
    with pytest.raises(ConfigError, match="Did you mean `papers`"):
        load_sources(write(tmp_path, GOOD)).by_id("paper")


def test_the_name_and_what_only_normalize_uses_are_not_hashed(tmp_path: Path):
    (entry,) = load_sources(write(tmp_path, GOOD)).sources
    assert entry.hashed() == entry.model_copy(update={"name": "Other"}).hashed()
    assert entry.hashed() != entry.model_copy(update={"cap": 11}).hashed()


@pytest.mark.parametrize("path", [TINY_SOURCES, Path(__file__).parents[4] / "sources.yaml"])
def test_the_shipped_files_load(path: Path):
    assert len(load_sources(path).ids) in (3, 7)


def test_a_relative_location_lies_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "rows.jsonl").write_text("{}\n")
    monkeypatch.chdir("/")
    declared = load_sources(write(tmp_path, "sources: [{id: a, kind: jsonl, location: rows.jsonl}]"))
    (output,) = read(declared.sources[0], declared.read_settings())
    assert output.rows_in == 1
