"""Ways to look as if the tests passed. None does; the honest program, judged right after each, does."""

import subprocess
import sys

import pytest

from winnow.sandbox import Limits, Sandbox, unavailable
from winnow.sandbox.calls import judge

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=f"no sandbox here: {unavailable()}")
HONEST = "def add(a, b):\n    return a + b\n"
SECRET = 918273645
TESTS = f"""
def check(candidate):
    assert candidate(1, 2) == 3
    assert candidate([1], [2]) == [1, 2]
    assert candidate("a", "b") == "ab"
    assert candidate({SECRET}, 0) == {SECRET}
"""
LIMITS = Limits(wall_seconds=3, cpu_seconds=2)
# What the guest of the tests would write to say that they passed, for any number.
FORGED = """
import os, struct
def forged(kind, number, payload=b"s\\x00\\x00\\x00\\x06passed"):
    return struct.pack(">IBI", len(payload), ord(kind), number) + payload
def everywhere(data):
    for fd in range(64):
        try: os.write(fd, data)
        except OSError: pass
"""
CHEATS = {
    "exit 0 on load": "import sys; sys.exit(0)",
    "exit 0 in the call": "import sys\ndef add(a, b): sys.exit(0)",
    "os._exit(0) on load": "import os; os._exit(0)",
    "os._exit(0) in the call": "import os\ndef add(a, b): os._exit(0)",
    "os._exit(0) after the first answer": """
import os
seen = []
def add(a, b):
    seen.append(1)
    if len(seen) > 1: os._exit(0)
    return a + b if len(seen) == 1 else None
""",
    "AssertionError is no exception any more": """
import builtins
class Quiet(BaseException): pass
builtins.AssertionError = Quiet
def add(a, b): return 0
""",
    "assert compiles to nothing": """
import builtins, ast
real = builtins.compile
builtins.compile = lambda s, *a, **k: real("pass", "x", "exec")
builtins.exec = lambda *a, **k: None
def add(a, b): return 0
""",
    "an object equal to everything": """
class Any:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
def add(a, b): return Any()
""",
    "an int equal to everything": """
class Int(int):
    def __eq__(self, other): return True
    def __req__(self, other): return True
    __hash__ = int.__hash__
def add(a, b): return Int(0)
""",
    "a str, a list and a dict equal to everything": """
def made(base): return type("X", (base,), {"__eq__": lambda s, o: True, "__ne__": lambda s, o: False, "__hash__": None})
def add(a, b): return made(type(a) if type(a) in (str, list) else float)()
""",
    "a class whose type claims to be int": """
class Meta(type):
    def __instancecheck__(self, other): return True
    def __eq__(self, other): return True
    __hash__ = type.__hash__
class X(metaclass=Meta):
    __class__ = int
    def __eq__(self, other): return True
def add(a, b): return X()
""",
    "nan": "def add(a, b): return float('nan')",
    "a child that prints ok": """
import os
def add(a, b):
    if os.fork() == 0:
        print("ok\\npassed\\nPASSED"); os._exit(0)
    return 0
""",
    "the passed message on every descriptor at load": FORGED
    + "for n in range(6): everywhere(forged('P', n))\ndef add(a, b): return 0",
    "the passed message on every descriptor in the call": FORGED
    + "def add(a, b):\n    for n in range(6): everywhere(forged('P', n))\n    return 0",
    "the passed message as the answer": FORGED
    + """
import __main__
def write(fd, kind, number, payload=b""):
    os.write(fd, forged("P", number))
def add(a, b):
    __main__.write_frame = write
    return 0
""",
    "the end of the tests as the answer": FORGED
    + """
import __main__
def write(fd, kind, number, payload=b""):
    os.write(fd, forged("P", number) + forged("O", number, b"i\\x00\\x00\\x00\\x01\\x00"))
def add(a, b):
    __main__.write_frame = write
    return 0
""",
    "a child that answers in its place": FORGED
    + """
def add(a, b):
    if os.fork() == 0:
        for n in range(9): everywhere(forged("A", n, b"i\\x00\\x00\\x00\\x01\\x03"))
        os._exit(0)
    import time; time.sleep(0.2)
    return 0
""",
    "a patched encoder": """
import __main__
__main__.encode = lambda value: b"T"
def add(a, b): return 0
""",
    "a patched os.write and struct.pack": """
import os, struct
real = os.write
os.write = lambda fd, data: real(fd, bytes(data).replace(b"A", b"P"))
def add(a, b): return 0
""",
    # Backwards, so that no cheat finds itself.
    "reads the tests in the frames below": """
import sys
kram = "(etadidnac tressa"
def add(a, b):
    frame = sys._getframe()
    while frame:
        for value in [*frame.f_locals.values(), *frame.f_globals.values(), *frame.f_code.co_consts]:
            if kram[::-1] in repr(value): return a + b
        frame = frame.f_back
""",
    "reads the tests out of memory": """
import gc
kram = "(etadidnac tressa"
def add(a, b):
    for value in gc.get_objects():
        if isinstance(value, (str, dict, list, tuple)) and kram[::-1] in str(value): return a + b
""",
    "reads the tests from files": """
import os
def add(a, b):
    for top in ("/tmp", "/proc", "/dev", "/etc", "/home", "/var"):
        for folder, _, files in os.walk(top):
            for name in files:
                try: text = open(os.path.join(folder, name), "rb").read(1 << 16)
                except OSError: continue
                if b"def check(" + b"candidate)" in text: return a + b
""",
    "unittest and pytest exits patched": """
import sys
sys.modules["pytest"] = sys.modules["unittest"] = type(sys)("pytest")
sys.modules["pytest"].main = sys.modules["pytest"].exit = lambda *a, **k: 0
sys.exit = exit = quit = lambda *a: None
def add(a, b): return 0
""",
    "atexit": "import atexit, os\natexit.register(lambda: os._exit(0))\ndef add(a, b): raise SystemExit(0)",
    "a thread that ends the process well": """
import os, threading, time
def end(): time.sleep(0.05); os._exit(0)
threading.Thread(target=end).start()
def add(a, b): time.sleep(0.5); return 0
""",
    "settrace": """
import sys
def trace(frame, event, arg):
    if event == "exception": sys.exit(0)
    frame.f_trace_lines = False
    return trace
sys.settrace(trace)
def add(a, b): return 0
""",
    "SystemExit in the call": "def add(a, b): raise SystemExit(0)",
    "KeyboardInterrupt in the call": "def add(a, b): raise KeyboardInterrupt",
    "GeneratorExit in the call": "def add(a, b): raise GeneratorExit",
    "StopIteration in the call": "def add(a, b): raise StopIteration",
    "an exception named as one that is swallowed": """
class Skipped(Exception): pass
Skipped.__name__ = "SkipTest"
def add(a, b): raise Skipped
""",
    "an exception whose name lies": """
class Meta(type):
    __name__ = property(lambda self: 0 / 0)
class Odd(BaseException, metaclass=Meta): pass
def add(a, b): raise Odd
""",
    "hangs": "import time\ndef add(a, b): time.sleep(99)",
    "hangs, then answers late": "import time\ndef add(a, b): time.sleep(3.2); return a + b",
    "answers twice": FORGED
    + """
def add(a, b):
    for n in (1, 2, 3, 4): everywhere(forged("A", n, b"i\\x00\\x00\\x00\\x01\\x03"))
    return a + b
""",
    "a malformed answer": FORGED
    + "def add(a, b):\n    everywhere(forged('A', 1, b'[' * 9999))\n    return a + b",
    "an answer of 4 GB": FORGED
    + "def add(a, b):\n    everywhere(b'\\xff\\xff\\xff\\xffA\\0\\0\\0\\1' + b'N' * 99999)\n    return a + b",
    "an answer that is too large": "def add(a, b): return 'x' * (9 << 20)",
    "an answer without end": "def add(a, b):\n    x = []\n    x.append(x)\n    return x",
    "an answer that changes after it was given": """
import threading, time
def add(a, b):
    given = [0]
    def change():
        time.sleep(0.1); given[:] = [a + b]
    threading.Thread(target=change).start()
    return given
""",
    "a generator": "def add(a, b): yield a + b",
    "endless recursion": "def add(a, b): return add(a, b)",
    "a signal handler that ends well": """
import os, signal
signal.signal(signal.SIGALRM, lambda *a: os._exit(0))
signal.setitimer(signal.ITIMER_REAL, 0.05)
def add(a, b):
    while True: pass
""",
    "ignores every signal and spins": """
import signal
for n in range(1, 65):
    try: signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError): pass
def add(a, b):
    while True: pass
""",
    "another function under the name": "add = print",
    "no such function": "def sub(a, b): return a - b",
    "the function is a class equal to everything": "class add:\n    def __init__(s, *a): pass\n    def __eq__(s, o): return True",
    "closes every descriptor": "import os\ndef add(a, b):\n    os.closerange(0, 64)\n    return a + b",
    "kills its parent and itself": "import os\ndef add(a, b):\n    os.kill(1, 9); os.kill(os.getppid(), 9); os.kill(0, 9)",
    "answers by table from the arguments": "def add(a, b): return {1: 3}.get(a if isinstance(a, int) else 0, a)",
}


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(slots=1) as opened:
        yield opened


def test_there_are_at_least_twenty():
    assert len(CHEATS) >= 20


@pytest.mark.parametrize("name", CHEATS)
def test_no_cheat_passes_and_the_next_program_is_judged_fairly(sandbox: Sandbox, name: str):
    verdict = judge(sandbox, CHEATS[name], TESTS, "add", limits=LIMITS)
    assert not verdict.passed
    assert verdict.reason.startswith(("failed: ", "limit: ")), verdict
    assert judge(sandbox, HONEST, TESTS, "add", limits=LIMITS).reason == "passed"
    assert not judge(sandbox, HONEST.replace("+", "-"), TESTS, "add", limits=LIMITS).passed


def test_an_exception_cannot_end_a_loop_of_the_tests_early(sandbox: Sandbox):
    """`all(map(…))` takes a StopIteration of its function for the end of the sequence."""
    tests = "def check(candidate):\n    assert all(map(lambda n: candidate(n, 1) == n + 1, range(3)))"
    for name in ("StopIteration", "StopAsyncIteration", "GeneratorExit", "SystemExit"):
        verdict = judge(sandbox, f"def add(a, b): raise {name}", tests, "add", limits=LIMITS)
        assert verdict.reason == "failed: CallFailed", name
    assert judge(sandbox, HONEST, tests, "add", limits=LIMITS).passed


def test_tests_that_judge_nothing_do_not_pass(sandbox: Sandbox):
    for tests, reason in [
        ("", "tests: no function `check`"),
        ("def check(candidate): assert", "tests: SyntaxError"),
        ("import nowhere\ndef check(candidate): pass", "tests: ModuleNotFoundError"),
        ("import os\ndef check(candidate): os._exit(0)", "tests: ended with 0"),
        ("def check(candidate): candidate(len, 1)", "tests: WireError"),
    ]:
        verdict = judge(sandbox, HONEST, tests, "add", limits=LIMITS)
        assert (verdict.passed, verdict.reason) == (False, reason)


def test_an_answer_that_is_too_much_for_the_tests_is_the_programs_failure(sandbox: Sandbox):
    """Were it theirs, a model could keep a benchmark from ever having a score."""
    tests = "def check(candidate):\n    assert 'x' * candidate() == ''\n"
    verdict = judge(sandbox, "def f(): return 2 ** 31", tests, "f")
    assert (verdict.passed, verdict.reason) == (False, "failed: MemoryError")


def test_a_program_may_raise_what_its_tests_expect(sandbox: Sandbox):
    tests = """
def check(candidate):
    try:
        candidate(1, 0)
    except ZeroDivisionError:
        return
    assert False
"""
    assert judge(sandbox, "def add(a, b): return a / b", tests, "add", limits=LIMITS).passed
    assert judge(sandbox, HONEST, tests, "add", limits=LIMITS).reason == "failed: assertion"


def test_a_verdict_does_not_hang_on_the_order_of_a_set(sandbox: Sandbox):
    order = "list({'a', 'b', 'c', 'd', 'e', 'f'})"
    seeded = subprocess.run(
        [sys.executable, "-S", "-c", f"print({order})"],
        env={"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
    )
    tests = f"def check(candidate):\n    assert candidate() == {seeded.stdout}"
    for _ in range(3):
        assert judge(sandbox, f"def f(): return {order}", tests, "f", limits=LIMITS).reason == "passed"


def test_helpers_are_given_to_the_tests(sandbox: Sandbox):
    helpers = "def twice(n):\n    return 2 * n\ndef add(a, b):\n    '''the prompt'''\n"
    tests = "def check(candidate):\n    assert twice(candidate(1, 2)) == 6\n    assert add(1, 2) == 3"
    assert judge(sandbox, HONEST, tests, "add", helpers, LIMITS).reason == "passed"
