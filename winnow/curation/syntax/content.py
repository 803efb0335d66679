"""The language of a text by its looks alone: marks of each language, weighed and counted."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_READ, _SAMPLE = 24_000, 8_000
_LINE_COMMENT = re.compile(r"^[ \t]*+(?://(?![/!])|\*(?: |/|$))[^\n]*+\n?", re.MULTILINE)
_BLOCK_COMMENT = re.compile(r"^[ \t]*+/\*", re.MULTILINE)
_TEXT_FOLLOWS = re.compile(r"[|>][-+\d]*+[ \t]*+$")
_CAP = 4
_DOUBT = 1.5
_LEAST_SCORE, _LEAST_CONFIDENCE = 2.0, 0.5
_DATA_LINE = re.compile(r"[ \t]*+(?:- |-$|[\w.\"'/@$*-]+(?: [\w.-]+)?[ \t]*+:(?:[ \t]|$)|#|---|\.\.\.)")


_SECTION = re.compile(r"\[(\w+)\]")

SESSION = "session"
"""What a terminal shows, among the languages that are told apart."""
_SURE_SESSION = 6.0

BASES = {"cpp": ("c", 2.0), "typescript": ("javascript", 2.0)}
"""A language that has all marks of another: that one, and the points of its own that it takes to be more."""


@dataclass(frozen=True, slots=True)
class Looks:
    language: str | None
    confidence: float


def scores(text: str) -> dict[str, float]:
    """Points of each language that has any, from 8,000 characters at the start without whole-line comments.

    A mark counts up to four times; so a long file is told by how many different marks it bears.
    """
    sample = _LINE_COMMENT.sub("", _without_blocks(text[:_READ].replace("\r\n", "\n")))[:_SAMPLE]
    found: dict[str, float] = {}
    for language, marks in _marks().items():
        points = sum(weight * _count(pattern, sample) for weight, pattern in marks)
        if points:
            found[language] = points
    for language, (base, least) in BASES.items():
        own = found.pop(language, 0.0)
        if own >= least:
            found[language] = own + found.get(base, 0.0)
    if found.get("yaml"):
        odd = "markdown" if _is_lines_of_data(sample) else "yaml"
        found[odd] = found.get(odd, 0.0) / 8
    return found


def by_content(text: str) -> Looks:
    """The language with the most points, where they are enough and far enough ahead; else None.

    The confidence is its share of all that the first two scored, less some doubt: 0.5 to 1.
    """
    ranked = sorted(scores(text).items(), key=lambda item: (-item[1], item[0]))
    if not ranked:
        return Looks(None, 0.0)
    language, best = ranked[0]
    # What C++ scored as C speaks for it, not against it
    kin = {BASES[language][0]} if language in BASES else set()
    second = next((points for other, points in ranked[1:] if other not in kin), 0.0)
    confidence = best / (best + second + _DOUBT)
    if best < _LEAST_SCORE or confidence < _LEAST_CONFIDENCE:
        return Looks(None, round(confidence, 3))
    return Looks(language, round(confidence, 3))


@cache
def _marks() -> dict[str, list[tuple[float, re.Pattern[str]]]]:
    """Weight and pattern of each mark, by language, from the file beside this one."""
    marks: dict[str, list[tuple[float, re.Pattern[str]]]] = {}
    for line in Path(__file__).with_name("marks.txt").read_text(encoding="utf-8").splitlines():
        if section := _SECTION.fullmatch(line):
            of_language = marks.setdefault(section[1], [])
        elif line and not line.startswith("# "):
            weight, regex = line.split(maxsplit=1)
            of_language.append((float(weight), re.compile(regex, re.MULTILINE)))
    return marks


def _count(pattern: re.Pattern[str], text: str) -> int:
    count = 0
    for _ in pattern.finditer(text):
        count += 1
        if count == _CAP:
            break
    return count


def is_session(text: str) -> bool:
    """Whether a text bears several marks of what a terminal shows: prompts, tracebacks, logs, test runs."""
    sample = text[:_SAMPLE].replace("\r\n", "\n")
    points = sum(weight * _count(pattern, sample) for weight, pattern in _marks()[SESSION])
    return points >= _SURE_SESSION


def _without_blocks(text: str) -> str:
    """The text without the comments between `/*` and `*/` that start a line."""
    kept = []
    at = 0
    while opening := _BLOCK_COMMENT.search(text, at):
        kept.append(text[at : opening.start()])
        end = text.find("*/", opening.end())
        at = end + 2 if end >= 0 else len(text)
    return "".join((*kept, text[at:]))


def _is_lines_of_data(sample: str) -> bool:
    """Whether six lines in ten are keys or items, as in YAML; comments and the text below `|` aside."""
    lines = fit = 0
    text_deeper_than = -1
    for line in sample.split("\n"):
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if not bare or bare.startswith("#") or 0 <= text_deeper_than < indent:
            continue
        if bare.endswith(("{", ";")):
            return False
        text_deeper_than = indent if _TEXT_FOLLOWS.search(bare) else -1
        lines += 1
        fit += _DATA_LINE.match(line) is not None
    return lines >= 2 and 10 * fit >= 6 * lines
