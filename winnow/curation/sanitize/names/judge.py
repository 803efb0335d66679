"""Whether a candidate is a person: its words, what stands beside it, and what the model says."""

import re

from winnow.curation.sanitize.names.cues import denies_person, hints_person, says_person
from winnow.curation.sanitize.names.shapes import Candidate

_NAMED = ("given", "unknown", "either")
_CAST = frozenset({"alice", "bob"})
"""Who appears in examples of cryptography and of everything else."""
_QUOTED = re.compile(r"[\"'“‘«(>\[,;|\t][ ]?\Z")
_AFTER_QUOTED = frozenset("\"'”’»)<],;|\t")
_WORD_BEFORE = re.compile(r"[a-z]{2,}[ ]\Z|[a-z]:[ ]\Z")
_WORD_AFTER = re.compile(r"(?:['’]s)?,?[ ](?:[a-z]{2}|--?[ ]|[/(])")
_ARTICLE = re.compile(r"(?i)(?<!\w)(?:the|an?|this|each|every|some|any)[ ]\Z")
"""No name of a person follows an article."""


def needs_model(text: str, candidate: Candidate) -> bool:
    """Whether the answer depends on what the model says."""
    return len({decide(text, candidate, label) for label in (None, "PERSON", "LOCATION", "ORGANIZATION")}) > 1


def decide(text: str, candidate: Candidate, label: str | None) -> float | None:
    """The confidence that a person is meant, None where not. `label` is the model's, None where it has none."""
    start, end = candidate.start, candidate.end
    if denies_person(text, start, end):
        return None
    cued = says_person(text, start, end)
    if candidate.lower:
        return _lower(candidate, cued, label)
    if candidate.is_single:
        return _single(text, candidate, cued, label)
    named = all(kind in _NAMED for kind in candidate.kinds)
    if (
        not named
        and "given" not in candidate.kinds
        and denies_person(text, start, text.rfind(" ", start, end))
    ):
        return None
    if "given" in candidate.kinds:
        return _with_given_name(text, candidate, cued, named, label)
    if cued or (named and text[max(0, start - 3) : start] == "by "):
        return 0.8 if named or label != "LOCATION" else None
    if _ARTICLE.search(text[max(0, start - 5) : start]):
        return None
    return _without_given_name(text, candidate, named, label)


def _without_given_name(text: str, candidate: Candidate, named: bool, label: str | None) -> float | None:
    """Two or more words of which none is sure to be a given name, and nothing beside them that tells."""
    start, end = candidate.start, candidate.end
    if label == "PERSON":
        return 0.8 if named else 0.7 if candidate.kinds[0] in _NAMED and _in_prose(text, start, end) else None
    if label is not None:
        return None
    if named and not candidate.initials:
        if hints_person(text, start, end):
            return 0.65
        return 0.6 if _in_prose(text, start, end) or _is_quoted(text, start, end) else None
    return 0.6 if candidate.kinds[0] == "unknown" and text[max(0, start - 3) : start] == "by " else None


def _with_given_name(
    text: str, candidate: Candidate, cued: bool, named: bool, label: str | None
) -> float | None:
    if named:
        return 0.95 if cued else 0.85
    if cued or label == "PERSON":
        return 0.9
    start, end = candidate.start, candidate.end
    told = hints_person(text, start, end) or _is_quoted(text, start, end)
    return 0.75 if candidate.kinds[0] == "given" and told else None


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether quotes, brackets or separators stand on both sides."""
    return (
        _QUOTED.search(text[max(0, start - 2) : start]) is not None and text[end : end + 1] in _AFTER_QUOTED
    )


def _single(text: str, candidate: Candidate, cued: bool, label: str | None) -> float | None:
    kind = candidate.kinds[0]
    if kind == "given" and text[candidate.start : candidate.end].lower() not in _CAST:
        return 0.85 if cued else 0.75 if label == "PERSON" else None
    return 0.65 if cued and label == "PERSON" else None


def _lower(candidate: Candidate, cued: bool, label: str | None) -> float | None:
    if "given" not in candidate.kinds:
        return 0.65 if cued and label == "PERSON" else None
    if len(candidate.kinds) > 1:
        return 0.8 if cued or label == "PERSON" else None
    return 0.7 if cued else None


def _in_prose(text: str, start: int, end: int) -> bool:
    """Whether a word in lower case stands right before or after, or nothing else on the line: no table or heading."""
    if _WORD_BEFORE.search(text[max(0, start - 4) : start]) or _WORD_AFTER.match(text[end : end + 6]):
        return True
    return text[start - 1 : start] in ("", "\n") and text[end : end + 1] in ("", "\n")
