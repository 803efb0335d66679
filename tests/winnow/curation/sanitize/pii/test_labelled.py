import time
from pathlib import Path

import pytest

from benchmarks.pii_quality import TYPES, Half, ours, read_rows, score
from winnow.curation.sanitize.pii import PII

CASES = Path(__file__).parents[6] / "shared" / "cases" / "pii" / "pii.jsonl.gz"


@pytest.mark.parametrize("half", ["first", "second"])
def test_labelled_rows_reach_the_targets(half: Half) -> None:
    if not CASES.exists():
        pytest.skip(f"{CASES.name} is not on this machine")
    rows = read_rows(CASES, half)
    total = score(rows, ours)
    right = sum(total.right[t] for t in TYPES)
    assert right > 40
    assert right / (right + sum(total.missed[t] for t in TYPES)) >= 0.97
    assert right / (right + sum(total.wrong[t] for t in TYPES)) >= 0.95


def test_code_that_looks_like_private_data_stays() -> None:
    if not CASES.exists():
        pytest.skip(f"{CASES.name} is not on this machine")
    rows = [row for row in read_rows(CASES) if row["tier"] == "code-negative"]
    assert len(rows) > 10
    assert [row["text"] for row in rows if ours(row["text"])] == []


PIECES = [
    *(
        "1",
        "1 ",
        "12-",
        "0.",
        "1.1.1.1.",
        "a:",
        "::",
        "0a:",
        "(0",
        "+1 ",
        "030 2345678 ",
        "4012888888881881 ",
        "@",
        "a.b@c.",
    ),
    *(
        "GB26",
        "GB26 ",
        "AD00YVOK",
        "ann at ",
        "x dot ",
        "(at)",
        "1A",
        "bc1q",
        "0xab",
        "phone 1",
        "call 030 ",
        "078 05 ",
        "01:",
    ),
    *("AB 12 ", "756.", "S1234567", "RCCMNL83S18D969", "id number 75033050440", "\u7535\u8bdd1"),
]


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_length_not_with_its_square(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        begin = time.perf_counter()
        for detector in PII:
            for _ in detector.find(text):
                pass
        return time.perf_counter() - begin

    seconds(1_000)
    short, long = seconds(10_000), seconds(80_000)
    assert long < 24 * short + 0.2
