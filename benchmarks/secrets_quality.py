"""Secrets found in labelled rows: ours beside other scanners, same rows, one table.

    python -m benchmarks.secrets_quality [CASES] [--whispers EXE] [--trufflehog3 EXE] [--trufflehog EXE]

CASES is the folder of labelled cases, by default the one that WINNOW_CASES names. Rows of the tiers structured and
context hold a secret, those of neg-* none; weak ones are left out. A row counts as hit by any report. `values gone`
is the share of labelled values that no longer stand in the text once everything reported is cut out: what a
redaction needs, and what a report of a prefix or of the first occurrence does not give. Scanners whose requirements
do not fit beside ours run from an environment of their own, given by the path of their command. The two halves are
by a hash of the text: one was looked at while the detectors were written, the other only counted.
"""

import argparse
import gzip
import hashlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from winnow.curation.sanitize.secrets import SECRETS
from winnow.curation.sanitize.views import views

CASES = Path(os.environ.get("WINNOW_CASES") or Path(__file__).parents[2] / "shared" / "cases")
Row = dict
Reports = list[list[str]]
"""What was reported for each row, as text."""


def read_rows(cases: Path) -> list[Row]:
    with gzip.open(cases / "secrets" / "secrets.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if row["tier"] != "weak"]


def is_held_out(row: Row) -> bool:
    return int(hashlib.sha256(row["text"].encode()).hexdigest(), 16) % 2 == 1


def ours(texts: Sequence[str]) -> Reports:
    reports = []
    for text in texts:
        spans = {span for detector in SECRETS for span in detector.find(text)}
        for view in views(text):
            spans |= {view.back(*span) for detector in SECRETS for span in detector.find(view.text)}
        reports.append([text[start:end] for start, end in spans])
    return reports


def detect_secrets_line(texts: Sequence[str], with_limit: bool) -> Reports:
    from detect_secrets.core.scan import scan_line
    from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString, HexHighEntropyString
    from detect_secrets.settings import default_settings

    limits = {p.secret_type: p for p in (Base64HighEntropyString(), HexHighEntropyString())}

    def counts(secret) -> bool:
        plugin = limits.get(secret.type)
        return (
            not with_limit
            or plugin is None
            or plugin.calculate_shannon_entropy(secret.secret_value) > plugin.entropy_limit
        )

    with default_settings():
        return [
            [s.secret_value or "" for line in text.splitlines() for s in scan_line(line) if counts(s)]
            for text in texts
        ]


def detect_secrets_file(texts: Sequence[str]) -> Reports:
    from detect_secrets.core.scan import scan_file
    from detect_secrets.settings import default_settings

    with _files(texts) as folder, default_settings():
        return [[s.secret_value or "" for s in scan_file(str(path))] for path in _paths(folder, texts)]


def whispers(command: str, texts: Sequence[str]) -> Reports:
    with _files(texts) as folder:
        found = Path(folder) / "found.json"
        _run([command, "--output", str(found), folder])
        return _by_row(texts, ((r["file"], [r["value"]]) for r in json.loads(found.read_text())))


def trufflehog3(command: str, texts: Sequence[str]) -> Reports:
    with _files(texts) as folder:
        out = _run([command, "--zero", "--no-history", "--ignore-nosecret", "--format", "JSON", folder])
        return _by_row(texts, ((r["path"], [r["secret"]]) for r in json.loads(out)))


def trufflehog(command: str, texts: Sequence[str]) -> Reports:
    with _files(texts) as folder:
        git = ["git", "-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.com"]
        for words in (["init", "-q", "."], ["add", "-A"], ["commit", "-qm", "rows"]):
            _run([*git, *words])
        out = _run([command, "--json", "--regex", "--entropy=True", f"file://{folder}"])
        reports = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
        return _by_row(texts, ((r["path"], r["stringsFound"]) for r in reports))


def _files(texts: Sequence[str]) -> tempfile.TemporaryDirectory:
    folder = tempfile.TemporaryDirectory(prefix="winnow-secrets-")
    for path, text in zip(_paths(folder.name, texts), texts, strict=True):
        path.write_text(text + "\n")
    return folder


def _paths(folder: str, texts: Sequence[str]) -> list[Path]:
    return [Path(folder) / f"{number:04d}.txt" for number in range(len(texts))]


def _run(words: Sequence[str]) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def _by_row(texts: Sequence[str], found: Iterable[tuple[str, list[str]]]) -> Reports:
    reports: Reports = [[] for _ in texts]
    for path, values in found:
        if Path(path).stem.isdigit():
            reports[int(Path(path).stem)] += values
    return reports


def cut(text: str, reported: Sequence[str]) -> str:
    """The text without anything reported, longest first, every occurrence."""
    for value in sorted(filter(None, reported), key=len, reverse=True):
        text = text.replace(value, "\0")
    return text


def line(name: str, rows: Sequence[Row], reports: Reports, seconds: float) -> str:
    positive = [row["tier"] in ("structured", "context") for row in rows]
    hit = [bool(report) for report in reports]
    right = sum(p and h for p, h in zip(positive, hit, strict=True))
    precision = right / max(1, sum(hit))
    recall = right / max(1, sum(positive))
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    values = [
        (row["text"], v, r) for row, r in zip(rows, reports, strict=True) for v in row.get("secrets") or []
    ]
    gone = sum(value not in cut(text, report) for text, value, report in values)
    wrong = sum(hit) - right
    return (
        f"| {name} | {precision:.3f} | {recall:.3f} | {f1:.3f} | {sum(positive) - right} | {wrong} "
        f"| {gone}/{len(values)} | {seconds:.2f} s |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=Path, nargs="?", default=CASES, help="the folder of labelled cases")
    others: dict[str, Callable[[str, Sequence[str]], Reports]] = {
        "whispers": whispers,
        "trufflehog3": trufflehog3,
        "trufflehog": trufflehog,
    }
    for name in others:
        parser.add_argument(
            f"--{name}", metavar="EXE", help=f"the command of {name}, in an environment of its own"
        )
    asked = parser.parse_args()
    rows = read_rows(asked.cases)
    runs: dict[str, Callable[[Sequence[str]], Reports]] = {
        "winnow": ours,
        "detect-secrets scan_line": lambda texts: detect_secrets_line(texts, False),
        "detect-secrets scan_line, entropy limit": lambda texts: detect_secrets_line(texts, True),
        "detect-secrets scan_file": detect_secrets_file,
    }
    for name, run in others.items():
        if command := getattr(asked, name):
            runs[name] = lambda texts, run=run, command=command: run(command, texts)
    texts = [row["text"] for row in rows]
    secret = sum(row["tier"] in ("structured", "context") for row in rows)
    print(f"{len(rows)} rows, {secret} with a secret\n")
    print("| scanner | precision | recall | F1 | missed | false | values gone | time |")
    print("|---|---|---|---|---|---|---|---|")
    for name, run in runs.items():
        started = time.perf_counter()
        reports = run(texts)
        print(line(name, rows, reports, time.perf_counter() - started), flush=True)
        if name == "winnow":
            for half, held_out in (("looked at", False), ("held out", True)):
                chosen = [n for n, row in enumerate(rows) if is_held_out(row) == held_out]
                print(
                    line(f"winnow, half {half}", [rows[n] for n in chosen], [reports[n] for n in chosen], 0.0)
                )


if __name__ == "__main__":
    main()
