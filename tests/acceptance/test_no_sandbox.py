"""Where no sandbox starts, the demo says so, finishes, and promotes nothing."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from demo_run import Places

pytestmark = [pytest.mark.slow, pytest.mark.judge]


@pytest.fixture
def without_bubblewrap(tmp_path: Path) -> str:
    """A PATH on which everything is that is on ours, but bwrap."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in Path(folder).iterdir() if Path(folder).is_dir() else []:
            if program.name != "bwrap" and not (programs / program.name).exists():
                (programs / program.name).symlink_to(program)
    assert shutil.which("bwrap", path=str(programs)) is None
    return str(programs)


def test_the_demo_finishes_and_names_the_fix(tmp_path: Path, without_bubblewrap: str) -> None:
    places = Places.in_folder(tmp_path / "demo")
    screen = places.demo(train=True, PATH=without_bubblewrap)
    assert re.search(r"preference_pairs, dpo_checkpoint and humaneval not run: .*bubblewrap", screen)
    for benchmark in ("preference_accuracy", "humaneval"):
        assert re.search(rf"^{benchmark} +not run: .*bubblewrap", screen, re.M), benchmark
    assert re.search(r"^gate +not promotable", screen, re.M)
    (line,) = json.loads(places.winnow("registry", "--json", PATH=without_bubblewrap)).values()
    assert line["aliases"] == []
    (decision,) = line["decisions"]
    name = decision["decision"]["candidate"]
    refused = places.winnow("promote", name, code=1, PATH=without_bubblewrap)
    assert refused == ""
    places.demo(train=True)  # with a sandbox the same lake goes on to pairs, DPO and a verdict
    methods = {row["method"] for b in places.lake.scan("checkpoints") for row in b.to_pylist()}
    assert methods == {"sft", "dpo"}
