"""What becomes of a row in which something was found: by category, with defaults that docs/sanitize.md argues."""

from collections.abc import Mapping
from typing import Literal

Action = Literal["drop", "redact", "pseudonymize", "flag"]
ACTIONS: tuple[Action, ...] = ("drop", "redact", "pseudonymize", "flag")
"""From the strongest to the weakest; the strongest of a row's findings decides its verdict."""

_POLLUTION = (
    "attribution",
    "internal_path",
    "internal_directory",
    "daemon_name",
    "own_identifier",
    "commit_message",
)
DROPPED = frozenset({*_POLLUTION, "private_key"})


def action_of(category: str, policies: Mapping[str, Action]) -> Action:
    """The configured action, else the default: pollution and private keys drop the row, the rest is redacted."""
    default: Action = "drop" if category in DROPPED else "redact"
    return policies.get(category, default)


def strongest(actions: "list[Action]") -> Action:
    """The action that decides the verdict of a row. Raises ValueError for no action at all."""
    return min(actions, key=ACTIONS.index)
