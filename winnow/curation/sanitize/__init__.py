"""Private and secret values out of every row: detectors, and the stage that applies them."""

from winnow.curation.sanitize.config import SanitizeConfig
from winnow.curation.sanitize.stage import SanitizeStage

__all__ = ["SanitizeConfig", "SanitizeStage"]
