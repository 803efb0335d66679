"""What is internal to one organisation: the names and places that must not reach a training set."""

import re
from typing import Annotated

from pydantic import Field, field_validator

from winnow.core.config import ConfigModel

SHORTEST = 3
"""Fewest characters of a name: shorter ones are in every text."""
Name = Annotated[str, Field(min_length=SHORTEST, max_length=200)]
_WILD = re.compile(r"[*\s]+")


class Organisation(ConfigModel):
    """The organisation profile; all lists are empty by default, as no two teams' internals are alike."""

    users: tuple[Name, ...] = Field(
        default=(),
        description="Account names whose homes are internal: /home/NAME, /Users/NAME, C:\\Users\\NAME.",
    )
    service_homes: tuple[Name, ...] = Field(
        default=(), description="Absolute paths in which services live, e.g. /srv/buildbot."
    )
    state_folders: tuple[Name, ...] = Field(
        default=(),
        description="Folders of state, absolute (/var/lib/acme) or by name in any home (.acme-agent).",
    )
    directories: tuple[Name, ...] = Field(
        default=(), description="Names of internal directories: they count as a part of any path."
    )
    daemons: tuple[Name, ...] = Field(
        default=(), description="Names of own daemons and bots, found as whole words in any case."
    )
    repositories: tuple[Name, ...] = Field(
        default=(), description="Own repositories as OWNER/NAME, in any case; in URLs too."
    )
    models: tuple[Name, ...] = Field(
        default=(), description="Names of own models and data sets, found as whole words in any case."
    )
    commit_messages: tuple[Name, ...] = Field(
        default=(),
        description="Lines of commit messages that machines write; `*` stands for anything in the line.",
    )

    @field_validator("service_homes")
    @classmethod
    def _absolute(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        for path in paths:
            if not re.match(r"(?:/|~|[A-Za-z]:[\\/])", path):
                raise ValueError(f"{path!r} is no absolute path; write it from its root, as /srv/buildbot")
        return paths

    @field_validator("directories")
    @classmethod
    def _one_part(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if re.search(r"[/\\\s]", name):
                raise ValueError(
                    f"{name!r} is a path; give one directory name, or list it under state_folders"
                )
        return names

    @field_validator("repositories")
    @classmethod
    def _owned(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if not re.fullmatch(r"[\w.\-]+/[\w.\-]+", name):
                raise ValueError(f"{name!r} is no OWNER/NAME")
        return names

    @field_validator("commit_messages")
    @classmethod
    def _distinctive(cls, lines: tuple[str, ...]) -> tuple[str, ...]:
        for line in lines:
            if max(map(len, _WILD.split(line))) < SHORTEST or "\n" in line:
                raise ValueError(
                    f"{line!r} would match too much; give one line with a word of {SHORTEST} letters"
                )
        return lines
