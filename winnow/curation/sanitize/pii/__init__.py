"""What belongs to a person and has a form of its own: addresses, numbers, accounts."""

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.credit_card import CREDIT_CARD, UNNAMED_CARD
from winnow.curation.sanitize.pii.crypto_base58 import CRYPTO_BASE58
from winnow.curation.sanitize.pii.crypto_bech32 import CRYPTO_BECH32
from winnow.curation.sanitize.pii.crypto_ethereum import CRYPTO_ETHEREUM
from winnow.curation.sanitize.pii.email_address import EMAIL_ADDRESS
from winnow.curation.sanitize.pii.email_spelled_out import EMAIL_SPELLED_OUT
from winnow.curation.sanitize.pii.iban_code import IBAN_CODE
from winnow.curation.sanitize.pii.ipv4_address import IPV4_ADDRESS
from winnow.curation.sanitize.pii.ipv6_address import IPV6_ADDRESS
from winnow.curation.sanitize.pii.mac_address import MAC_ADDRESS
from winnow.curation.sanitize.pii.national import NATIONAL
from winnow.curation.sanitize.pii.phone_number import PHONES
from winnow.curation.sanitize.pii.us_itin import US_ITIN
from winnow.curation.sanitize.pii.us_ssn import US_SSN

PII: tuple[Detector, ...] = (
    EMAIL_ADDRESS,
    EMAIL_SPELLED_OUT,
    IBAN_CODE,
    CRYPTO_BECH32,
    CRYPTO_BASE58,
    CRYPTO_ETHEREUM,
    CREDIT_CARD,
    UNNAMED_CARD,
    MAC_ADDRESS,
    IPV6_ADDRESS,
    IPV4_ADDRESS,
    US_ITIN,
    US_SSN,
    *NATIONAL,
    *PHONES,
)
