"""One partition a source; the ids come from the sources file."""

import os
from pathlib import Path

import dagster as dg

from winnow.curation.sources.config import Sources, load_sources


def sources_path() -> Path:
    """The sources file: WINNOW_SOURCES, else `sources.yaml` in the working directory."""
    return Path(os.environ.get("WINNOW_SOURCES") or "sources.yaml")


def declared_sources() -> Sources:
    """The sources as declared now, in keep order."""
    return load_sources(sources_path())


SOURCES = dg.StaticPartitionsDefinition([source.id for source in declared_sources().sources])
