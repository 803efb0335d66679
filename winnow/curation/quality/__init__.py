"""Quality of rows; in this version the syntax of Python."""

from winnow.curation.quality.stage import QualityConfig, QualityStage

__all__ = ["QualityConfig", "QualityStage"]
