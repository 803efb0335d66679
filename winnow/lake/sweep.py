"""Removes what nothing names any more: files of lost attempts, of old versions, and abandoned candidates."""

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

from schemas.contract import Contract
from schemas.verdicts import verdicts_contract
from winnow.lake.candidate import CANDIDATES
from winnow.lake.commit import INCOMING
from winnow.lake.contracts import declared
from winnow.lake.explanation import LAYERS, Explanation
from winnow.lake.faults import named_faults
from winnow.lake.head import delta_table
from winnow.lake.lake import Lake
from winnow.lake.names import SLUG, SPILL, is_marker, parse_part
from winnow.lake.release import list_releases, load_release
from winnow.lake.result_cache import CACHE, WRITING
from winnow.lake.settings import ZoneName
from winnow.lake.zone import Entry, Zone

GRACE = timedelta(hours=24)
UNUSED = timedelta(days=60)
"""Age at which results of a stage are taken to be of a configuration that is gone; losing them costs time only."""
_CANDIDATE_FILE = re.compile(r"[a-z][a-z0-9_-]*-\d{5}\.parquet|manifest\.json")
_INCOMING = re.compile(re.escape(INCOMING) + r"[0-9a-f]{8}-\d{5}\.parquet")
_ATTEMPT = re.compile(r"[0-9a-f]{8}")
_ZONES: tuple[ZoneName, ...] = ("open", "restricted")


@dataclass(frozen=True)
class Swept:
    """A file that was removed, or would be."""

    zone: ZoneName
    path: str
    bytes: int
    why: str


@dataclass(frozen=True)
class SweepReport:
    """What a sweep removed, in order of path."""

    files: tuple[Swept, ...]
    dry_run: bool

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)


class _Pinned:
    """Files and table versions that something still names."""

    def __init__(self, lake: Lake) -> None:
        self.paths: set[str] = set()
        self.versions: dict[str, set[int]] = defaultdict(set)
        for name in list_releases(lake):
            release = load_release(lake, name)
            for table, pinned in (release.tables | release.explanation).items():
                self.versions[table].add(pinned.delta_version)
                for partition in pinned.partitions.values():
                    self.paths.update(file.path for file in partition.files)
                    self._verdicts(table, partition.verdict_version)
        for head in Explanation(lake, lake.head).tables():
            self.paths.update(file.path for state in head.partitions.values() for file in state.files)
        for layer in LAYERS.values():
            for state in lake.head(layer).partitions.values():
                self._verdicts(layer, state.verdict_version)

    def _verdicts(self, layer: str, version: int | None) -> None:
        for stage, table in LAYERS.items():
            if table == layer and version is not None:
                self.versions[f"verdicts_{stage}"].add(version)


def sweep(lake: Lake, grace: timedelta = GRACE, dry_run: bool = False) -> SweepReport:
    """Remove files that no head, no release and no named verdict version holds, once older than `grace`.

    A file of an old version ages from the commit that replaced it, another from when it was written, so that
    a running publish and a reader of the last head lose nothing within `grace`. Abandoned candidates, spill files and
    half-written results go too; rejected candidates stay. A file whose name is not one of ours is never touched.

    Raises:
        DataError: a table was written by something else, or a release was altered; nothing is removed.
    """
    pinned = _Pinned(lake)
    contracts = {**declared(), **{c.table: c for c in map(verdicts_contract, LAYERS)}}
    found: list[Swept] = []
    for contract in contracts.values():
        found += _unreferenced(lake.zone(contract.zone), contract, pinned, grace)
    restricted = lake.zone("restricted")
    found += [*_abandoned(restricted, grace), *_left_by_kills(restricted, grace)]
    found.sort(key=lambda file: (file.zone, file.path))
    if not dry_run:
        for name in _ZONES:
            lake.zone(name).delete(file.path for file in found if file.zone == name)
    return SweepReport(tuple(found), dry_run)


def _unreferenced(zone: Zone, contract: Contract, pinned: _Pinned, grace: timedelta) -> Iterator[Swept]:
    table = contract.table
    entries = {entry.path: entry for entry in zone.list(table)}
    opened = delta_table(zone, table)
    if opened is None:
        old = {entry.path for entry in entries.values() if _is_older(entry, grace)}
    else:
        with named_faults(zone.settings, f"looking for old files of {table}"):
            listed = opened.vacuum(
                retention_hours=math.ceil(grace / timedelta(hours=1)),
                dry_run=True,
                enforce_retention_duration=False,
                full=True,
                keep_versions=sorted(pinned.versions[table]) or None,
            )
        old = {f"{table}/{path}" for path in listed}
    # a vacuum does not look at names with an underscore, and a log never names them
    lost = {e.path for e in entries.values() if _INCOMING.fullmatch(_name(e)) and _is_older(e, grace)}
    for path in sorted((old | lost) & set(entries) - pinned.paths):
        if _is_ours(path, contract):
            yield Swept(zone.name, path, entries[path].size, "no version that is kept names it")


def _is_ours(path: str, contract: Contract) -> bool:
    *folders, name = path.removeprefix(f"{contract.table}/").split("/")
    columns = tuple(folder.partition("=")[0] for folder in folders)
    known = is_marker(name) or parse_part(name) is not None or _INCOMING.fullmatch(name) is not None
    return columns == contract.partition_by and known


def _abandoned(zone: Zone, grace: timedelta) -> Iterator[Swept]:
    """Files of candidates of which every file is ours and older than the grace period."""
    attempts: dict[str, list[Entry]] = defaultdict(list)
    for entry in zone.list(CANDIDATES):
        attempts[str(PurePosixPath(entry.path).parent)].append(entry)
    for folder, entries in attempts.items():
        _, *place = folder.split("/")
        ours = len(place) == 3 and all(map(SLUG.fullmatch, place[:2])) and _ATTEMPT.fullmatch(place[2])
        if ours and all(_is_candidate(entry) and _is_older(entry, grace) for entry in entries):
            for entry in entries:
                yield Swept(zone.name, entry.path, entry.size, "abandoned candidate")


def _left_by_kills(zone: Zone, grace: timedelta) -> Iterator[Swept]:
    """Spill files of which every one in its folder is older than the grace period, and half-written results."""
    spilled: dict[str, list[Entry]] = defaultdict(list)
    for entry in zone.list():
        first, _, rest = entry.path.partition("/")
        if first == SPILL:
            spilled[f"{SPILL}/{rest.partition('/')[0]}"].append(entry)
        elif first.startswith(f"{SPILL}_"):
            spilled[first].append(entry)
        elif first == CACHE and entry.path.endswith(WRITING) and _is_older(entry, grace):
            yield Swept(zone.name, entry.path, entry.size, "half-written result")
        elif first == CACHE and _is_older(entry, max(grace, UNUSED)):
            yield Swept(zone.name, entry.path, entry.size, "results that no run has written for long")
    for entries in spilled.values():
        if all(_is_older(entry, grace) for entry in entries):
            yield from (Swept(zone.name, e.path, e.size, "spill file of a killed process") for e in entries)


def _is_candidate(entry: Entry) -> bool:
    return _CANDIDATE_FILE.fullmatch(_name(entry)) is not None


def _name(entry: Entry) -> str:
    return PurePosixPath(entry.path).name


def _is_older(entry: Entry, grace: timedelta) -> bool:
    return datetime.now(UTC) - entry.modified >= grace
