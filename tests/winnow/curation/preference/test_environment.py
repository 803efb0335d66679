"""Which distributions the runs of functions may import: an upgrade of one of these, and of no other, is seen."""

from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest
from documented_rows import row

from winnow.curation.preference.environment import Environment
from winnow.curation.preference.functions import DocumentedFunction, documented_function

INSTALLED = Environment(
    versions={name: "1" for name in ("own", "other", "np", "tables", "dates", "zones", "wide")},
    modules={
        "own": frozenset({"own"}),
        "np": frozenset({"np"}),
        "tables": frozenset({"tables"}),
        "wide": frozenset({"wide"}),
    },
    requirements={"tables": frozenset({"dates", "np"}), "dates": frozenset({"zones", "gone", "tables"})},
)


def function(
    example: str = ">>> f(1)\n    1", body: str = "return a", distribution: str = "own"
) -> DocumentedFunction:
    text = f'def f(a):\n    """Says a.\n\n    {example}\n    """\n    {body}'
    made = documented_function(row(text, path="pkg/m.py", distribution=distribution))
    assert isinstance(made, DocumentedFunction)
    return made


@pytest.mark.parametrize(
    ("made", "needed"),
    [
        (function(), {"own"}),
        (function(distribution="other"), {"other"}),
        (function(">>> import np as n\n    >>> f(1)\n    1"), {"own", "np"}),
        (function(">>> from np.linalg import norm; f(1)\n    1"), {"own", "np"}),
        (function(">>> for i in [1]:\n    ...     import np\n    >>> f(1)\n    1"), {"own", "np"}),
        (function(">>> import )\n    >>> f(1)\n    1"), {"own"}),
        (function(body="import np; return np.a"), {"own", "np"}),
        (function(body="from . import np; return np.a"), {"own"}),
        (function(body="import tables; return a"), {"own", "tables", "dates", "zones", "np"}),
        (function(body="import json; return a"), {"own"}),
        (function(body="import np; return '\\d'"), {"own", "np"}),
    ],
)
def test_needed_is_what_is_imported_and_what_that_requires(made: DocumentedFunction, needed: set[str]):
    assert INSTALLED.needed_by([made]) == dict.fromkeys(needed, "1")


def test_an_import_in_the_file_of_the_function_counts(tmp_path: Path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/m.py").write_text("try:\n    import wide\nexcept ImportError:\n    wide = None\n")
    there = replace(INSTALLED, folders=(tmp_path / "none", tmp_path))
    assert there.needed_by([function()]) == {"own": "1", "wide": "1"}


def test_functions_together_need_what_each_needs():
    both = [function(body="import np; return a"), function(distribution="other")]
    assert INSTALLED.needed_by(both) == {"np": "1", "other": "1", "own": "1"}
    assert INSTALLED.needed_by([]) == {}


def test_what_is_installed_here_is_found_with_what_it_requires_but_not_with_extras():
    installed = Environment.installed()
    made = function(body="import pydantic; return a")
    needed = installed.needed_by([made])
    assert needed["pydantic"] == version("pydantic")
    assert needed["pydantic-core"] == version("pydantic-core")
    assert "email-validator" not in needed
    assert "yaml" not in installed.versions
    assert installed.needed_by([function(body="import yaml; return a")]) == {"pyyaml": version("pyyaml")}
