"""Filters of a source entry: conditions on the fields of a record."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from winnow.curation.sources.config import Filter

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_ABSENT = object()


def passes(filters: Sequence[Filter], fields: Mapping[str, Any]) -> bool:
    """Whether the record meets every filter. A field that is absent, null or of another type meets none.

    >>> passes([Filter(field="meta.stars", op=">=", value=10)], {"meta": {"stars": 12}})
    True
    >>> passes([Filter(field="meta.stars", op="!=", value=10)], {"meta": {}})
    False
    """
    return all(_meets(condition, _look_up(fields, condition.field)) for condition in filters)


def _look_up(fields: Mapping[str, Any], path: str) -> Any:
    if path in fields:
        return fields[path]
    value: Any = fields
    for part in path.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return _ABSENT
        value = value[part]
    return value


def _meets(condition: Filter, value: Any) -> bool:
    wanted = condition.value
    if isinstance(wanted, tuple):
        return any(_alike(value, one) and value == one for one in wanted)
    if not _alike(value, wanted):
        return False
    if condition.op in ("==", "!="):
        return bool(value == wanted) == (condition.op == "==")
    return _ORDER[condition.op](value, wanted)


def _alike(value: Any, wanted: Any) -> bool:
    """Whether two values may be compared: text with text, number with number, truth with truth."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return isinstance(value, bool) and isinstance(wanted, bool)
    if isinstance(wanted, str):
        return isinstance(value, str)
    return isinstance(value, int | float)
