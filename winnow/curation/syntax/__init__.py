"""Where is prose, where is code: the language of a file or block, and the spans that speak to people."""

from winnow.curation.syntax.guess import Guess, language_of_fence, language_of_file
from winnow.curation.syntax.reader import Limits, SyntaxReader
from winnow.curation.syntax.regions import Kind, Problem, Region, Regions

__all__ = [
    "Guess",
    "Kind",
    "Limits",
    "Problem",
    "Region",
    "Regions",
    "SyntaxReader",
    "language_of_fence",
    "language_of_file",
]
