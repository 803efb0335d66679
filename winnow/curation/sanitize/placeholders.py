"""What stands where something was found: typed, equal for equal values of a row, and no harm to code."""

import hashlib
import hmac
from collections.abc import Callable, Mapping

from winnow.core.identity import canonical
from winnow.curation.sanitize.policy import Action
from winnow.curation.sanitize.scan import Hit

Placeholder = Callable[[Hit], str]


class Placeholders:
    """The placeholders of one row: `<EMAIL_ADDRESS_1>`, or with a keyed hash where the value is pseudonymized.

    Equal values of a category get the same one, numbered in order of first use. `bare` leaves the angle
    brackets away, which makes a name that code can hold where a value stood outside of a string.
    """

    def __init__(self, actions: Mapping[str, Action], key: bytes | None) -> None:
        self._actions, self._key = actions, key
        self._numbers: dict[tuple[str, str], int] = {}
        self._last: dict[str, int] = {}

    def __call__(self, hit: Hit, bare: bool = False) -> str:
        category = hit.detector.category
        name = f"{category.upper()}_{self._suffix(category, hit.value)}"
        return name if bare else f"<{name}>"

    def _suffix(self, category: str, value: str) -> str:
        if self._actions[category] == "pseudonymize":
            return fingerprint(self._key or b"", category, value)[:12]
        known = (category, value)
        if known not in self._numbers:
            self._last[category] = self._numbers[known] = self._last.get(category, 0) + 1
        return str(self._numbers[known])


def fingerprint(key: bytes, category: str, value: str) -> str:
    """HMAC-SHA256 of a value under its category: equal wherever the same secret stands."""
    return hmac.new(key, canonical([category, value]), hashlib.sha256).hexdigest()
