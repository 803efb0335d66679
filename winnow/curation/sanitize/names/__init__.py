"""Persons and postal addresses in prose: a gate that knows where to look, and the finder behind it."""

from winnow.curation.sanitize.names.finder import NameFinder
from winnow.curation.sanitize.names.gate import may_hold_name
from winnow.curation.sanitize.names.hit import NameHit

__all__ = ["NameFinder", "NameHit", "may_hold_name"]
