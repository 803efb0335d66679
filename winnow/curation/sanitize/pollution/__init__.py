"""What a text took along from the place where it was made: homes, machines, tools, the owner's own names."""

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pollution.attribution import ATTRIBUTION
from winnow.curation.sanitize.pollution.user_path import POSIX_HOME, WINDOWS_HOME

POLLUTION: tuple[Detector, ...] = (ATTRIBUTION, POSIX_HOME, WINDOWS_HOME)
