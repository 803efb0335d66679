"""The funnel: how many rows and tokens each stage took in, kept and turned away, and by which rule."""

from dataclasses import dataclass

from winnow.lake.lake import Lake
from winnow.lake.views import connect, question


@dataclass(frozen=True)
class FunnelLine:
    """A line of the funnel. `decision` is `in` or `kept`, the totals of a stage, or `drop`, `park`, `redact`
    or `keep` (flagged); the last two are parts of `kept`. `tokens` is None where they are not known.
    """

    layer: str
    stage: str
    decision: str
    rule: str
    rows: int
    tokens: int | None


def funnel(lake: Lake, source: str | None = None, release: str | None = None) -> list[FunnelLine]:
    """The funnel of all sources, or of one, in stage order; that of a release where one is named.

    Only counts that describe a layer as it stands are read, never those of an attempt that was not published.
    """
    with connect(lake, release=release) as connection:
        if source is not None:
            connection.execute("SET VARIABLE source = ?", [source])
        rows = connection.execute(question("funnel")).fetchall()
    return [FunnelLine(*row) for row in rows]
