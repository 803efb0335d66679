"""What a backfill did, read back from the Dagster instance, and which processes of an instance still live."""

import time
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
from dagster._core.execution.backfill import BULK_ACTION_TERMINAL_STATUSES, BulkActionStatus

ALL = "all sources"
FIRST = frozenset({"raw", "conversations", "sanitized"})
JUDGED = frozenset({"dedup_verdicts"})
LAST = frozenset({"deduped", "decontaminated", "curated"})
LAYERS = ("raw", "conversations", "sanitized", "deduped", "decontaminated", "curated")


@dataclass(frozen=True)
class Backfill:
    """One backfill: its status, its runs by source and assets, and which materializations left all as it was."""

    status: BulkActionStatus
    runs: Counter[tuple[str, frozenset[str]]]
    skipped: Mapping[tuple[str, str], bool]
    order: tuple[frozenset[str], ...]

    @classmethod
    def read(cls, home: Path, backfill_id: str) -> "Backfill":
        with dg.DagsterInstance.from_config(str(home)) as instance:
            backfill = instance.get_backfill(backfill_id)
            assert backfill is not None
            runs: Counter[tuple[str, frozenset[str]]] = Counter()
            skipped, order = {}, []
            chosen = dg.RunsFilter(tags={"dagster/backfill": backfill_id})
            for record in instance.get_run_records(chosen, ascending=True):
                run = record.dagster_run
                source = run.tags.get("dagster/partition", ALL)
                assets = frozenset(key.to_user_string() for key in run.asset_selection or ())
                runs[source, assets] += 1
                order.append(assets)
                made = instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION)
                for entry in made:
                    materialization = entry.asset_materialization
                    assert materialization is not None
                    where = (source, materialization.asset_key.to_user_string())
                    skipped[where] = bool(materialization.metadata["skipped"].value)
            return cls(backfill.status, runs, skipped, tuple(order))

    @classmethod
    def finished(cls, home: Path, backfill_id: str, seconds: float) -> "Backfill":
        """The backfill once Dagster has closed it."""
        limit = time.monotonic() + seconds
        while (backfill := cls.read(home, backfill_id)).status not in BULK_ACTION_TERMINAL_STATUSES:
            assert time.monotonic() < limit, backfill.status
            time.sleep(0.5)
        return backfill


def waves(sources: Collection[str]) -> Counter[tuple[str, frozenset[str]]]:
    """The runs that a backfill of these sources must have: one a source and wave, and one for all between them."""
    return Counter([(s, wave) for s in sources for wave in (FIRST, LAST)] + [(ALL, JUDGED)])


def backfill_ids(home: Path) -> list[str]:
    """All backfills of an instance, oldest first."""
    with dg.DagsterInstance.from_config(str(home)) as instance:
        return [backfill.backfill_id for backfill in reversed(instance.get_backfills())]


def living(home: Path) -> dict[int, str]:
    """Commands by process id of the processes whose DAGSTER_HOME this is."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"DAGSTER_HOME={home}\0".encode() in (process / "environ").read_bytes():
                found[int(process.name)] = (process / "cmdline").read_text().replace("\0", " ")
        except (OSError, UnicodeDecodeError):
            continue
    return {pid: command for pid, command in found.items() if command}


def wait_until_none_lives(home: Path, seconds: float) -> dict[int, str]:
    """What still lives after so many seconds at most."""
    limit = time.monotonic() + seconds
    while (there := living(home)) and time.monotonic() < limit:
        time.sleep(0.2)
    return there
