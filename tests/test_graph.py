"""The asset graph as it was reviewed: a change of keys, deps, groups, kinds, owners, checks or jobs shows here.

After a change that is meant: WINNOW_UPDATE_GRAPH=1 make test ARGS=tests/test_graph.py, and review the diff.
"""

import os
import re
from itertools import pairwise
from pathlib import Path

import dagster as dg
import yaml

from assets.reporting import column_lineage
from dagster_project.definitions import defs
from schemas.raw import RAW
from schemas.rows import CONVERSATIONS, DEDUPED, SANITIZED
from winnow.lake.contracts import contract_of

REVIEWED = Path(__file__).with_name("graph.yaml")
README = Path(__file__).parents[1] / "README.md"
GRAPH = defs.resolve_asset_graph()


def described(node: dg.AssetSpec, checks: list[str]) -> dict[str, object]:
    return {
        "deps": sorted(dep.asset_key.to_user_string() for dep in node.deps),
        "group": node.group_name,
        "kinds": sorted(node.kinds),
        "owners": list(node.owners),
        "partitioned": node.partitions_def is not None,
        "checks": checks,
        "description": node.description,
    }


def present() -> dict[str, object]:
    """The graph in the form of the reviewed file."""
    checks: dict[str, list[str]] = {}
    for check in GRAPH.asset_check_keys:
        blocking = GRAPH.get(check).blocking
        checks.setdefault(check.asset_key.to_user_string(), []).append(
            f"{check.name}{' (blocking)' if blocking else ''}"
        )
    assets = {
        spec.key.to_user_string(): described(spec, sorted(checks.get(spec.key.to_user_string(), [])))
        for spec in defs.resolve_all_asset_specs()
    }
    jobs = {
        job.name: sorted(key.to_user_string() for key in job.asset_layer.selected_asset_keys)
        for job in defs.resolve_all_job_defs()
        if not job.name.startswith("__")
    }
    return {"assets": assets, "jobs": jobs}


def test_the_graph_is_the_reviewed_one():
    if os.environ.get("WINNOW_UPDATE_GRAPH"):
        REVIEWED.write_text(yaml.safe_dump(present(), default_flow_style=None, width=110), encoding="utf-8")
    assert present() == yaml.safe_load(REVIEWED.read_text(encoding="utf-8"))


def test_every_asset_says_what_it_is_and_whose():
    for name, asset in present()["assets"].items():  # type: ignore[attr-defined]
        assert asset["description"], name
        assert asset["owners"], name
        assert asset["kinds"], name
        assert asset["group"] != "default", name


def test_a_table_shows_its_columns_before_anything_is_materialized():
    tables = {
        spec.key.to_user_string(): spec.metadata["dagster/table_name"].removeprefix("lake.")
        for spec in defs.resolve_all_asset_specs()
        if "dagster/table_name" in spec.metadata
    }
    assert len(tables) == 10
    for spec in defs.resolve_all_asset_specs():
        name = spec.key.to_user_string()
        if name in tables:
            columns = [column.name for column in spec.metadata["dagster/column_schema"].columns]
            assert columns == list(contract_of(tables[name]).names)


def test_columns_come_from_columns_that_exist():
    for contract, upstream in ((CONVERSATIONS, RAW), (SANITIZED, CONVERSATIONS), (DEDUPED, SANITIZED)):
        lineage = column_lineage(contract, upstream).deps_by_column
        assert set(lineage) == set(contract.names)
        assert {dep.column_name for deps in lineage.values() for dep in deps} <= set(upstream.names)


def test_the_picture_in_the_readme_shows_edges_of_the_graph():
    (picture,) = re.findall(r"```mermaid\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
    drawn = {
        edge
        for line in picture.splitlines()
        for edge in pairwise(line.strip().split(" --> "))
        if " --> " in line
    }
    graph = {
        (dep.asset_key.to_user_string(), spec.key.to_user_string())
        for spec in defs.resolve_all_asset_specs()
        for dep in spec.deps
    }
    assert drawn <= graph
    assert {name for edge in drawn for name in edge} == {name for edge in graph for name in edge}
