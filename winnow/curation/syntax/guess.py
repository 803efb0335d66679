"""The language of a file or of a fenced block, and how sure that is."""

from dataclasses import dataclass
from typing import Literal

from winnow.curation.syntax.content import SESSION, by_content, is_session
from winnow.curation.syntax.names import SESSIONS, TAGS, by_name, by_shebang, suffixes, tag_of

_BY_NAME, _BY_SHEBANG, _BY_TAG = 0.98, 0.97, 0.95
_AMBIGUOUS = {"c": frozenset({"cpp"}), "typescript": frozenset({"html"})}
"""Languages whose suffix another one shares (`.h`; `.ts` of Qt); looks decide there."""
_PLAIN = frozenset({"text"})


@dataclass(frozen=True, slots=True)
class Guess:
    """A language by the names of `winnow.curation.normalize.language`, or None.

    `confidence` is the share of such guesses expected right; `by` tells what decided.
    """

    language: str | None
    confidence: float
    by: Literal["tag", "name", "shebang", "content", "none"]


NOTHING = Guess(None, 0.0, "none")


def language_of_file(name: str | None, text: str) -> Guess:
    r"""By name, else by the shebang, else by looks.

    >>> language_of_file("a.py", "").language, language_of_file(None, "#!/bin/sh\nls").by
    ('python', 'shebang')
    """
    if language := by_name(name) if name else None:
        if rivals := _AMBIGUOUS.get(language):
            looks = by_content(text)
            if looks.language in rivals:
                return Guess(looks.language, looks.confidence, "content")
        return Guess(language, _BY_NAME, "name")
    if language := by_shebang(text):
        return Guess(language, _BY_SHEBANG, "shebang")
    return _by_looks(text)


def language_of_fence(tag: str, body: str) -> Guess:
    """By the first word of the info string, else by the shebang, else by looks.

    A tag that says no more than "text" is taken at its word only where the looks say nothing. One that names
    a language is not believed of what a terminal showed: a traceback is often filed under `python` or `sh`.

    >>> language_of_fence("py title=x", "").language, language_of_fence("console", "$ ls").language
    ('python', None)
    """
    word = tag_of(tag)
    language = suffixes().get(word) if word.startswith(".") else TAGS.get(word)
    if word in SESSIONS:
        return Guess(None, _BY_TAG, "tag")
    if language is not None and language not in _PLAIN:
        return NOTHING if is_session(body) else Guess(language, _BY_TAG, "tag")
    if shebang := by_shebang(body):
        return Guess(shebang, _BY_SHEBANG, "shebang")
    looks = _by_looks(body)
    return Guess(language, _BY_TAG, "tag") if language and looks.language is None else looks


def _by_looks(text: str) -> Guess:
    looks = by_content(text)
    if looks.language in (None, SESSION):
        return NOTHING
    return Guess(looks.language, looks.confidence, "content")
