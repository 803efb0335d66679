"""Preference pairs from execution: functions that pass their doctests, beside copies that fail them."""

from winnow.curation.preference.boxes import find_pairs
from winnow.curation.preference.config import CODE_VERSION, PreferenceConfig
from winnow.curation.preference.environment import Environment
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.packages import package_folders
from winnow.curation.preference.pairs import judged_pairs
from winnow.curation.preference.selection import Selection, select
from winnow.curation.preference.trials import Pair

__all__ = [
    "CODE_VERSION",
    "DocumentedFunction",
    "Environment",
    "Pair",
    "PreferenceConfig",
    "Selection",
    "find_pairs",
    "judged_pairs",
    "package_folders",
    "select",
]
