"""Sources: what sources.yaml declares, read into raw batches."""

from pathlib import Path

from winnow.curation.sources.config import Filter, Source, Sources, load_sources
from winnow.curation.sources.ingest import CODE_VERSION, read, source_version
from winnow.curation.sources.records import ReadSettings

TINY_SOURCES = Path(__file__).with_name("tiny.yaml")
"""The sources of the tiny demo: three, about 600 rows."""

__all__ = [
    "CODE_VERSION",
    "TINY_SOURCES",
    "Filter",
    "ReadSettings",
    "Source",
    "Sources",
    "load_sources",
    "read",
    "source_version",
]
