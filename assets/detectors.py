"""The sanitizer's settings for one lake."""

from pydantic import SecretStr

from assets.settings import winnow_config
from winnow.curation.sanitize import SanitizeConfig
from winnow.lake.keys import fingerprint_key
from winnow.lake.lake import Lake


def keyed_settings(lake: Lake) -> SanitizeConfig:
    """The configured detectors, fingerprinting under the key of this lake."""
    key = SecretStr(fingerprint_key(lake.zone("restricted")).hex())
    return winnow_config().sanitize.model_copy(update={"fingerprint_key": key})
