"""When the whole of a short text is evidence: a short question or solution is met by chance as well."""

import re

from winnow.curation.decontaminate.benchmarks import Item
from winnow.curation.decontaminate.index import Match, N
from winnow.curation.decontaminate.ngrams import tokens

TELLING = 12
"""A question of so many tokens is evidence without the name of its function, if enough of them are words."""
_WORDS = 5
NEAR = 50
"""How far from a short solution the name of its function may stand, in tokens."""
_SHORTEST_NAME = 3


def is_backed(item: Item, match: Match, offered: str) -> bool:
    """Whether a row that holds the whole of a short field holds the item.

    `offered` is the text of the row, then its tools. A question counts where it is long enough to tell, or
    where the row names a function that the item asks for. A solution of at least ten tokens counts where the
    name of its function stands near. Tests alone never do.
    """
    if match.field.name == "prompt":
        words = {word for word in tokens(item.prompt) if word.isalpha()}
        telling = len(match.field.ids) >= TELLING and len(words) >= _WORDS
        return telling or any(_names(name, offered) for name in item.names)
    if match.field.name == "solution" and len(match.field.ids) >= N:
        found = tokens(offered)
        windows = (found[max(0, place - NEAR) : place + NEAR] for place in match.places.tolist())
        near = {word for window in windows for word in window}
        return any(name.lower() in near for name in item.names)
    return False


def _names(name: str, text: str) -> bool:
    return len(name) >= _SHORTEST_NAME and bool(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text))
