import io
import json
import os
import stat
from pathlib import Path

import pytest
from planted_findings import SECRET, plant
from small_lake import lake_in

from winnow.lake.access import access_records
from winnow.lake.lake import Lake

OPEN = ("--restricted", "--why", "precision")
WORD = SECRET.partition("{")[0]


@pytest.fixture
def planted(winnow, tmp_path: Path) -> Lake:
    lake = lake_in(tmp_path)
    plant(lake)
    return lake


@pytest.fixture
def answer(winnow, monkeypatch):
    """Runs the audit with what a person types."""

    def run(typed: str, *arguments: object):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return winnow("sanitize", "audit", *OPEN, *arguments)

    return run


def bytes_of(root: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file())


def test_without_the_restricted_zone_it_says_what_is_known(winnow, planted: Lake):
    told = winnow("sanitize", "audit")
    assert told.lines[1].split() == ["email_address/d", "8", "0", "0", "0", "-", "-", "8"]
    assert told.lines[-1] == "12 left to judge: winnow sanitize audit --restricted --why TEXT"
    assert access_records(planted) == []


def test_answers_are_recorded_and_the_next_time_goes_on(winnow, answer, planted: Lake, tmp_path: Path):
    first = answer("y\nn a greeting\nwhat\nu\ns\nq\n", "--per-detector", 4)
    assert first.code == 0
    assert f"⟦{WORD}" in first.out
    assert "3 judgements recorded" in first.out
    (told, token) = winnow("sanitize", "audit", "--per-detector", 4, "--json").json["detectors"]
    assert (told["right"], told["wrong"], told["unsure"], told["left"]) == (1, 1, 1, 1)
    assert told["precision"] == 0.5
    assert (round(told["low"], 4), round(told["high"], 4)) == (0.0945, 0.9055)
    assert (token["precision"], token["low"], token["left"]) == (None, None, 4)
    second = answer("y\n" * 9, "--per-detector", 4)
    assert second.out.count("judgements recorded") == 1
    assert "5 judgements recorded" in second.out
    assert "1 of 5  email_address/d" in second.out
    assert answer("", "--per-detector", 4).out.startswith("Nothing is left to judge.")
    assert [record["why"] for record in access_records(planted)] == ["precision"] * 3
    assert WORD.encode() not in bytes_of(tmp_path / "lake")
    assert winnow("sql", "--json", "FROM judgements SELECT note WHERE note IS NOT NULL").json == {
        "note": "a greeting"
    }


def test_leaving_by_ctrl_c_loses_no_answer(winnow, planted: Lake, monkeypatch):
    class Person(io.StringIO):
        def readline(self, *_: object) -> str:
            line = super().readline()
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr("sys.stdin", Person("y\ny\n"))
    left = winnow("sanitize", "audit", *OPEN)
    assert left.code == 130
    assert "2 judgements recorded" in left.out
    assert winnow("sanitize", "audit", "--json").json["detectors"][0]["right"] == 2


def test_a_note_does_not_carry_what_was_found_into_the_open(answer, planted: Lake, tmp_path: Path):
    every = " ".join(SECRET.format(n) for n in range(12))
    said = answer(f"y it is {every}\nq\n", "--per-detector", 1, "--detector", "token/d")
    assert "do not quote what was found" in said.out
    assert WORD.encode() not in bytes_of(tmp_path / "lake")


def test_a_sample_goes_out_and_its_answers_come_back(winnow, answer, planted: Lake, tmp_path: Path):
    file = tmp_path / "sample.jsonl"
    out = answer("", "--export", file, "--per-detector", 2)
    assert "4 findings written" in out.out
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert all(line["found"].startswith(WORD) and line["before"].endswith("mail ") for line in lines)
    assert winnow("sanitize", "audit", "--judgements", file).lines[0] == "0 judgements recorded"
    lines[0]["judged"], lines[1]["judged"] = "right", "wrong"
    lines[2] |= {"judged": "unsure", "start": 0}
    file.write_text("\n\n".join(map(json.dumps, lines)))
    told = winnow("sanitize", "audit", "--judgements", file)
    assert told.lines[0] == ("2 judgements recorded; 1 of findings that are no longer there were passed over")
    assert told.lines[2].split()[2:5] == ["1", "1", "0"]
    assert len(access_records(planted)) == 1
    assert WORD.encode() not in bytes_of(tmp_path / "lake")


@pytest.fixture
def sample(answer, planted: Lake, tmp_path: Path) -> Path:
    file = tmp_path / "sample.jsonl"
    answer("", "--export", file)
    return file


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"judged": "maybe"}, "`judged`: input should be 'right', 'wrong' or 'unsure'"),
        ({"row_id": "x"}, "`row_id`: string should match pattern"),
        ({"start": "5"}, "`start`: input should be a valid integer"),
        ({"verdict": "right"}, "has a field that no exported line has"),
        ({"judged": "right", "note": f"no, {SECRET.format(1)}"}, "the note quotes what was found"),
    ],
)
def test_a_faulty_line_is_named_and_nothing_is_recorded(
    winnow, planted: Lake, sample: Path, change: dict[str, object], said: str
):
    lines = [{**json.loads(line), "judged": "right"} for line in sample.read_text().splitlines()]
    at = next(n for n, line in enumerate(lines) if line["found"] == SECRET.format(1))
    lines[at] |= change
    sample.write_text("\n".join(map(json.dumps, lines)))
    refused = winnow("sanitize", "audit", "--judgements", sample)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert f"line {at + 1}: {said}" in refused.err
    assert WORD not in refused.err
    assert planted.head("judgements").version is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{broken\n[]\n", "line 1: is not a JSON object; line 2: is not a JSON object"),
        (b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_a_file_that_is_none_is_refused(winnow, planted: Lake, tmp_path: Path, text: bytes, said: str):
    (tmp_path / "bad.jsonl").write_bytes(text)
    refused = winnow("sanitize", "audit", "--judgements", tmp_path / "bad.jsonl")
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert said in refused.err


def test_a_line_that_stands_twice_is_refused(winnow, planted: Lake, sample: Path):
    line = json.dumps({**json.loads(sample.read_text().splitlines()[0]), "judged": "right"})
    sample.write_text(f"{line}\n{line}\n")
    refused = winnow("sanitize", "audit", "--judgements", sample)
    assert "line 2: judges again what line 1 did" in refused.err


def test_the_text_goes_nowhere_but_into_a_new_file_outside(winnow, answer, planted: Lake, tmp_path: Path):
    inside, link, there = tmp_path / "lake" / "s.jsonl", tmp_path / "link.jsonl", tmp_path / "there.jsonl"
    there.write_text("mine")
    link.symlink_to(inside)
    for place, said in (
        (inside, "lies in the open root"),
        (link, "lies in the open root"),
        (there, "is there already"),
        (tmp_path / "no" / "s.jsonl", "cannot be written: No such file or directory"),
    ):
        refused = answer("", "--export", place)
        assert (refused.code, refused.err.count("\n")) == (1, 1)
        assert said in refused.err
    assert there.read_text() == "mine"
    assert not inside.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--restricted"], "Give one: --why TEXT"),
        (["--export", "x"], "Give --restricted and --why TEXT with it"),
        (["--judgements", "x", *OPEN], "Give it without --restricted"),
        (["--decision", "keep"], "Give drop or redact"),
        (["--judgements", "nowhere.jsonl"], "cannot be read: No such file or directory"),
        (["--json", *OPEN], "Give one of them"),
    ],
)
def test_what_does_not_go_together_is_told(winnow, planted: Lake, arguments: list[str], said: str):
    refused = winnow("sanitize", "audit", *arguments)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert said in refused.err
    assert access_records(planted) == []


def test_an_empty_lake_has_nothing_to_judge(winnow):
    assert winnow("sanitize", "audit").out == "The sanitize stage found nothing that was asked for.\n"


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_wilsons_as_newcombe_tabulates_it(right: int, n: int, low: float, high: float):
    """Newcombe 1998, Statistics in Medicine 17:857, method 3 of its table I."""
    from winnow.cli.sanitize_audit import _estimate
    from winnow.lake.judgements import Tally

    told = _estimate(Tally("token", "d", 1_000, right, n - right, 7, 0))
    assert (round(told["low"], 4), round(told["high"], 4)) == (low, high)
