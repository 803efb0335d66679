"""Private and secret values out of every row: detectors, and the stage that applies them."""

from winnow.curation.sanitize.stage import SanitizeConfig, SanitizeStage

__all__ = ["SanitizeConfig", "SanitizeStage"]
