"""The scripts that run in boxes: they need nothing of ours, and they keep to the protocol."""

import marshal
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from winnow.sandbox import wire
from winnow.sandbox.guests import script


def constants(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from constants(constant)


@pytest.mark.parametrize("name", ["program", "tests"])
def test_a_script_imports_nothing_of_ours_and_nothing_slow(name: str):
    names = {word for code in constants(marshal.loads(script(name)[16:])) for word in code.co_names}
    assert "write_frame" in names
    assert names.isdisjoint({"winnow", "winnow.sandbox.wire", "typing", "Any"})


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[object]:
    """Starts a guest outside of any box and gives its two pipes."""
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str) -> tuple[int, int]:
        file = tmp_path / "guest.pyc"
        file.write_bytes(script(name))
        command = [sys.executable, "-I", "-S", str(file)]
        started.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0))
        return started[-1].stdin.fileno(), started[-1].stdout.fileno()

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_program_answers_what_it_is_asked_by_number(talk):
    asking, answers = talk("program")
    wire.write_frame(asking, wire.LOAD, 0, b"def half(n):\n    print('noise')\n    return n / 2\n")
    assert wire.read_frame(answers) == (wire.LOADED, 0, b"")
    for number, (args, kind, value) in enumerate(
        [((4,), wire.ANSWER, 2.0), (("x",), wire.RAISED, "TypeError"), ((5,), wire.ANSWER, 2.5)]
    ):
        wire.write_frame(asking, wire.CALL, number, wire.encode(("half", args, {})))
        assert wire.read_frame(answers) == (kind, number, wire.encode(value))


def test_a_program_that_does_not_load_says_why(talk):
    asking, answers = talk("program")
    wire.write_frame(asking, wire.LOAD, 0, b"def half(n) return n")
    assert wire.read_frame(answers) == (wire.RAISED, 0, wire.encode("SyntaxError"))


def test_tests_ask_and_judge_and_the_next_set_starts_afresh(talk):
    asking, said = talk("tests")
    tests = "import math\nmath.pi = 3\ndef check(candidate):\n    assert candidate(1) == 2"
    for number, (answer, end) in enumerate([(2, wire.PASSED), (3, wire.FAILED)]):
        wire.write_frame(asking, wire.TEST, number, wire.encode(("", tests, "f", 5)))
        assert wire.read_frame(said) == (wire.CALL, 1, wire.encode(("f", (1,), {})))
        wire.write_frame(asking, wire.ANSWER, 1, wire.encode(answer))
        assert wire.read_frame(said)[:2] == (end, number)
        assert wire.read_frame(said) == (wire.OVER, number, wire.encode(0))
    fresh = "import math\ndef check(candidate):\n    assert math.pi > 3.1"
    wire.write_frame(asking, wire.TEST, 7, wire.encode(("", fresh, "f", 5)))
    assert wire.read_frame(said)[0] == wire.PASSED
