"""Turns what the storage clients raise into one line that names the setting to change."""

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager

import deltalake.exceptions
import obstore.exceptions

from winnow.core.errors import ConfigError, RunError, WinnowError
from winnow.lake.settings import ZoneSettings

_FULL = re.compile(r"No space left|os error 28|Disk quota exceeded", re.I)
_SILENT = re.compile(
    r"error sending request|connection refused|could ?n.t connect|curlCode|dns error|timed out|resolve host"
    r"|NETWORK_CONNECTION|connection (?:reset|closed)|trying to connect|peer certificate|\btls\b|\bssl\b",
    re.I,
)
_DENIED = re.compile(r"permission denied|read-only file|os error (?:13|30)\b", re.I)
_NO_FOLDER = re.compile(r"not a directory|os error (?:17|20)\b", re.I)
_NO_BUCKET = re.compile(r"NoSuchBucket|NO_SUCH_BUCKET|bucket .{0,80}(?:does not exist|not found)", re.I)
_BROKEN = re.compile(
    r"\b50[0234]\b|InternalError|INTERNAL_FAILURE|SERVICE_UNAVAILABLE|SlowDown|SLOW_DOWN", re.I
)
_REFUSED = re.compile(
    r"InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE"
    r"|\b40[13]\b|Forbidden|Unauthorized|PermissionDenied|Unauthenticated|lacked the necessary privileges"
    r"|missing credentials|InvalidToken|CredentialsError",
    re.I,
)


def explain(error: BaseException, zone: ZoneSettings, doing: str) -> WinnowError:
    """The error of our family that says what to change; `doing` completes 'while ...'."""
    text = _without_secrets(str(error), zone)
    code = getattr(error, "errno", None)
    if code in (errno.ENOSPC, errno.EDQUOT) or _FULL.search(text):
        return RunError(
            f"{zone.setting} is full, while {doing}. Free space there or set {_root(zone)} to a larger disk."
        )
    if not zone.is_s3:
        return _on_disk(error, zone, doing, text)
    endpoint = zone.env.get("endpoint_url", "AWS_ENDPOINT_URL")
    where = zone.endpoint_url or "the AWS default endpoint"
    if _NO_BUCKET.search(text):
        return ConfigError(
            f"{zone.setting}: {where} has no bucket `{zone.bucket}`. Create it, or correct {_root(zone)}."
        )
    if _REFUSED.search(text):
        key = zone.env.get("access_key", "AWS_ACCESS_KEY_ID")
        secret = zone.env.get("secret_key", "AWS_SECRET_ACCESS_KEY")
        return ConfigError(
            f"{zone.setting}: {where} refused the credentials, while {doing}. Correct {key} and {secret}."
        )
    if _SILENT.search(text):
        return RunError(
            f"{endpoint}={where}: no S3 server answers, while {doing}. Start it, or correct {endpoint}."
        )
    if _BROKEN.search(text):
        return RunError(
            f"{endpoint}={where} answered with an error of its own, while {doing}. Look at its log and its "
            "free space, then run again."
        )
    return RunError(f"{zone.setting}: {_one_line(error, text)}, while {doing}.")


@contextmanager
def named_faults(zone: ZoneSettings, doing: str) -> Iterator[None]:
    """Raises `explain` for what a storage client raises inside; FileNotFoundError passes, for the caller."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, obstore.exceptions.BaseError, deltalake.exceptions.DeltaError) as error:
        raise explain(error, zone, doing) from error


def _on_disk(error: BaseException, zone: ZoneSettings, doing: str, text: str) -> WinnowError:
    code = getattr(error, "errno", None)
    if code in (errno.EACCES, errno.EPERM, errno.EROFS) or _DENIED.search(text):
        return ConfigError(
            f"{zone.setting} is closed to this user, while {doing}. Change its mode, or move {_root(zone)}."
        )
    if code in (errno.ENOTDIR, errno.EEXIST) or _NO_FOLDER.search(text):
        return ConfigError(f"{zone.setting} is not a directory, while {doing}. Set {_root(zone)} to one.")
    return RunError(f"{zone.setting}: {_one_line(error, text)}, while {doing}.")


def _root(zone: ZoneSettings) -> str:
    return zone.setting.partition("=")[0]


def _one_line(error: BaseException, text: str) -> str:
    first = text.strip().splitlines()[0] if text.strip() else ""
    return f"{type(error).__name__} {first[:200]}".strip()


def _without_secrets(text: str, zone: ZoneSettings) -> str:
    for secret in (zone.secret(), zone.token()):
        if secret and len(secret) >= 4:  # a shorter one would blot out words
            text = text.replace(secret, "***")
    return text
