"""`kill -9` at any moment: the old state or the new, nothing lost, nothing twice, and the same end."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from demo_run import Places
from finished_demo import Undisturbed
from lake_laws import (
    Sight,
    accounts_for_every_row,
    content,
    holds_no_unaudited_file,
    shows_only_audited_rows,
    sweeps_clean,
)
from model_records import ModelRecords
from seaweed import Seaweed

pytestmark = pytest.mark.slow
SEED = 20260707
# The n-th time over all layers in the order of the demo: three layers a source for three sources, the verdicts
# of deduplication, three layers more a source, then the two train sets.
POINTS = (
    "copied:6",  # sanitized of the second source, between copy and verdicts
    "verdicts-committed:3",  # of sanitized, before its counts
    "before-layer-commit:12",  # of curated
    "candidate-written:3",  # sanitized of the first source
    "candidate-written:11",  # a slice of the dedup verdicts
    "copied:10",  # all slices of the dedup verdicts, before their one commit
    "verdicts-committed:10",  # of deduplication, before any deduped
    "counts-committed:11",  # of deduped, before its token counts and its layer
    "layer-committed:15",  # before the candidate's own files are removed
)
ONE_AFTER_ANOTHER = (
    # sanitized of the first source, between verdicts and counts
    ("verdicts-committed:3", {"conversations": 1, "sanitized": 0}),
    # of the second, between copy and verdicts
    ("copied:4", {"conversations": 2, "sanitized": 1}),
    # curated of the first source
    ("before-layer-commit:7", {"sanitized": 3, "decontaminated": 1, "curated": 0}),
)
"""Where three runs on one lake die, and how many sources each layer holds then; a run counts what it still has to do."""


def dead_then_run_on(places: Places, whole: Undisturbed, sweep_first: bool) -> str:
    """Looks at the dead lake, runs the demo on to its end, and holds it against the undisturbed one."""
    audited = [whole.sight]
    shown = shows_only_audited_rows(places.lake, audited).partitions
    holds_no_unaudited_file(places.lake, audited)
    swept = sweeps_clean(places.lake, audited) if sweep_first else 0
    places.demo()
    assert content(places.lake) == whole.hashes
    accounts_for_every_row(places.lake)
    assert Sight.of(places.lake) == whole.sight
    swept += sweeps_clean(places.lake, audited)
    assert content(places.lake) == whole.hashes
    return f"{shown} audited partitions seen, {swept} files swept"


def test_a_demo_killed_three_times_runs_on_to_the_same_lake(tmp_path: Path, undisturbed: Undisturbed) -> None:
    places, audited = Places.in_folder(tmp_path / "killed"), [undisturbed.sight]
    for number, (point, published) in enumerate(ONE_AFTER_ANOTHER):
        places.killed_at(point)
        assert {layer: len(places.lake.head(layer).partitions) for layer in published} == published
        shows_only_audited_rows(places.lake, audited)
        holds_no_unaudited_file(places.lake, audited)
        if number == 1:
            sweeps_clean(places.lake, audited)
    dead_then_run_on(places, undisturbed, sweep_first=False)


@pytest.mark.judge
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_demo_runs_on_to_the_same_lake(point: str, tmp_path: Path, undisturbed: Undisturbed) -> None:
    places = Places.in_folder(tmp_path / "killed")
    places.killed_at(point)
    dead_then_run_on(
        places, undisturbed, sweep_first=point in ("verdicts-committed:3", "before-layer-commit:12")
    )


@pytest.mark.judge
def test_a_demo_killed_at_a_random_time_runs_on_to_the_same_lake(
    tmp_path: Path, undisturbed: Undisturbed, record_property: Callable[[str, object], None]
) -> None:
    places = Places.in_folder(tmp_path / "killed")
    (curated,) = re.findall(r"^\[ *([\d.]+) s\] release ", undisturbed.printed, re.M)
    moment = random.Random(SEED).uniform(0.2, 0.9) * float(curated)
    places.killed_when(lambda seconds: seconds > moment)
    found = dead_then_run_on(places, undisturbed, sweep_first=True)
    record_property("measured", f"after {moment:.1f} s: {found}")


@pytest.mark.judge
@pytest.mark.s3
def test_a_demo_killed_on_s3_runs_on_to_the_same_lake(
    tmp_path: Path,
    undisturbed: Undisturbed,
    seaweed: Seaweed,
    record_property: Callable[[str, object], None],
) -> None:
    places = Places.on_s3(tmp_path / "killed", seaweed)
    places.killed_at("before-layer-commit:6")
    found = dead_then_run_on(places, undisturbed, sweep_first=True)
    record_property("measured", f"S3, before-layer-commit:6: {found}")


@pytest.mark.judge
@pytest.mark.parametrize("alone", [True, False], ids=["the run alone", "with its child"])
def test_training_killed_between_checkpoints_ends_with_the_same_rows_and_losses(
    alone: bool, tmp_path: Path, undisturbed: Undisturbed, record_property: Callable[[str, object], None]
) -> None:
    places = Places.in_folder(tmp_path / "killed")
    places.demo()
    work = places.root / "work" / "training"
    saved = "*/output/checkpoint-*/winnow-checkpoint.json"
    places.killed_when(lambda _: any(work.glob(saved)), train=True, alone=alone)
    assert not list(work.glob("*/output/result.json"))
    shows_only_audited_rows(places.lake, [undisturbed.sight])
    printed = places.demo(train=True)
    assert "gate" in printed
    assert content(places.lake) == undisturbed.hashes
    apart = ModelRecords.of(places.lake).assert_same(ModelRecords.of(undisturbed.places.lake))
    record_property("measured", f"in training: row order equal, losses within {apart:.1e}")
