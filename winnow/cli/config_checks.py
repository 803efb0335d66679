"""What `winnow doctor` says of the configuration: sources, stages, workers, and tables that are not ours."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from winnow.cli.findings import Finding
from winnow.core.errors import WinnowError


def config_findings(environment: Mapping[str, str] = os.environ) -> list[Finding]:
    """A finding for each file or setting that every run reads."""
    return [
        _finding("sources", lambda: _sources(environment)),
        _finding("configuration", lambda: _configuration(environment)),
        _finding("workers", lambda: _workers(environment)),
        _finding("tables", _tables),
    ]


def _finding(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, look())
    except WinnowError as error:
        lines = " ".join(line.strip() for line in str(error).splitlines())
        return Finding(name, "a run would stop here", fix=lines)


def _sources(environment: Mapping[str, str]) -> str:
    from winnow.curation.sources import load_sources

    path = Path(environment.get("WINNOW_SOURCES") or "sources.yaml")
    sources = load_sources(path)
    return f"{len(sources.ids)} declared in {path}"


def _configuration(environment: Mapping[str, str]) -> str:
    from assets.settings import winnow_config

    winnow_config()
    files = [environment[name] for name in ("WINNOW_CONFIG", "WINNOW_SANITIZE") if environment.get(name)]
    return " and ".join(files) or "defaults"


def _workers(environment: Mapping[str, str]) -> str:
    from winnow.core.runner import worker_count

    given = environment.get("WINNOW_WORKERS")
    return f"{worker_count(int(given) if given and given.isdigit() else None)} a stage"


def _tables() -> str:
    from winnow.lake.lake import Lake
    from winnow.lake.status import known_tables

    lake = Lake.open()
    there = [table for table in known_tables() if lake.head(table).version is not None]
    return f"{len(there)} in the lake, all written by winnow"
