"""The exact files behind each view: resolved once, so that a session never sees the lake move."""

from collections.abc import Iterable
from dataclasses import dataclass

from schemas.contract import Contract
from schemas.verdicts import verdicts_contract
from winnow.lake.contracts import contract_of, declared
from winnow.lake.explanation import LAYERS, Explanation
from winnow.lake.head import TableHead
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release


@dataclass(frozen=True)
class Pin:
    """A table and the URIs of the files that hold its rows; none when it is empty."""

    contract: Contract
    uris: tuple[str, ...]


def pins_now(lake: Lake, restricted: bool = False) -> list[Pin]:
    """Every open table at its head, verdicts and counts at the version that their layer stands for.

    With `restricted` the two layers that are not sanitized, too.
    """
    heads: dict[str, TableHead] = {}

    def head_of(table: str) -> TableHead:
        if table not in heads:
            heads[table] = lake.head(table)
        return heads[table]

    explained = {head.table: head for head in Explanation(lake, head_of).tables()}
    tables = sorted(
        t for t, c in declared().items() if (c.zone == "open" or restricted) and t not in explained
    )
    return [_pin(head_of(table)) for table in tables] + [_pin(head) for head in explained.values()]


def pins_of_release(lake: Lake, release: Release) -> list[Pin]:
    """The tables that a release holds, with its verdicts and counts; a layer that it lacks has no pin.

    Tables that are not layers (token counts, checkpoints, evaluations, the registry) are taken at their head.
    """
    held = release.tables | release.explanation
    pins = []
    for table, pinned in held.items():
        zone = lake.zone_of(table)
        files = [zone.uri(f.path) for p in pinned.partitions.values() for f in p.files if f.rows]
        pins.append(Pin(contract_of(table), tuple(files)))
    explained = [verdicts_contract(stage) for stage in LAYERS] + [contract_of("stage_counts")]
    pins += [Pin(contract, ()) for contract in explained if contract.table not in held]
    known = {pin.contract.table for pin in pins}
    pins += [_pin(lake.head(table)) for table in _beside_the_layers() if table not in known]
    return pins


def _beside_the_layers() -> Iterable[str]:
    return sorted(t for t, c in declared().items() if c.zone == "open" and "messages" not in c.names)


def _pin(head: TableHead) -> Pin:
    uris = [head.zone.uri(f.path) for s in head.partitions.values() for f in s.files if f.rows]
    return Pin(head.contract, tuple(uris))
