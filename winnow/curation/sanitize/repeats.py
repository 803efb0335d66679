"""A secret that a name or a place gave away, wherever else the row repeats it."""

from collections.abc import Iterator, Sequence

from winnow.curation.sanitize.scan import Hit, held, merged
from winnow.curation.sanitize.secrets.randomness import word_share

_CATEGORIES = frozenset({"assigned_secret", "jwt", "token", "webhook"})
_SHORTEST, _MOST = 8, 64
"""Characters of a value that is looked for again, and how many values of a row are."""
_WORDY = 0.6


def repeated(strings: Sequence[tuple[str, str]], hits: dict[str, list[Hit]]) -> Iterator[tuple[str, Hit]]:
    """Further occurrences of found secrets as whole tokens, with the path of their string.

    A value that is mostly words is not looked for: it may well be a word elsewhere.
    """
    values = {hit.value: hit for found in hits.values() for hit in found if _is_looked_for(hit)}
    known = {path: merged(found) for path, found in hits.items()}
    for value, hit in list(values.items())[:_MOST]:
        for path, text in strings:
            at = text.find(value)
            while at >= 0:
                end = at + len(value)
                again = Hit(at, end, hit.detector, value)
                if _stands_alone(text, at, end) and not held(again, known.get(path, [])):
                    yield path, again
                at = text.find(value, end)


def _is_looked_for(hit: Hit) -> bool:
    named = hit.detector.category in _CATEGORIES and len(hit.value) >= _SHORTEST
    return named and "\n" not in hit.value and word_share(hit.value) < _WORDY


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or after.isalnum() or before == "\\")
