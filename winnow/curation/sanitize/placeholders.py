"""What stands where something was found: typed, equal for equal values of a row, and no harm to code."""

import hashlib
import hmac
import re
from collections.abc import Callable, Collection, Iterable, Mapping

from winnow.core.identity import canonical
from winnow.curation.sanitize.policy import Action
from winnow.curation.sanitize.scan import Hit

_NAME = re.compile(r"[A-Z][A-Z_]*_\d+")


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """What looks like a placeholder in the strings of a row before anything is replaced."""
    return frozenset(name for text in texts for name in _NAME.findall(text))


Placeholder = Callable[[Hit], str]


class Placeholders:
    """The placeholders of one row: `<EMAIL_ADDRESS_1>`, or with a keyed hash where the value is pseudonymized.

    Equal values of a category get the same one, numbered in order of first use; none is one of `taken`, the
    names that the row holds already. `bare` leaves the angle brackets away, which makes a name that code can
    hold where a value stood outside of a string.
    """

    def __init__(
        self, actions: Mapping[str, Action], key: bytes | None, taken: Collection[str] = frozenset()
    ) -> None:
        self._actions, self._key, self._taken = actions, key, taken
        self._numbers: dict[tuple[str, str], int] = {}
        self._last: dict[str, int] = {}

    def __call__(self, hit: Hit, bare: bool = False) -> str:
        category = hit.detector.category
        name = f"{category.upper()}_{self._suffix(category, hit.value)}"
        if hit.quoted:
            return f'"<{name}>"'
        return name if bare or hit.bare else f"<{name}>"

    def _suffix(self, category: str, value: str) -> str:
        if self._actions[category] == "pseudonymize":
            return fingerprint(self._key or b"", category, value)[:12]
        known = (category, value)
        if known not in self._numbers:
            number = self._last.get(category, 0) + 1
            while f"{category.upper()}_{number}" in self._taken:
                number += 1
            self._last[category] = self._numbers[known] = number
        return str(self._numbers[known])


def fingerprint(key: bytes, category: str, value: str) -> str:
    """HMAC-SHA256 of a value under its category: equal wherever the same secret stands."""
    return hmac.new(key, canonical([category, value]), hashlib.sha256).hexdigest()
