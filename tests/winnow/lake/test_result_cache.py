"""What a run stored the next one finds, whoever else stores at the same moment."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from small_lake import lake_in

from winnow.lake.result_cache import StoredResults

KEY = st.binary(min_size=16, max_size=16)


def store(zone_root: Path, values: dict[bytes, bytes]) -> StoredResults:
    cache = StoredResults(lake_in(zone_root).zone("restricted"), "s", "i", "b")
    with cache:
        for key, value in values.items():
            cache.put(key, value)
        cache.save()
    return cache


def found(zone_root: Path, keys: list[bytes]) -> list[bytes | None]:
    with StoredResults(lake_in(zone_root).zone("restricted"), "s", "i", "b") as cache:
        return cache.get(keys)


@given(st.dictionaries(KEY, st.binary(max_size=5), max_size=20), st.lists(KEY, max_size=5))
def test_it_answers_as_a_dictionary_does(values: dict[bytes, bytes], others: list[bytes]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as root:
        store(Path(root), values)
        asked = [*values, *others, *(key[:8] + bytes(8) for key in values)]
        assert found(Path(root), asked) == [values.get(key) for key in asked]


def test_a_run_replaces_the_results_of_the_one_before(tmp_path: Path) -> None:
    store(tmp_path, {b"a" * 16: b"1"})
    store(tmp_path, {b"b" * 16: b"2"})
    assert found(tmp_path, [b"a" * 16, b"b" * 16]) == [None, b"2"]


def test_two_runs_that_save_at_once_do_not_write_into_one_file(tmp_path: Path) -> None:
    zone = lake_in(tmp_path).zone("restricted")
    with StoredResults(zone, "s", "i", "b") as one, StoredResults(zone, "s", "i", "b") as other:
        one.put(b"a" * 16, b"1" * 100)
        other.put(b"a" * 16, b"2" * 10)
        rename = zone.rename

        def late(source: str, target: str) -> None:
            zone.rename = rename  # type: ignore[method-assign]
            other.save()
            rename(source, target)

        zone.rename = late  # type: ignore[method-assign]
        one.save()
    assert found(tmp_path, [b"a" * 16]) == [b"1" * 100]
    assert [e.path for e in zone.list("_cache")] == [one.path]
