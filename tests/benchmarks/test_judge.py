"""The judge runs the lines that it was asked for, in its own order, however they were named."""

import pytest

from benchmarks.judge import main
from benchmarks.judged_lines import LINES


@pytest.mark.parametrize(
    "arguments",
    [
        ["--only", "kills", "--only", "doctor"],
        ["--only", "kills", "doctor"],
        ["--only", "doctor", "--only", "kills", "doctor"],
    ],
)
def test_lines_asked_for_add_up(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list", *arguments]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["doctor", "kills"]


def test_without_a_choice_there_are_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(LINES)


def test_an_unknown_line_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "kill"])
    assert "kills" in capsys.readouterr().err
