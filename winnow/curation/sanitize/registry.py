"""The detectors in the order that breaks ties."""

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii import PII
from winnow.curation.sanitize.pollution import POLLUTION
from winnow.curation.sanitize.secrets import SECRETS

DETECTORS: tuple[Detector, ...] = (*SECRETS, *PII, *POLLUTION)
