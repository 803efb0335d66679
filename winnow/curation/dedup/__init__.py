"""Deduplication: exact by canonical conversation, near by verified Jaccard similarity, over all sources."""

from winnow.curation.dedup.config import CODE_VERSION, DedupConfig
from winnow.curation.dedup.fingerprint_cache import fingerprint_identity
from winnow.curation.dedup.fingerprints import COLUMNS
from winnow.curation.dedup.rows import judge_rows
from winnow.curation.dedup.verdicts import judge_duplicates

__all__ = ["CODE_VERSION", "COLUMNS", "DedupConfig", "fingerprint_identity", "judge_duplicates", "judge_rows"]
