"""Row ids as people type them: the first letters are enough where no other row begins with them."""

import re

from winnow.core.errors import ConfigError, DataError
from winnow.lake.lake import Lake
from winnow.lake.views import connect

_WHOLE = re.compile(r"[0-9a-f]{32}")
_HEX = re.compile(r"[0-9a-f]{1,32}")
_SHOWN = 5
_PLACES = (
    "sanitized",
    "curated",
    "sft_train",
    "sft_heldout",
    "preference_pairs",
    "verdicts",
    "checkpoint_rows",
)


def resolve_row_id(lake: Lake, prefix: str) -> str:
    """The one row id that begins with `prefix`, among open layers, verdicts and checkpoints.

    A whole id is returned unseen. Raises ConfigError for what cannot begin an id, DataError when no row or
    more than one begins with it.
    """
    wanted = prefix.strip().lower()
    if _WHOLE.fullmatch(wanted):
        return wanted
    if not _HEX.fullmatch(wanted):
        raise ConfigError(f"`{prefix[:40]}` is no row id. Give its 32 hex digits, or the first of them.")
    everywhere = " UNION ALL ".join(f"(FROM {place} SELECT row_id)" for place in _PLACES)
    with connect(lake) as sql:
        found = sql.execute(
            f"FROM ({everywhere}) SELECT DISTINCT row_id WHERE starts_with(row_id, ?) "
            f"ORDER BY row_id LIMIT {_SHOWN + 1}",
            [wanted],
        ).fetchall()
    if len(found) == 1:
        return str(found[0][0])
    if not found:
        raise DataError(
            f"No row in {lake.settings.open.setting} begins with `{wanted}`. Take an id from a layer or from "
            "the view `verdicts`."
        )
    shown = ", ".join(row_id for (row_id,) in found[:_SHOWN])
    more = " and more" if len(found) > _SHOWN else ""
    raise DataError(f"Several rows begin with `{wanted}`: {shown}{more}. Give more of the id.")
