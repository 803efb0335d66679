"""What belongs to a person and has a form of its own: addresses, numbers, accounts."""

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.email_address import EMAIL_ADDRESS

PII: tuple[Detector, ...] = (EMAIL_ADDRESS,)
