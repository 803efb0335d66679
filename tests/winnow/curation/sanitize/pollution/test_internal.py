import fnmatch
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.core.config import load_model
from winnow.core.errors import ConfigError
from winnow.curation.sanitize.organisation import Organisation
from winnow.curation.sanitize.pollution.internal import internal_detectors
from winnow.curation.sanitize.prefilter import Prefilter

PROFILE = load_model(
    Organisation,
    {
        "users": ["marek", "li.wei"],
        "service_homes": ["/srv/buildbot", "C:\\Services\\indexer"],
        "state_folders": ["/var/lib/acme", ".acme-agent"],
        "directories": ["acme-monorepo"],
        "daemons": ["harvestd", "Nightly Bot"],
        "repositories": ["acme/secret-sauce"],
        "models": ["acme-7b-internal"],
        "commit_messages": ["chore(sync): * [skip ci]", "auto-commit"],
    },
)
DETECTORS = internal_detectors(PROFILE)
FOUND = [
    ("cd /home/marek/work && ls", "named_home", "/home/marek/work"),
    (r"open('C:\\Users\\li.wei\\notes.txt')", "named_home", r"C:\\Users\\li.wei\\notes.txt"),
    ("log in /srv/buildbot/logs/1.txt.", "service_home", "/srv/buildbot/logs/1.txt."),
    ("state: ~/.acme-agent/state.json", "state_folder", "~/.acme-agent/state.json"),
    ("rm -r /var/lib/acme", "state_folder", "/var/lib/acme"),
    ("see ../acme-monorepo/tools", "directory", "acme-monorepo"),
    ("restart HARVESTD now", "daemon", "HARVESTD"),
    ("the nightly bot failed", "daemon", "nightly bot"),
    ("https://github.com/Acme/Secret-Sauce/pull/3", "repository", "Acme/Secret-Sauce"),
    ("load('acme-7b-internal')", "model", "acme-7b-internal"),
    ("  chore(sync): 41 files [skip ci]", "machine_made", "chore(sync): 41 files [skip ci]"),
    ("auto-commit", "machine_made", "auto-commit"),
]
NOT_FOUND = [
    "/home/marekk/work",
    "/home/ann/marek",
    "/opt/srv/buildbot",
    "/var/lib/acmecorp",
    "acme-monorepo is a word here",
    "myharvestd",
    "acme/secret-sauces",
    "we auto-commit often",
    "chore(sync): 41 files",
]


def hits(text: str) -> list[tuple[str, str]]:
    candidates = [DETECTORS[i] for i in Prefilter(DETECTORS).candidates(text)]
    return [(d.detector, text[s:e]) for d in candidates for s, e in d.find(text)]


@pytest.mark.parametrize(("text", "detector", "value"), FOUND)
def test_what_the_profile_names_is_found_whole(text: str, detector: str, value: str) -> None:
    assert (detector, value) in hits(text)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_only_resembles_it_is_not(text: str) -> None:
    assert hits(text) == []


def test_an_empty_profile_has_no_detector() -> None:
    assert internal_detectors(Organisation()) == ()


@given(st.text("ab*", min_size=0, max_size=6), st.text("ab", max_size=8))
def test_a_line_glob_means_what_fnmatch_means(middle: str, line: str) -> None:
    glob = f"xyz{middle}"
    (detector,) = internal_detectors(Organisation(commit_messages=(glob,)))
    text = f"xyz{line}"
    assert bool(list(detector.find(text))) == fnmatch.fnmatchcase(text, glob)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("service_homes", ["srv/x"], "no absolute path"),
        ("directories", ["a/bcd"], "is a path"),
        ("repositories", ["sauce"], "no OWNER/NAME"),
        ("commit_messages", ["* *"], "would match too much"),
        ("daemons", ["ab"], "daemons"),
    ],
)
def test_a_profile_that_would_match_everything_is_refused(field: str, value: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_model(Organisation, {field: value})
