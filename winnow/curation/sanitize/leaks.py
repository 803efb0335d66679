"""The detectors as a question: does this text, which a model wrote, hold anything private?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from winnow.core.errors import DataError
from winnow.curation.sanitize.config import SanitizeConfig
from winnow.curation.sanitize.finder import finder
from winnow.curation.sanitize.placeholders import fingerprint


@dataclass(frozen=True)
class Leak:
    """A span of code points, half-open, what is there, and a keyed hash that finds it in the training data.

    `fingerprint` equals that of `findings` for the same value, so a leak is traced to the rows that held it.
    """

    category: str
    detector: str
    start: int
    end: int
    fingerprint: str | None


LeakCheck = Callable[[Sequence[str]], list[list[Leak]]]


def leak_check(config: SanitizeConfig) -> LeakCheck:
    """A check of texts in chat form by every detector of a configuration; one list of leaks a text.

    It raises DataError for a text that exceeds the budget of a row: what was not read is not clean.
    """
    key = config.fingerprint_key.get_secret_value().encode() if config.fingerprint_key else None

    def row(text: str) -> dict[str, object]:
        return {"kind": "sft", "language": None, "messages": [{"role": "assistant", "content": text}]}

    def check(texts: Sequence[str]) -> list[list[Leak]]:
        leaks = []
        for number, found in enumerate(finder(config).find([row(text) for text in texts])):
            if found.parked:
                raise DataError(
                    f"text {number} cannot be checked for leaks ({found.parked}). "
                    "Raise max_row_characters or max_name_characters, or shorten it"
                )
            hits = sorted(found.hits.get("/messages/0/content", ()), key=lambda hit: (hit.start, hit.end))
            leaks.append(
                [
                    Leak(
                        hit.detector.category,
                        hit.detector.detector,
                        hit.start,
                        hit.end,
                        fingerprint(key, hit.detector.category, hit.value) if key else None,
                    )
                    for hit in dict.fromkeys(hits)
                ]
            )
        return leaks

    return check
