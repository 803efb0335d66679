"""Boxes that lie, hang or babble are replaced; what they say of themselves reaches no other function."""

import shutil
import tempfile
import time
from pathlib import Path

import pytest
from documented_rows import WrittenModules

from winnow.core.errors import RunError
from winnow.curation.preference import PreferenceConfig, runner
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.runner import Runner
from winnow.sandbox import Sandbox

BODY = 'def f(a):\n    """\n    >>> f(1)\n    2\n    """\n    return a + 1\n'
BABBLE = """
import os, threading, time
def say():
    for n in range(3, 40):
        try:
            os.set_blocking(n, False)
            os.write(n, {said})
        except OSError:
            continue
"""


def hostile(modules: WrittenModules, at_import: str) -> DocumentedFunction:
    """A function that passes, of a module that does something else as well."""
    function = modules.function(BODY)
    place = modules.folder / (function.module + ".py")
    place.write_text(f"{at_import}\n{BODY}", encoding="utf-8")
    return function


def asking(sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig) -> Runner:
    return Runner(sandbox, config, [modules.folder], 0, questions=20)


PATCHED = "import sys, json, os\nguest = sys.modules['__main__']\n"
LIES = {
    "a whole answer too much": BABBLE.format(said='b\'{"id": 1, "state": "ok", "outputs": []}\\n\'')
    + "say()",
    "half a line": BABBLE.format(said="b'{'") + "say()",
    "a line end": BABBLE.format(said="b'\\n'") + "say()",
    "later": BABBLE.format(said="b'{}\\n'") + "threading.Timer(0.1, say).start()",
    "another id": PATCHED + 'guest.json.dumps = lambda said: \'{"id": 7, "state": "ok", "outputs": []}\'',
    "no JSON": PATCHED + "guest.json.dumps = lambda said: '['",
    "deep JSON": PATCHED + "guest.json.dumps = lambda said: '[' * 100_000 + ']' * 100_000",
    "no bytes of UTF-8": PATCHED
    + "guest.json.dumps = lambda said: os.write(guest.channel[1], b'\\xff\\n') and ''",
    "another state": PATCHED + "guest.answer = lambda *a: {'state': 'fine', 'outputs': []}",
    "outputs of another kind": PATCHED + "guest.answer = lambda *a: {'state': 'ok', 'outputs': [1]}",
    "a word more": PATCHED + "guest.answer = lambda *a: {'state': 'ok', 'outputs': [], 'passed': True}",
    "no end of it": PATCHED + "\nwhile True: os.write(guest.channel[1], b'x' * 65536)",
    "the end": "import os; os._exit(0)",
    "closed": "import os; os.closerange(0, 100)",
}


@pytest.mark.parametrize("lie", LIES)
def test_a_box_that_lies_is_replaced_for_the_next_question(
    lie: str, sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig
):
    bad, good = hostile(modules, LIES[lie]), modules.function(BODY)
    with asking(sandbox, modules, config) as asked:
        assert asked.ask(good, good.text).passed
        assert not asked.ask(bad, bad.text).passed or lie == "later"
        if lie == "later":
            time.sleep(0.3)
        assert asked.ask(good, good.text).passed
        assert asked.ask(good, good.text.replace("+ 1", "+ 2")).failed
        assert asked.ask(good, good.text).passed


@pytest.mark.parametrize("at_import", ["import time; time.sleep(1000)", "while True: pass"])
def test_a_module_that_never_ends_to_import_is_waited_for_once(
    at_import: str,
    sandbox: Sandbox,
    modules: WrittenModules,
    config: PreferenceConfig,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(runner, "IMPORT_SECONDS", 1.0)
    bad, good = hostile(modules, at_import), modules.function(BODY)
    with asking(sandbox, modules, config) as asked:
        begin = time.monotonic()
        assert [asked.ask(bad, bad.text).state for _ in range(20)] == ["import"] * 20
        assert time.monotonic() - begin < 10
        assert asked.ask(good, good.text).passed


def test_an_example_that_ends_its_box_costs_no_one_else(
    sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(runner, "SLACK_SECONDS", 1.0)
    functions = modules.functions(
        '''
        import os, signal

        def bad(a):
            """
            >>> os.kill(os.getppid(), signal.SIGKILL); bad(1)
            2
            """
            return a + 1

        def worse(a):
            """
            >>> os.kill(os.getppid(), signal.SIGSTOP); worse(1)
            2
            """
            return a + 1

        def greedy(a):
            """
            >>> rows = [bytearray(os.urandom(1 << 20)) for _ in range(1 << 20)]
            """
            return a + 1

        def good(a):
            """
            >>> good(1)
            2
            """
            return a + 1
        '''
    )
    good = functions["good"]
    small = config.model_copy(update={"memory_bytes": 128 << 20, "example_seconds": 0.5})
    with asking(sandbox, modules, small) as asked:
        for name in ("bad", "worse"):
            assert asked.ask(functions[name], functions[name].text).state in ("box", "timeout", "ok")
            assert asked.ask(good, good.text).passed
        assert "greedy" not in functions  # nothing is said of what comes out
        hungry = good.text.replace(
            "return", "rows = [bytearray(1 << 20) for _ in range(1 << 20)]\n    return"
        )
        assert not asked.ask(good, hungry).passed
        assert asked.ask(good, good.text).passed


def test_a_question_that_a_box_leaves_open_for_another_is_put_again(
    sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig
):
    functions = modules.functions(
        '''
        import os, subprocess, time

        def bad(a):
            """
            >>> bad(0.3)
            0.3
            """
            subprocess.Popen(["sh", "-c", f"sleep {a}; kill -9 {os.getppid()}"], start_new_session=True)
            return a

        def good(a):
            """
            >>> good(1)
            1
            """
            time.sleep(a)
            return a
        '''
    )
    bad, good = functions["bad"], functions["good"]
    with asking(sandbox, modules, config) as asked:
        assert asked.ask(bad, bad.text).passed
        assert asked.ask(good, good.text).passed


def test_a_sandbox_that_does_not_work_is_an_error_and_no_verdict(
    config: PreferenceConfig, modules: WrittenModules
):
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    folder.chmod(0o755)
    good = modules.function(BODY)
    with Sandbox(1, read_only=[folder]) as sandbox:
        shutil.rmtree(folder)
        with pytest.raises(RunError, match="winnow doctor"), Runner(sandbox, config, [], 0, 1) as asked:
            asked.ask(good, good.text)


def test_each_box_has_its_hash_seed(sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig):
    function = modules.function(
        'import os\n\ndef f(a):\n    """\n    >>> f(1)\n    \'7\'\n    """\n    return os.environ["PYTHONHASHSEED"]\n'
    )
    for seed, passes in ((7, True), (8, False)):
        with Runner(sandbox, config, [modules.folder], seed, 1) as asked:
            assert asked.ask(function, function.text).passed is passes
