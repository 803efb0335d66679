"""The same content on disk and on S3, for one worker and two; the same training within what sums may differ."""

from collections.abc import Callable
from pathlib import Path

import pytest
from demo_run import Places
from finished_demo import Undisturbed
from lake_laws import Sight, accounts_for_every_row, content
from model_records import ModelRecords
from seaweed import Seaweed

pytestmark = [pytest.mark.slow, pytest.mark.judge]


def same_as(whole: Undisturbed, places: Places, **more: str) -> str:
    """Runs the whole demo, holds it against the undisturbed one, and says what was equal."""
    places.demo(train=True, **more)
    hashes = content(places.lake)
    assert hashes == whole.hashes
    assert Sight.of(places.lake) == whole.sight
    accounts_for_every_row(places.lake)
    apart = ModelRecords.of(places.lake).assert_same(ModelRecords.of(whole.places.lake))
    return f"{len(hashes)} hashes and the row order equal, losses within {apart:.1e}"


@pytest.mark.s3
def test_on_s3_the_demo_says_what_it_says_on_disk(
    tmp_path: Path,
    undisturbed: Undisturbed,
    seaweed: Seaweed,
    record_property: Callable[[str, object], None],
) -> None:
    places = Places.on_s3(tmp_path / "s3", seaweed)
    record_property("measured", f"S3: {same_as(undisturbed, places)}")
    assert not (tmp_path / "s3" / "lake").exists()


def test_one_worker_says_what_two_say(
    tmp_path: Path, undisturbed: Undisturbed, record_property: Callable[[str, object], None]
) -> None:
    places = Places.in_folder(tmp_path / "one")
    record_property("measured", f"1 worker: {same_as(undisturbed, places, WINNOW_WORKERS='1')}")
