"""docs/commands.md names every command with all its options, and its examples are commands that exist."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from winnow.cli import main

PAGE = (Path(__file__).parents[1] / "docs" / "commands.md").read_text(encoding="utf-8")
COMMANDS: dict[str, Any] = typer.main.get_command(main.app).commands  # type: ignore[attr-defined]


def sections() -> dict[str, str]:
    parts = re.split(r"^## winnow (\w+)$", PAGE, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def leaves(command: Any) -> list[Any]:
    return list(command.commands.values()) if hasattr(command, "commands") else [command]


def options(command: Any) -> set[str]:
    every = [o for leaf in leaves(command) for p in leaf.params for o in (*p.opts, *p.secondary_opts)]
    return {option for option in every if option.startswith("--")} - {"--help"}


def examples() -> list[tuple[str, str]]:
    """Each `winnow …` in the page and in the help texts, with where it stands."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    found = [("page", line) for block in blocks for line in block.splitlines()]
    for name, command in COMMANDS.items():
        for shown in [command, *leaves(command)]:
            found += [(name, line.strip()) for line in (shown.help or "").split("Example:")[-1].splitlines()]
    return [(where, line) for where, line in found if line.startswith("winnow ")]


def test_the_page_has_a_section_for_each_command_and_no_other():
    assert sorted(sections()) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_names_every_option_and_shows_an_example(name: str):
    section = sections()[name]
    assert {option for option in options(COMMANDS[name]) if option not in section} == set()
    assert f"\nwinnow {name}" in section


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_help_with_an_example(name: str):
    for command in {id(c): c for c in [COMMANDS[name], *leaves(COMMANDS[name])]}.values():
        assert f"winnow {name}" in command.help.split("Example:")[1]
        undescribed = [p.name for p in command.params if not getattr(p, "help", "x")]
        assert undescribed == []


def test_examples_use_commands_and_options_that_exist():
    found = examples()
    assert len(found) > 2 * len(COMMANDS)
    for where, line in found:
        words = shlex.split(re.split(r" [|><] ", line)[0])
        assert words[1] in COMMANDS, (where, line)
        used = {word for word in words if word.startswith("--")}
        assert used <= options(COMMANDS[words[1]]), (where, line)
