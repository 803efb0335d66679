"""Findings to judge as a file of JSON Lines, and the same file read back with a person's answers."""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from winnow.core.errors import ConfigError, DataError

if TYPE_CHECKING:
    from winnow.lake.judgements import Finding, Judgement, Shown
    from winnow.lake.lake import Lake

_TOLD = 3
"""Faulty lines that a message names."""
_CONTEXT = 300
"""Characters of text on either side of a finding in the file."""


class Line(BaseModel):
    """One line: a finding, the text around it (of which nothing is read back), and the answer."""

    model_config = ConfigDict(extra="forbid", strict=True)

    row_id: str = Field(pattern=r"^[0-9a-f]{32}$")
    source: str
    decision: str
    category: str
    detector: str
    path: str
    start: int
    end: int
    content_hash: str = Field(pattern=r"^[0-9a-f]{64}$")
    found: str | None = None
    before: str | None = None
    after: str | None = None
    judged: Literal["right", "wrong", "unsure"] | None = None
    note: str = Field(default="", max_length=1_000)


def write_sample(lake: "Lake", path: Path, sample: Iterable["Shown"]) -> int:
    """Writes findings with their text into a new file that only its owner may read; returns how many.

    Raises ConfigError when there is a file already, or it would lie in the open root.
    """
    _require_outside(lake, path)
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        raise ConfigError(f"{path} is there already. Give --export another name, or remove it.") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}. Give another --export.") from None
    count = 0
    with open(opened, "w", encoding="utf-8") as file:
        for shown in sample:
            file.write(json.dumps(_line(shown)) + "\n")
            count += 1
    return count


def _require_outside(lake: "Lake", path: Path) -> None:
    root = lake.zone("open").settings
    if not root.is_s3 and path.resolve().is_relative_to(Path(root.root).resolve()):
        raise ConfigError(
            f"{path} lies in the open root, and would hold text that is not sanitized. Give --export a place outside."
        )


def _line(shown: "Shown") -> dict[str, Any]:
    finding = shown.finding
    return {
        "row_id": finding.row_id,
        "source": finding.source,
        "decision": finding.decision,
        "category": finding.category,
        "detector": finding.detector,
        "path": finding.path,
        "start": finding.start,
        "end": finding.end,
        "content_hash": shown.content_hash,
        "before": shown.text[max(0, shown.start - _CONTEXT) : shown.start],
        "found": shown.text[shown.start : shown.end],
        "after": shown.text[shown.end : shown.end + _CONTEXT],
        "judged": None,
        "note": "",
    }


def read_judgements(lake: "Lake", path: Path) -> tuple[list["Judgement"], int]:
    """The answered lines of a file as judgements, and how many of them are of findings that are no longer there.

    Raises DataError naming the lines that are at fault, of which no text is quoted; then nothing is to be recorded.
    """
    from winnow.lake.judgements import Judgement, known_places, place_of

    answered = list(_answered(path))
    places = known_places(lake, [line.row_id for line in answered])
    found = []
    for line in answered:
        finding = places.get(place_of(_finding(line)))
        if finding is not None and line.judged is not None:
            found.append(Judgement(finding, line.content_hash, line.judged, line.note))
    return found, len(answered) - len(found)


def _finding(line: Line) -> "Finding":
    from winnow.lake.judgements import Finding

    names = ("row_id", "source", "decision", "category", "detector", "path", "start", "end")
    return Finding(**{name: getattr(line, name) for name in names})


def _answered(path: Path) -> Iterator[Line]:
    from winnow.lake.judgements import place_of

    faults: list[str] = []
    seen: dict[tuple[Any, ...], int] = {}
    kept: list[Line] = []
    for number, text in _lines(path):
        line = _parsed(text)
        if isinstance(line, str):
            faults.append(f"line {number}: {line}")
        elif line.judged is not None:
            place = place_of(_finding(line))
            if place in seen:
                faults.append(f"line {number}: judges again what line {seen[place]} did")
            elif line.found and line.found in line.note:
                faults.append(f"line {number}: the note quotes what was found, and notes are open to all")
            seen.setdefault(place, number)
            kept.append(line)
    if faults:
        more = f"; and {len(faults) - _TOLD} more" if len(faults) > _TOLD else ""
        raise DataError(f"{path}: {'; '.join(faults[:_TOLD])}{more}. Nothing was recorded; correct the file.")
    yield from kept


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                if text.strip():
                    yield number, text
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8 text. Export the sample again, and edit it as UTF-8.") from None
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}. Give --judgements another path."
        ) from None


def _parsed(text: str) -> Line | str:
    """The line, or what is wrong with it."""
    try:
        return Line.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        if first["type"] == "json_invalid":
            return "is not a JSON object"
        if first["type"] == "extra_forbidden":
            return "has a field that no exported line has"
        return f"`{field}`: {first['msg'][:1].lower()}{first['msg'][1:]}" if field else "is not a JSON object"
