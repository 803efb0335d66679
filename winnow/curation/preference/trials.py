"""Runs functions and their mutants in the sandbox, and says which make a pair."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from winnow.core.identity import digest
from winnow.curation.preference.config import PreferenceConfig
from winnow.curation.preference.doctests import Outcome
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.mutations import Mutant, mutants

State = Literal["ok", "import", "missing", "shape", "timeout", "died", "box"]
GUEST = Path(__file__).with_name("guest.py")

DOES_NOT_IMPORT, NOT_FOUND, TOO_SLOW = "does-not-import", "function-not-found", "doctest-too-slow"
DOES_NOT_PASS, FLAKY = "doctest-fails", "doctest-flaky"
NO_MUTANT, EQUIVALENT, MUTANT_FLAKY = "no-mutant", "equivalent-mutants", "mutant-flaky"
_RULES: dict[State, str] = {
    "import": DOES_NOT_IMPORT,
    "missing": NOT_FOUND,
    "shape": NOT_FOUND,
    "timeout": TOO_SLOW,
    "died": DOES_NOT_PASS,
    "box": DOES_NOT_PASS,
}


@dataclass(frozen=True)
class Run:
    """One text of a function with its examples, in one process under one hash seed."""

    state: State
    outcome: Outcome

    @property
    def passed(self) -> bool:
        return self.state == "ok" and self.outcome.passed

    @property
    def failed(self) -> bool:
        """Whether it gave a wrong answer or an exception; one that was cut off did not fail by itself."""
        return self.state == "ok" and not self.outcome.passed


@dataclass(frozen=True)
class Pair:
    """A function that passes and a mutant that fails, in every run; `tried` mutants were run to find it."""

    mutant: Mutant
    failure: Outcome
    tried: int


Ask = Callable[[DocumentedFunction, str], Run]
"""Runs a text in the place of a function."""


def try_function(function: DocumentedFunction, ask: Ask, config: PreferenceConfig) -> Pair | str:
    """The first mutant that fails where the original passes, or the rule by which there is none.

    A mutant that gives a wrong value is preferred to one that raises: among those tried it wins.
    """
    original = ask(function, function.text)
    if not original.passed:
        return _RULES.get(original.state, DOES_NOT_PASS)
    second_best: Pair | None = None
    tried = 0
    seed = digest([config.seed, function.row_id])
    for mutant in islice(mutants(function.text, seed), config.mutants_tried):
        tried += 1
        run = ask(function, mutant.text)
        if run.failed:
            pair = Pair(mutant, run.outcome, tried)
            if run.outcome.failure == "value":
                return pair
            second_best = second_best or pair
    if second_best is not None:
        return Pair(second_best.mutant, second_best.failure, tried)
    return EQUIVALENT if tried else NO_MUTANT


def confirm(function: DocumentedFunction, pair: Pair, ask: Ask) -> str | None:
    """None where the original passes and the mutant fails again; else the rule by which the pair goes."""
    if not ask(function, function.text).passed:
        return FLAKY
    return None if ask(function, pair.mutant.text).failed else MUTANT_FLAKY
