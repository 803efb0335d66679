"""Detectors of what an organisation profile names: its paths, directories, daemons, repositories, commit messages."""

import re
from collections.abc import Callable, Iterator, Sequence

from winnow.curation.sanitize.detector import Detector, pattern
from winnow.curation.sanitize.organisation import Organisation

CATEGORIES = ("internal_path", "internal_directory", "daemon_name", "own_identifier", "commit_message")
_PATH_REST = r"(?:[\\/]{1,4}[\w.\-@+~]{1,255}){0,64}+"
_BEFORE_WORD, _AFTER_WORD = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
_SEPARATOR = r"[\\/]{1,4}"


def internal_detectors(profile: Organisation) -> tuple[Detector, ...]:
    """One detector for each list that is not empty."""
    made = (
        _detector("internal_path", "named_home", profile.users, _homes),
        _detector("internal_path", "service_home", profile.service_homes, _paths),
        _detector("internal_path", "state_folder", profile.state_folders, _folders),
        _detector("internal_directory", "directory", profile.directories, _directories),
        _detector("daemon_name", "daemon", profile.daemons, _words, any_case=True),
        _detector("own_identifier", "repository", profile.repositories, _words, any_case=True),
        _detector("own_identifier", "model", profile.models, _words, any_case=True),
        _detector("commit_message", "machine_made", profile.commit_messages, _lines),
    )
    return tuple(detector for detector in made if detector is not None)


Search = Callable[[str], Iterator[tuple[int, int]]]


def _detector(
    category: str,
    name: str,
    names: Sequence[str],
    make: Callable[[Sequence[str]], Search],
    any_case: bool = False,
) -> Detector | None:
    if not names:
        return None
    clues = [max(re.split(r"[*\\/]+", text), key=len) for text in names]
    trigger = f"(?i)(?:{_in_any_case(clues)})" if any_case else f"(?:{_either(clues)})"
    return Detector(category, name, (), make(names), trigger=trigger)


def _either(names: Sequence[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def _in_any_case(names: Sequence[str]) -> str:
    """An alternation in which letters beyond ASCII stand in both cases: engines of bytes fold only ASCII."""

    def spelled(name: str) -> str:
        letters = (
            re.escape(c) if c.isascii() else f"(?:{re.escape(c.lower())}|{re.escape(c.upper())})"
            for c in name
        )
        return "".join(letters)

    return "|".join(spelled(name) for name in sorted(names, key=len, reverse=True))


def _homes(users: Sequence[str]) -> Search:
    root = rf"(?:{_SEPARATOR}(?:home|Users)|[A-Za-z]:{_SEPARATOR}Users)"
    return pattern(rf"(?<![\w.]){root}{_SEPARATOR}(?:{_either(users)})(?![\w-]){_PATH_REST}")


def _paths(paths: Sequence[str]) -> Search:
    return pattern(rf"(?<![\w./\\])(?:{_either(paths)})(?![\w-]){_PATH_REST}")


def _folders(folders: Sequence[str]) -> Search:
    rooted = [folder for folder in folders if re.match(r"[/~]|[A-Za-z]:", folder)]
    named = [folder for folder in folders if folder not in rooted]
    parts = [rf"(?<![\w./\\])(?:{_either(rooted)})"] if rooted else []
    if named:
        homes = rf"(?:/home|/Users|[A-Za-z]:{_SEPARATOR}Users){_SEPARATOR}[\w.\-]{{1,64}}"
        root = rf"(?:~|\$HOME|\$\{{HOME\}}|%USERPROFILE%|/root|{homes})"
        parts.append(rf"{root}{_SEPARATOR}(?:{_either(named)})")
    return pattern(rf"(?:{'|'.join(parts)})(?![\w-]){_PATH_REST}")


def _directories(names: Sequence[str]) -> Search:
    either = _either(names)
    return pattern(rf"(?<=[\\/])(?:{either})(?![\w.\-])|(?<![\w.\-\\/])(?:{either})(?=[\\/])")


def _words(names: Sequence[str]) -> Search:
    return pattern(rf"(?i:{_BEFORE_WORD}(?:{_either(names)}){_AFTER_WORD})")


def _lines(globs: Sequence[str]) -> Search:
    wanted = [glob.strip().split("*") for glob in globs]

    def search(text: str) -> Iterator[tuple[int, int]]:
        at = 0
        for line in text.split("\n"):
            stripped = line.strip()
            if any(_is_like(stripped, parts) for parts in wanted):
                start = at + line.index(stripped)
                yield start, start + len(stripped)
            at += len(line) + 1

    return search


def _is_like(line: str, parts: Sequence[str]) -> bool:
    """Whether a line is `parts` in this order with anything between them, from its start to its end."""
    if len(parts) == 1:
        return line == parts[0]
    first, *middle, last = parts
    if not line.startswith(first) or len(line) < len(first) + len(last) or not line.endswith(last):
        return False
    at, end = len(first), len(line) - len(last)
    for part in middle:
        found = line.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
