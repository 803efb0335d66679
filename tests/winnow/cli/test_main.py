"""What a person and a shell see of a command: help, exit codes, one line for an error."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from winnow.cli import main
from winnow.core.errors import ConfigError, DataError, RunError

ROOT = Path(__file__).parents[3]
SECRET = "planted-value-out-of-a-row"


@pytest.fixture
def planted(tmp_path: Path, monkeypatch) -> None:
    """The app with commands that fail in each way, in an empty directory."""
    app = typer.Typer(rich_markup_mode=None)

    @app.command()
    def unusable(kind: str) -> None:
        raise {"config": ConfigError, "data": DataError, "run": RunError}[kind]("LAKE_ROOT=x: no. Set it.")

    @app.command()
    def bug() -> None:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise ValueError(f"cannot convert {SECRET}") from error

    @app.command()
    def stopped() -> None:
        raise KeyboardInterrupt

    @app.command()
    def count(number: int) -> None:
        typer.echo(number + 1)

    monkeypatch.setattr(main, "app", app)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("WINNOW_DEBUG", raising=False)


@pytest.mark.usefixtures("planted")
class TestExitCodes:
    def test_success_is_0(self, capsys):
        assert main.run(["count", "1"]) == 0
        assert capsys.readouterr().out == "2\n"

    @pytest.mark.parametrize("kind", ["config", "data", "run"])
    def test_an_error_that_a_user_can_act_on_is_1_and_one_line(self, kind: str, capsys):
        assert main.run(["unusable", kind]) == 1
        output = capsys.readouterr()
        assert output.err == "error: LAKE_ROOT=x: no. Set it.\n"
        assert output.out == ""

    @pytest.mark.parametrize(
        ("arguments", "word"),
        [
            (["nope"], "nope"),
            (["count"], "NUMBER"),
            (["count", "x"], "integer"),
            (["count", "1", "--nope"], "--nope"),
        ],
    )
    def test_wrong_usage_is_2_and_names_the_word(self, arguments: list[str], word: str, capsys):
        assert main.run(arguments) == 2
        assert word.lower() in capsys.readouterr().err.lower()

    def test_an_interrupt_is_130(self):
        assert main.run(["stopped"]) == 130

    def test_a_bug_is_1_and_names_its_place_and_a_log_without_values(self, capsys, tmp_path: Path):
        assert main.run(["bug"]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("internal error: ValueError at test_main.py:")
        (log,) = (tmp_path / "cache" / "logs").iterdir()
        assert line.endswith(f"details in {log}")
        stacks = log.read_text()
        assert SECRET not in stacks + line
        assert stacks.index("builtins.KeyError") < stacks.index("builtins.ValueError")
        assert "in bug" in stacks
        assert log.stat().st_mode & 0o777 == 0o600
        assert log.parents[1].stat().st_mode & 0o777 == 0o700

    def test_a_bug_with_debug_set_is_shown_as_it_is(self, monkeypatch):
        monkeypatch.setenv("WINNOW_DEBUG", "1")
        with pytest.raises(ValueError, match=SECRET):
            main.run(["bug"])

    def test_a_bug_where_no_log_can_be_written_is_still_one_line(self, capsys, tmp_path: Path, monkeypatch):
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "file" / "cache"))
        assert main.run(["bug"]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert "no log written" in line


def test_help_names_every_command_and_each_shows_an_example(capsys):
    commands = typer.main.get_command(main.app).commands  # type: ignore[attr-defined]
    assert main.run(["--help"]) == 0
    overview = capsys.readouterr().out
    assert commands
    for name in commands:
        assert f"  {name}" in overview
        assert main.run([name, "--help"]) == 0
        shown = capsys.readouterr().out
        assert f"winnow {name}" in shown.split("Example:")[1], name


def test_version(capsys):
    assert main.run(["--version"]) == 0
    assert capsys.readouterr().out == "winnow 0.1.0\n"


def child(code: str, directory: Path) -> subprocess.Popen[str]:
    code = f"import time, typer\nfrom winnow.cli import main\n{code}"
    command = [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=directory, stdout=pipe, stderr=pipe, text=True)


COUNTING = """
app = typer.Typer()
@app.command()
def lines(): [print('x' * 200, i) for i in range({lines})]
main.app = app
main.sys.argv = ['winnow']
main.main()
"""


@pytest.mark.parametrize("lines", [1, 100_000], ids=["at the last flush", "midway"])
def test_a_reader_that_goes_away_is_quiet(lines: int, tmp_path: Path):
    writer = child(COUNTING.format(lines=lines), tmp_path)
    assert writer.stdout is not None
    writer.stdout.close()
    assert writer.stderr is not None
    assert writer.stderr.read() == ""
    assert writer.wait(30) != 0


def test_control_c_in_a_running_command_is_130_without_a_traceback(tmp_path: Path):
    code = """
app = typer.Typer()
@app.command()
def wait():
    print('ready', flush=True)
    time.sleep(60)
main.app = app
main.sys.argv = ['winnow']
main.main()
"""
    waiting = child(code, tmp_path)
    assert waiting.stdout is not None
    assert waiting.stdout.readline() == "ready\n"
    time.sleep(0.1)
    waiting.send_signal(signal.SIGINT)
    _, errors = waiting.communicate(timeout=90)
    assert waiting.returncode == 130
    assert "Traceback" not in errors
