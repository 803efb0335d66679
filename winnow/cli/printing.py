"""Output that a terminal can take: aligned columns, and no control character out of the data."""

import json
import math
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import typer

SHOWN = 80
"""Columns of a cell before it is cut."""
_UNMEASURED = 160
_NARROWER = (60, 44, 32, 24, 16, 12)


def visible(text: str, limit: int | None = None) -> str:
    r"""The text in one line, what does not print written as an escape, cut to `limit` columns.

    >>> visible("a\n\x1b[31m")
    'a\\n\\x1b[31m'
    >>> visible("abcdef", 4)
    'abc…'
    """
    if limit is not None:
        text = text[: limit + 1]
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return text if limit is None or columns_of(text) <= limit else _cut(text, limit)


def columns_of(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _cut(text: str, limit: int) -> str:
    taken = at = 0
    while at < len(text) and taken + _width(text[at]) < limit:
        taken += _width(text[at])
        at += 1
    return text[:at] + "…"


def table(
    headers: Sequence[str], rows: Iterable[Sequence[Any]], shown: int | None = SHOWN, fit: int | None = None
) -> Iterator[str]:
    """Aligned lines under a header; a column of numbers stands to the right, with thousands apart.

    Reads all rows first. Cells longer than `shown` columns are cut, and further where lines would be longer
    than `fit`, as far as that leaves something to read.
    """
    kept = [list(row) for row in rows]
    limits = [shown] if shown is None else [shown, *(n for n in _NARROWER if n < shown)]
    for limit in limits if fit is not None else limits[:1]:
        cells = [headers, *([_cell(value) for value in row] for row in kept)]
        lines = [[visible(cell, limit) for cell in line] for line in cells]
        widths = [max(map(columns_of, column)) for column in zip(*lines, strict=True)]
        if fit is not None and sum(widths) + 2 * len(widths) - 2 <= fit:
            break
    numeric = [bool(kept) and all(_is_number(row[at]) for row in kept) for at in range(len(headers))]
    for line in lines:
        padded = (_pad(cell, width, right) for cell, width, right in zip(line, widths, numeric, strict=True))
        yield "  ".join(padded).rstrip()


def _is_number(value: Any) -> bool:
    """Whether the value is a number, a part in per cent, or nothing."""
    if isinstance(value, str):
        return value in ("", "-") or value.endswith(" %")
    return isinstance(value, int | float | Decimal | None)


def _pad(cell: str, width: int, right: bool) -> str:
    space = " " * (width - columns_of(cell))
    return space + cell if right else cell + space


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6g}"
    if isinstance(value, bytes):
        return value[: 4 * SHOWN].decode("utf-8", "backslashreplace")
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds").removesuffix("+00:00")
    return value if isinstance(value, str) else json_text(value)


def terminal_columns() -> int:
    """Columns of the terminal; a fixed width where output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNMEASURED


def share(part: int, whole: int) -> str:
    """A part in per cent, nothing of nothing as a dash.

    >>> share(1, 8), share(0, 0)
    ('12.5 %', '-')
    """
    return f"{part / whole:.1%}".replace("%", " %") if whole else "-"


def worsening(scale: str, low: float, high: float, d: float | None = None) -> str:
    """The interval of a worsening, after the worsening itself where it is given, as gates record both.

    Relative ones are in per cent of the reference's value, absolute ones of a share in points.

    >>> worsening("relative", -0.03, 0.01, -0.02), worsening("absolute", -0.03, 0.01)
    ('-2.00% [-3.00%, +1.00%]', '[-3.0, +1.0] points')
    """
    of_share = scale == "absolute"
    at, *bounds = (f"{100 * v:+.1f}" if of_share else f"{v:+.2%}" for v in (d or 0.0, low, high))
    told = f"[{', '.join(bounds)}]" + (" points" if of_share else "")
    return told if d is None else f"{at} {told}"


def plain(value: Any) -> Any:
    """A value that JSON can write: times in ISO 8601, bytes in hex, what is not a number as null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, dict):
        return {key if isinstance(key, str) else json_text(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set):
        return [plain(inner) for inner in value]
    return str(value)


def json_text(value: Any) -> str:
    return json.dumps(plain(value), ensure_ascii=False)


def echo_json(value: Any) -> None:
    """One JSON value on one line."""
    typer.echo(json_text(value))


def echo_lines(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)
