"""One stage over a file or folder, without a lake: what would the pipeline do with this data?"""

from winnow.curation.trial.duplicates import try_duplicates
from winnow.curation.trial.outcome import Outcome
from winnow.curation.trial.reading import read_rows
from winnow.curation.trial.stage import try_rows

__all__ = ["Outcome", "read_rows", "try_duplicates", "try_rows"]
