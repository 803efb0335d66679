"""The main job in one process: sources, curated release, checkpoint, evaluation, gate, registry."""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import dagster as dg

from assets.backfill_progress import failure_reason
from assets.reporting import summary
from winnow.core.errors import ConfigError, RunError
from winnow.core.runner import close_pool
from winnow.curation.sources import TINY_SOURCES
from winnow.lake.lake import Lake
from winnow.sandbox import unavailable

Say = Callable[[str], None]
MARKER = "_winnow_demo.json"
PROFILES = Path(__file__).parent / "profiles"


@dataclass(frozen=True)
class Profile:
    """What a demo run reads and where it puts it, as environment variables that are set unless given."""

    name: str
    environment: Mapping[str, str]


def profile(name: str) -> Profile:
    """`default`: real data and SmolLM2-135M. `tiny`: a few hundred rows and a random model of two layers."""
    if name == "default":
        return Profile(name, {})
    if name != "tiny":
        raise ConfigError(f"--profile is `{name}`; the profiles are default and tiny")
    home = Path("data/demo-tiny").absolute()
    return Profile(
        name,
        {
            "LAKE_ROOT": str(home / "lake"),
            "LAKE_RAW_ROOT": str(home / "lake_raw"),
            "DAGSTER_HOME": str(home / "dagster"),
            "WINNOW_WORK": str(home / "work"),
            "WINNOW_SOURCES": str(TINY_SOURCES),
            "WINNOW_CONFIG": str(PROFILES / "tiny.yaml"),
        },
    )


def claim(lake: Lake, name: str) -> None:
    """Marks an empty lake as the demo's. Raises ConfigError for a lake that no demo made."""
    restricted, opened = lake.zone("restricted"), lake.zone("open")
    if restricted.exists(MARKER):
        return
    for zone in (opened, restricted):
        if next(iter(zone.list()), None) is not None:
            raise ConfigError(
                f"{zone.settings.setting} holds data that no demo made, and the demo leaves it alone. "
                "Set LAKE_ROOT and LAKE_RAW_ROOT to empty places"
            )
    restricted.put_if_absent(MARKER, json.dumps({"profile": name}).encode())


class Demo:
    """Materializes the graph step by step on the Dagster instance of this environment."""

    def __init__(self, say: Say, train: bool = True) -> None:
        self._say, self._train = say, train
        self._started = time.monotonic()

    def run(self) -> float:
        """All steps, each skipped where it is done already; returns the seconds they took."""
        # Not before the profile has set which sources there are: partitions are declared on import
        from assets.partitions import declared_sources

        sources = declared_sources().ids
        with dg.DagsterInstance.get() as instance:
            for source in sources:
                self._step(instance, ("raw", "conversations", "sanitized"), source)
            self._step(instance, ("dedup_verdicts",))
            for source in sources:
                self._step(instance, ("deduped", "decontaminated", "curated"), source)
            self._step(instance, ("sft_train", "sft_heldout"))
            self._pairs(instance)
            self._step(instance, ("release",))
            close_pool()
            if self._train:
                self._step(instance, ("checkpoint",))
                self._align(instance)
                self._step(instance, ("evaluation",))
                self._step(instance, ("registry",))
        return time.monotonic() - self._started

    def _pairs(self, instance: dg.DagsterInstance) -> None:
        """Pairs are made by running code; what there is of them is released if it is up to date."""
        from assets.preference_pairs import needs_sandbox
        from assets.release import pairs_left_out

        lake = Lake.open()
        if (fix := unavailable()) and needs_sandbox(lake):
            self._say(f"preference_pairs not run: {fix}")
            if left_out := pairs_left_out(lake):
                self._say(f"release without preference_pairs: {left_out}")
        else:
            self._step(instance, ("preference_pairs",))

    def _align(self, instance: dg.DagsterInstance) -> None:
        from assets.contenders import why_not_aligned
        from assets.release import build_training_release

        lake = Lake.open()
        if fix := why_not_aligned(lake, build_training_release(lake)):
            self._say(f"dpo_checkpoint not run: {fix}")
        else:
            self._step(instance, ("dpo_checkpoint",))

    def _step(self, instance: dg.DagsterInstance, names: Sequence[str], source: str | None = None) -> None:
        from assets.graph import asset_definitions, asset_resources

        began = time.monotonic()
        result = dg.materialize(
            asset_definitions(),
            selection=list(names),
            partition_key=source,
            instance=instance,
            resources=asset_resources(),
            raise_on_error=False,
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            tags={"winnow/demo": "true"},
        )
        if not result.success:
            if _was_interrupted(result):
                raise KeyboardInterrupt
            raise RunError(_failure(result))
        now = time.monotonic()
        what = f"{source}: " if source else ""
        told = ", ".join(_told(result, name) for name in names)
        self._say(f"[{now - self._started:6.1f} s] {what}{told} ({now - began:.1f} s)")
        for fix in _not_run(result):
            self._say(fix)


def _told(result: dg.ExecuteInProcessResult, name: str) -> str:
    for event in result.get_asset_materialization_events():
        if event.materialization.asset_key == dg.AssetKey(name):
            return summary(event.materialization)
    return name


def _not_run(result: dg.ExecuteInProcessResult) -> Iterator[str]:
    """What an asset says that it could not run, with the remedy."""
    for event in result.get_asset_materialization_events():
        for name, value in event.materialization.metadata.items():
            if isinstance(value, dg.TextMetadataValue) and (value.text or "").startswith("not run: "):
                yield f"{name} {value.text}"


def _was_interrupted(result: dg.ExecuteInProcessResult) -> bool:
    """Whether Ctrl-C ended the run; Dagster makes a failure of it."""
    errors = (event.step_failure_data.error for event in result.all_events if event.is_step_failure)
    return any(error is not None and error.cls_name == "DagsterExecutionInterruptedError" for error in errors)


def _failure(result: dg.ExecuteInProcessResult) -> str:
    for event in result.all_events:
        if event.is_step_failure:
            return failure_reason(event)
    return "a run failed; see it in the Dagster UI (make ui)"


def enter(chosen: Profile) -> None:
    """Sets what the profile needs and the environment does not say."""
    for name, value in chosen.environment.items():
        os.environ[name] = os.environ.get(name) or value
