"""Verdicts on programs, decided where the program cannot reach: its box answers calls, the tests run in another.

The parent relays questions and answers as plain values. A program sees neither tests nor expected values; what it
prints, patches or ends with changes its own box only, so the one way to pass is to give the right answers.
Arguments go by value: a function that changes its arguments in place is judged by what it returns.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from winnow.sandbox import wire
from winnow.sandbox.box import Sandbox, in_order
from winnow.sandbox.channel import Broken, Channel, Ended
from winnow.sandbox.guests import script
from winnow.sandbox.referee import COMMAND, Referee, referee
from winnow.sandbox.result import Limits, Result
from winnow.sandbox.running import Running

# How long a box that stopped talking is given to end, so that its result tells why.
_PATIENCE = 0.5


@dataclass(frozen=True)
class Verdict:
    """Whether the tests passed. `reason` begins with "passed", "failed", "limit", "tests" or "sandbox".

    "tests: …" tells that the tests themselves did not do their work, "sandbox: …" that nothing is known.
    """

    passed: bool
    reason: str


@dataclass(frozen=True)
class CallTest:
    """A program, and tests in HumanEval's form: `def check(candidate)`, which `helpers` may help."""

    program: str
    tests: str
    entry_point: str
    helpers: str = ""
    limits: Limits = field(default_factory=lambda: Limits())


def judge(
    sandbox: Sandbox,
    program: str,
    tests: str,
    entry_point: str,
    helpers: str = "",
    limits: Limits = Limits(),  # noqa: B008 frozen
) -> Verdict:
    """Whether `check` of the tests returns when it is given the program's function `entry_point`.

    `helpers` is source that the tests may use, such as the prompt, in which HumanEval defines some functions.
    Time and CPU are limited for program and tests each. Passing needs `check` to return in the tests' box.
    """
    with sandbox.slot() as slot, referee(sandbox) as judging:
        running = sandbox.start(slot, COMMAND, {"guest.pyc": script("program")}, limits)
        reason = None
        try:
            reason = _reason(running, judging, CallTest(program, tests, entry_point, helpers, limits))
        finally:
            running.wait(0.0 if reason else _PATIENCE)
            running.close_reason()
            result = running.end()
    return Verdict(reason == "passed", reason or _end(result))


def _reason(running: Running, judging: Referee, item: CallTest) -> str | None:
    """Why the tests pass or fail, or None where a box ended before that was known."""
    channel = Channel(running, [running], "failed")
    try:
        channel.send(wire.LOAD, 0, item.program.encode("utf-8", "surrogatepass"))
        kind, _, payload = channel.receive()
        if kind != wire.LOADED:
            return f"failed: {wire.decode(payload)}" if payload else "failed: an answer to another question"
        about = (item.helpers, item.tests, item.entry_point, item.limits.cpu_seconds)
        return judging.try_program(channel, *about)
    except Broken as broken:
        return str(broken)
    except Ended:
        return None


def _end(result: Result) -> str:
    if result.outcome in ("limit", "sandbox"):
        return f"{result.outcome}: {result.reason}"
    return "tests: their box ended" if result.reason == "closed" else f"failed: {result.reason}"


def judge_many(sandbox: Sandbox, items: Iterable[CallTest]) -> Iterator[Verdict]:
    """The verdicts in the order of the items, all slots busy."""

    def one(item: CallTest) -> Verdict:
        return judge(sandbox, item.program, item.tests, item.entry_point, item.helpers, item.limits)

    yield from in_order(one, items, sandbox.slots)
