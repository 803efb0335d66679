"""How often each category of a stage fired in what is published now: the history that a new run is held against."""

from winnow.core.firing import Fired, fired_categories
from winnow.lake.explanation import Explanation
from winnow.lake.head import TableHead
from winnow.lake.lake import Lake


def fired_history(lake: Lake, source: str, stage: str = "sanitize") -> dict[str, Fired]:
    """What the published verdicts of a stage say of a source; of every other source where it has none yet.

    Rows are those that came in. Verdicts and counts are read at the version that the layer's head stands for,
    so that a run in progress does not show. Streams the columns `rules` and `spans`.
    """
    heads = {head.table: head for head in Explanation(lake, lake.head).tables()}
    verdicts = heads[f"verdicts_{stage}"]
    rows = _rows_in(lake, heads["stage_counts"], stage)
    own = [source] if rows.get(source) else sorted(set(rows) - {source})
    return {name: Fired(rows[name], _fired(lake, verdicts, name)) for name in own if rows[name]}


def _fired(lake: Lake, verdicts: TableHead, source: str) -> dict[str, int]:
    batches = lake.scan(verdicts.table, [source], ["rules", "spans"], head=verdicts)
    return dict(sorted(fired_categories(batches).items()))


def _rows_in(lake: Lake, counts: TableHead, stage: str) -> dict[str, int]:
    keys = [key for key, state in counts.partitions.items() if state.values[0] == stage]
    found: dict[str, int] = {}
    for batch in lake.scan("stage_counts", keys, ["source", "decision", "rows"], head=counts):
        for row in batch.to_pylist():
            if row["decision"] == "in":
                found[row["source"]] = row["rows"]
    return found
