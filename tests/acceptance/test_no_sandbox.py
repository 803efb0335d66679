"""Where no sandbox starts, the demo says so, finishes, and promotes nothing, whatever was made before."""

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from demo_run import Places

from winnow.curation.sources import TINY_SOURCES
from winnow.lake.release import list_releases, load_release

pytestmark = [pytest.mark.slow, pytest.mark.judge, pytest.mark.timeout(900)]


@dataclass(frozen=True)
class Step:
    """What a run of the demo printed, and the lake after it."""

    screen: str
    methods: list[str]
    releases: list[str]
    registry: Mapping[str, Any]

    @property
    def champions(self) -> list[str]:
        return [alias["checkpoint_id"] for alias in self.registry["aliases"] if alias["alias"] == "champion"]


@dataclass(frozen=True)
class History:
    """One lake: never a sandbox, then one, then none again, then none while the sources have changed."""

    places: Places
    path: str
    never: Step
    there: Step
    gone: Step
    stale: Step


def without_bubblewrap(folder: Path) -> str:
    """A PATH on which everything is that is on ours, but bwrap."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).iterdir() if Path(place).is_dir() else []:
            if program.name != "bwrap" and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)
    assert shutil.which("bwrap", path=str(folder)) is None
    return str(folder)


def step(places: Places, **more: str) -> Step:
    screen = places.demo(train=True, **more)
    (registry,) = json.loads(places.winnow("registry", "--json")).values()
    methods = [row["method"] for b in places.lake.scan("checkpoints") for row in b.to_pylist()]
    return Step(screen, sorted(methods), list_releases(places.lake), registry)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    root = tmp_path_factory.mktemp("no-sandbox")
    path = without_bubblewrap(root / "bin")
    places = Places.in_folder(root / "demo")
    fewer = root / "sources.yaml"
    fewer.write_text(TINY_SOURCES.read_text().replace("cap: 200", "cap: 150"))
    return History(
        places,
        path,
        never=step(places, PATH=path),
        there=step(places),
        gone=step(places, PATH=path),
        stale=step(places, PATH=path, WINNOW_SOURCES=str(fewer)),
    )


def told(name: str, screen: str) -> bool:
    """Whether it stands there as not run, with what to install."""
    return re.search(rf"^{name} +not run: .*bubblewrap", screen, re.M) is not None


def test_without_pairs_it_finishes_and_names_the_fix(history: History) -> None:
    screen = history.never.screen
    for name in ("preference_pairs", "dpo_checkpoint", "preference_accuracy", "humaneval"):
        assert told(name, screen), name
    assert re.search(r"^gate +not promotable", screen, re.M)
    assert history.never.methods == ["sft"]
    assert history.never.champions == []


def test_what_was_not_run_promotes_nothing_by_hand(history: History) -> None:
    (decision,) = history.never.registry["decisions"]
    name = decision["decision"]["candidate"]
    assert history.places.winnow("promote", name, code=1, PATH=history.path) == ""


def test_with_a_sandbox_the_same_lake_goes_on_to_pairs_and_a_verdict(history: History) -> None:
    assert "not run" not in history.there.screen
    assert history.there.methods == ["dpo", "sft", "sft"]
    assert len(history.there.champions) == 1


def test_pairs_that_are_up_to_date_serve_on_when_the_sandbox_is_gone(history: History) -> None:
    screen = history.gone.screen
    assert "preference_pairs unchanged" in screen
    assert "dpo_checkpoint unchanged" in screen
    assert told("humaneval", screen)
    assert history.gone.methods == history.there.methods
    assert history.gone.releases == history.there.releases
    assert history.gone.registry == history.there.registry


def test_stale_pairs_are_left_out_and_nothing_is_promoted(history: History) -> None:
    screen = history.stale.screen
    for name in ("preference_pairs", "dpo_checkpoint", "preference_accuracy", "humaneval"):
        assert told(name, screen), name
    assert re.search(
        r"^release without preference_pairs: preference_pairs/\S+ was built from an older", screen, re.M
    )
    (made,) = set(history.stale.releases) - set(history.gone.releases)
    assert "preference_pairs" not in load_release(history.places.lake, made).tables
    assert re.search(r"^gate +not promotable", screen, re.M)
    assert history.stale.champions == history.gone.champions
