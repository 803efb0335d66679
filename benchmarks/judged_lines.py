"""The lines by which this project is judged: for each the command that shows it, and what to read in its output."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

BIN = Path(sys.executable).parent
DEMO_SECONDS, TINY_SECONDS, LOAD_SECONDS = 600.0, 60.0, 4.0
NEVER = ("torch", "spacy", "great_expectations", "pandas")


@dataclass(frozen=True)
class Finding:
    """What a command showed, in a few words, and whether the line holds."""

    ok: bool
    text: str


Read = Callable[[str], Finding]


@dataclass(frozen=True)
class Line:
    """One line: a command, or tests by node, and about how many minutes it takes on two idle cores."""

    name: str
    says: str
    minutes: float
    command: tuple[str, ...] = ()
    read: Read | None = None
    tests: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    """Environment variables whose values are paths inside the line's own empty folder."""


EMPTY = {
    "LAKE_ROOT": "lake",
    "LAKE_RAW_ROOT": "lake_raw",
    "DAGSTER_HOME": "dagster",
    "WINNOW_WORK": "work",
    "WINNOW_CACHE": "cache",
}


def read_doctor(output: str) -> Finding:
    """Every finding is ok."""
    good, bad = output.count("[ok]"), re.findall(r"^\[fix: (.*)$", output, re.M)
    return Finding(good > 0 and not bad, f"{good} ok" + (f", to fix: {'; '.join(bad)}" if bad else ""))


_PAIRS = r"^preference pairs +(.*)$"


def read_demo(limit: float, rows: int, sources: int, pairs: tuple[int, int, int] = (1, 1, 2)) -> Read:
    """Within `limit` seconds, at least so many rows of so many sources, a score, and a gate that promotes.

    `pairs`: at least so many to train on, held out, and distributions of them.
    """

    def read(output: str) -> Finding:
        seconds = _number(r"^done in ([\d.]+) s", output)
        taken = _number(r"^conversations +in .*\n +kept +([\d,]+)", output)
        trained = _number(r"^sft_train +in .*\n +kept +([\d,]+)", output)
        read_from = len(re.findall(r"^\[.*: raw [\d,]+ rows", output, re.M))
        score = _words(r"^held-out loss +(.*)$", output)
        interval = _words(r"^worsening +(.*)$", output)
        gate = _words(r"^gate +(\w+)", output)
        made = [int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", _words(_PAIRS, output))]
        tries = len(re.findall(r"^ +\S*winnow (?:sql|trace|rows|status|funnel) ", output, re.M))
        told = [
            f"{seconds:.0f} s of {limit:.0f}",
            f"{taken:,.0f} rows of {read_from} sources, {trained:,.0f} to train on",
            f"loss {score}",
            f"worsening {interval}",
            f"{made[0]} pairs to train on, {made[1]} held out, of {made[2]} distributions",
            f"preference {_words(r'^preference_accuracy +(.*?), 95', output)}",
            f"HumanEval {_words(r'^humaneval +(.*?), 95', output)}",
            f"gate {gate}",
            f"{tries} commands to try",
        ]
        enough = seconds <= limit and taken >= rows and read_from >= sources and trained > 0
        enough = enough and all(found >= asked for found, asked in zip(made, pairs, strict=True))
        return Finding(enough and gate == "promote" and tries == 3, "; ".join(told))

    return read


def read_load(output: str) -> Finding:
    """`import time` of the code location, and which heavy packages came along."""
    seconds, found = output.strip().splitlines()[-1].split(" ", 1)
    return Finding(
        float(seconds) < LOAD_SECONDS and found == "[]", f"loads in {float(seconds):.1f} s, with {found}"
    )


def read_grading(output: str) -> Finding:
    """Programs a second of ours and of evalplus; the line holds where ours are not fewer."""
    ours, theirs = (_number(rf"^{name} +([\d.]+)", output) for name in ("winnow", "evalplus"))
    passed = _words(r"^winnow +[\d.]+ +(\S+)", output)
    told = f"{ours:.1f} programs/s, evalplus {theirs:.1f}, ratio {ours / theirs:.2f}; {passed} passed"
    return Finding(ours >= theirs, told)


def read_last(output: str) -> Finding:
    """The last line; the exit code decides."""
    return Finding(True, output.strip().splitlines()[-1])


def read_secrets(output: str) -> Finding:
    """At most one labelled secret missed, and at most one negative row changed."""
    cells = _words(r"^\| winnow \| (.*) \|$", output).split(" | ")
    missed, false = int(cells[3]), int(cells[4])
    peer = _words(r"^\| detect-secrets scan_line \| (.*) \|$", output).split(" | ")
    told = f"{missed} missed, {false} false; detect-secrets {peer[3]} missed, {peer[4]} false"
    return Finding(missed <= 1 and false <= 1, told)


def read_pii(output: str) -> Finding:
    """Recall of at least 0.97 and precision of at least 0.95 over all pattern types."""
    precision, recall = map(float, _words(r"^all +\| +([\d.]+ +[\d.]+) ", output).split())
    return Finding(recall >= 0.97 and precision >= 0.95, f"recall {recall:.3f}, precision {precision:.3f}")


def read_names(output: str) -> Finding:
    """Presidio's recall at least, half of its false hits at most; what the gate lets pass is told."""
    ours, wrong, theirs, theirs_wrong = map(
        float,
        re.findall(r"^all +\d+ \| +([\d.]+) +(\d+) \| +([\d.]+) +(\d+)", output, re.M)[0],
    )
    gate = re.findall(r"^gate: recall on .* ([\d.]+)$", output, re.M)
    told = f"recall {ours:.3f}, {wrong:.0f} wrong; Presidio {theirs:.3f}, {theirs_wrong:.0f} wrong; "
    return Finding(ours >= theirs and wrong * 2 <= theirs_wrong, f"{told}gate alone {' and '.join(gate)}")


def read_ratios(output: str) -> Finding:
    """How many times the peer's speed ours is on code and on chat; the exit code decides."""
    told = [f"{kind} {_words(rf'^{kind} .* ([0-9.]+) +[0-9]+$', output)} times" for kind in ("code", "chat")]
    return Finding(True, ", ".join(told))


def _words(pattern: str, output: str) -> str:
    """Raises ValueError where the output does not say it."""
    found = re.search(pattern, output, re.M)
    if found is None:
        raise ValueError(pattern)
    return found[1]


def _number(pattern: str, output: str) -> float:
    return float(_words(pattern, output).replace(",", ""))


_LOAD = (
    "import sys, time; began = time.perf_counter(); import dagster_project.definitions as d; "
    "d.defs.get_repository_def(); "
    f"print(time.perf_counter() - began, [name for name in {NEVER!r} if name in sys.modules])"
)
_WINNOW, _ACCEPTANCE, _SANDBOX = str(BIN / "winnow"), "tests/acceptance", "tests/winnow/sandbox"
_SANITIZE = "tests/winnow/curation/sanitize"
_HOSTILE = ("hostile_limits", "hostile_reach", "hostile_survivors", "syscalls")

LINES = (
    Line("doctor", "`winnow doctor`: this machine is ready", 0.1, (_WINNOW, "doctor"), read_doctor),
    Line(
        "load",
        "the code location loads in under 4 s and imports nothing heavy",
        0.1,
        (sys.executable, "-c", _LOAD),
        read_load,
    ),
    Line(
        "demo",
        "`winnow demo` within ten minutes on an empty lake and empty caches, its gate promotes",
        8,
        (_WINNOW, "demo"),
        read_demo(DEMO_SECONDS, 20_000, 5, pairs=(300, 100, 20)),
        places=EMPTY,
    ),
    Line(
        "tiny",
        "`winnow demo --profile tiny`: the whole loop within a minute",
        0.7,
        (_WINNOW, "demo", "--profile", "tiny"),
        read_demo(TINY_SECONDS, 400, 3),
        places=EMPTY,
    ),
    Line(
        "stores",
        "equal hashes on disk and S3, for 1 and 2 workers; checkpoints: equal row order, losses within 1e-4",
        4,
        tests=(f"{_ACCEPTANCE}/test_tiny_demo.py", f"{_ACCEPTANCE}/test_stores.py"),
    ),
    Line(
        "kills",
        "kill -9 at ten points, and at three of one lake, and a re-run: the same hashes, only audited rows visible",
        8,
        tests=(f"{_ACCEPTANCE}/test_kills.py",),
    ),
    Line(
        "sources",
        "revised, renamed, removed and added sources: caches miss and partitions change only where rows did",
        2.5,
        tests=(f"{_ACCEPTANCE}/test_sources_change.py",),
    ),
    Line(
        "rejected",
        "a failed audit fails its check, keeps the last good partition and names the candidate",
        0.7,
        tests=(f"{_ACCEPTANCE}/test_rejected_candidate.py",),
    ),
    Line(
        "backfill",
        "backfill of three sources from the command line and from the UI in Chromium; a second run does nothing",
        4,
        tests=(f"{_ACCEPTANCE}/test_browser_backfill.py", f"{_ACCEPTANCE}/test_backfill.py"),
    ),
    Line(
        "writers",
        "six writers of one table, six first writers of one partition, on disk and S3: nothing lost or doubled",
        1,
        tests=("tests/winnow/lake/test_concurrent_writers.py",),
    ),
    Line(
        "poison",
        "a poisoned source: each fault under its rule, nothing planted in the open root, logs or Dagster",
        1,
        tests=(f"{_ACCEPTANCE}/test_poisoned_source.py",),
    ),
    Line(
        "memory",
        "curation of 200,000 rows: at most 1.10 times the memory of 20,000, and under 2 GB",
        12,
        (sys.executable, "-m", "benchmarks.memory"),
        read_last,
    ),
    Line(
        "hostile",
        "hostile programs in the sandbox, as root and as nobody: nothing escapes or survives, the next run is unharmed",
        1.5,
        tests=tuple(f"{_SANDBOX}/test_{name}.py" for name in _HOSTILE),
    ),
    Line(
        "cheats", "ways to look as if tests passed: none does", 0.5, tests=(f"{_SANDBOX}/test_cheating.py",)
    ),
    Line(
        "humaneval",
        "all 164 canonical solutions pass, and each with one caught mutation fails",
        0.5,
        tests=(f"{_SANDBOX}/test_humaneval.py",),
    ),
    Line(
        "grading",
        "HumanEval graded at no less than evalplus's own rate",
        3,
        (sys.executable, "benchmarks/grading.py"),
        read_grading,
    ),
    Line(
        "calls",
        "model servers that misbehave, both protocols; a kill in the middle of 200 paid calls pays none twice",
        3,
        tests=tuple(f"tests/winnow/models/test_{name}.py" for name in ("protocols", "faults", "killed_run")),
    ),
    Line(
        "pairs",
        "every preference pair run again in a fresh sandbox: chosen passes, rejected fails",
        3,
        tests=(f"{_ACCEPTANCE}/test_preference_pairs.py",),
    ),
    Line(
        "no-sandbox",
        "without a sandbox the demo finishes, says what did not run and how to mend it, and promotes nothing",
        3.5,
        tests=(f"{_ACCEPTANCE}/test_no_sandbox.py",),
    ),
    Line(
        "planted",
        "no planted value, in any encoding, is readable in the open root, logs, pages or Dagster's storage",
        1,
        tests=(f"{_SANITIZE}/test_planted.py", f"{_ACCEPTANCE}/test_poisoned_source.py"),
    ),
    Line(
        "secrets",
        "labelled secrets: at most one survives, at most one negative row changes; peers in the same table",
        2,
        (sys.executable, "-m", "benchmarks.secrets_quality"),
        read_secrets,
    ),
    Line(
        "pii",
        "labelled personal data: pattern types recall 0.97, precision 0.95 at span level",
        1,
        (sys.executable, "-m", "benchmarks.pii_quality"),
        read_pii,
    ),
    Line(
        "names",
        "persons of twelve locales: Presidio's recall at half of its false positives; the gate's recall alone",
        2,
        (sys.executable, "-m", "benchmarks.names_quality"),
        read_names,
    ),
    Line(
        "throughput",
        "sanitizing on one core: 40 times Presidio plus detect-secrets on code, 10 times on chat",
        1,
        (sys.executable, "-m", "benchmarks.sanitize_throughput"),
        read_ratios,
    ),
    Line(
        "linear",
        "sanitizing is linear to 1 GB in flat memory",
        20,
        (sys.executable, "-m", "benchmarks.sanitize_throughput", "--linear", "1000"),
        read_last,
    ),
    Line("test", "`make test`: every other test", 20, tests=("tests",)),
)
