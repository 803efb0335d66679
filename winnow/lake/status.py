"""What lies in a lake now: its tables, and whether each was built from what lies there."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from winnow.core.errors import WinnowError
from winnow.lake.contracts import contract_of, declared
from winnow.lake.explanation import LAYERS
from winnow.lake.head import TableHead
from winnow.lake.lake import Lake
from winnow.lake.lineage import Lineage
from winnow.lake.settings import ZoneName

_JUDGED_GLOBALLY = ("verdicts_dedup",)


@dataclass(frozen=True)
class TableStatus:
    """A table; `version` is None while it does not exist. `stale` says what to do about each stale partition.

    `fault` is set, and nothing else is known, when the table could not be read.
    """

    table: str
    zone: ZoneName
    version: int | None = None
    partitions: int = 0
    rows: int = 0
    stale: tuple[str, ...] = ()
    fault: str | None = None


def known_tables() -> list[str]:
    """Every table that a lake may hold: layers in running order, their verdicts and counts, then records."""
    layers = [*LAYERS.values(), "sft_heldout"]
    verdicts = [f"verdicts_{stage}" for stage in LAYERS]
    rest = sorted(set(declared()) - set(layers) - {"stage_counts", "token_counts"})
    return [*layers, *verdicts, "stage_counts", "token_counts", *rest]


def table_status(lake: Lake) -> list[TableStatus]:
    """Every known table at its head, in the order of `known_tables`.

    A restricted zone that this user cannot reach is a fault of its tables. Raises DataError or ConfigError
    when the open zone cannot be read.
    """

    @cache
    def head_of(table: str) -> TableHead:
        return lake.head(table)

    faults: dict[str, str] = {}
    for table in known_tables():
        try:
            head_of(table)
        except WinnowError as error:
            if contract_of(table).zone == "open":
                raise
            faults[table] = str(error)
    readable = {table: head_of(table) for table in known_tables() if table not in faults}
    stale = _stale(lake, readable)
    return [
        _status(readable[table], stale[table])
        if table in readable
        else TableStatus(table, contract_of(table).zone, fault=faults[table])
        for table in known_tables()
    ]


def _status(head: TableHead, stale: list[str]) -> TableStatus:
    partitions = sum(not key.startswith("_") for key in head.partitions)
    return TableStatus(head.table, head.contract.zone, head.version, partitions, head.rows, tuple(stale))


def _stale(lake: Lake, heads: dict[str, TableHead]) -> dict[str, list[str]]:
    """What is stale, by table."""
    walked = [t for t in (*LAYERS.values(), "sft_heldout", *_JUDGED_GLOBALLY) if _in_open_zone(t)]
    found: dict[str, list[str]] = defaultdict(list)
    for stale in Lineage(lake, heads).stale(walked):
        found[stale.table].append(str(stale))
    for table, said in _stale_before_the_open_zone(heads):
        found[table].append(said)
    return found


def _stale_before_the_open_zone(heads: dict[str, TableHead]) -> Iterator[tuple[str, str]]:
    """The first layers, of which the walk of a release knows nothing."""
    order = list(LAYERS.values())
    for before, table in pairwise(order):
        if _in_open_zone(before) or before not in heads or table not in heads:
            continue
        for source, state in heads[table].partitions.items():
            there = heads[before].partitions.get(source)
            built_from = state.inputs().get(f"{before}/{source}")
            if there is not None and built_from is not None and built_from != there.data_version:
                mend = f"materialize asset `{table}` for source {source}"
                yield table, f"{table}/{source} was built from an older {before}/{source}: {mend}"


def _in_open_zone(table: str) -> bool:
    return contract_of(table).zone == "open"
