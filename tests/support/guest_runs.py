"""Questions to a box about functions of written modules, and the answers that many tests expect."""

from documented_rows import WrittenModules

from winnow.curation.preference.doctests import Outcome
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.runner import Runner
from winnow.curation.preference.trials import Run

PASSED, WRONG = Run("ok", Outcome(True)), Run("ok", Outcome(False, 0, "value"))
RAISED = Run("ok", Outcome(False, 0, "exception"))


def plain(modules: WrittenModules) -> DocumentedFunction:
    return modules.function('def f(a):\n    """\n    >>> f(1)\n    2\n    """\n    return a + 1\n')


def ask(runner: Runner, function: DocumentedFunction, old: str = "", new: str = "") -> Run:
    """Runs the function with `new` in the place of `old` in its text."""
    assert old in function.text
    return runner.ask(function, function.text.replace(old, new))
