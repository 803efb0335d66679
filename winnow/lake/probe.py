"""Whether a root can hold a lake: reachable, writable, and honest about put-if-absent."""

from winnow.core.errors import ConfigError
from winnow.lake.names import new_nonce
from winnow.lake.settings import LakeSettings
from winnow.lake.zone import Zone

_FOLDER = "_probe"
_answers: dict[tuple[str, str | None], bool] = {}


def put_if_absent(zone: Zone) -> bool:
    """Whether the root refuses to put an object that exists; asked once a process.

    Raises ConfigError or RunError when the root cannot be written at all.
    """
    asked = (zone.root, zone.settings.endpoint_url)
    if asked not in _answers:
        path = f"{_FOLDER}/{new_nonce()}"
        _answers[asked] = zone.put_if_absent(path, b"1") and not zone.put_if_absent(path, b"2")
        zone.delete([path])
    return _answers[asked]


def check_zone(zone: Zone) -> None:
    """Writes and removes a small object. Raises ConfigError or RunError with the setting to change."""
    zone.check()
    path = f"{_FOLDER}/{new_nonce()}"
    zone.put(path, b"1")
    zone.delete([path])


def require_put_if_absent(settings: LakeSettings, zone: Zone) -> None:
    """Raises ConfigError where two writers could overwrite each other's commits, unless there is only one."""
    if settings.single_writer or put_if_absent(zone):
        return
    endpoint = zone.settings.env.get("endpoint_url", "AWS_ENDPOINT_URL")
    raise ConfigError(
        f"{zone.settings.setting}: {endpoint}={zone.settings.endpoint_url} ignores If-None-Match, so two "
        f"writers could lose a commit. Set {endpoint} to one that honours it, or set "
        "LAKE_SINGLE_WRITER=1 and run one writer at a time."
    )
