"""The sanitizer's settings for one lake."""

from pydantic import SecretStr

from assets.settings import winnow_config
from winnow.core.errors import ConfigError
from winnow.core.identity import digest
from winnow.curation.sanitize import SanitizeConfig
from winnow.lake.keys import fingerprint_key
from winnow.lake.lake import Lake


def keyed_settings(lake: Lake) -> SanitizeConfig:
    """The configured detectors, fingerprinting under the key of this lake.

    Raises ConfigError where the configuration has a key of its own: findings of one lake share one.
    """
    if winnow_config().sanitize.fingerprint_key is not None:
        raise ConfigError("`fingerprint_key` is set, and a lake has a key of its own. Remove it")
    key = SecretStr(fingerprint_key(lake.zone("restricted")).hex())
    return winnow_config().sanitize.model_copy(update={"fingerprint_key": key})


def key_name(settings: SanitizeConfig) -> str:
    """A name of the key that does not give it away: results under another key are other results."""
    key = settings.fingerprint_key
    return digest(["fingerprint key", key.get_secret_value()]) if key else ""
