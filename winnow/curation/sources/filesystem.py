"""The filesystem of an s3:// location, from the usual AWS variables."""

import os
from urllib.parse import urlsplit

from pyarrow import fs as pafs

from winnow.core.errors import ConfigError

_TIMEOUT_S = 20


def default_filesystem(location: str) -> tuple[pafs.FileSystem, str]:
    """The S3 filesystem that AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION name.

    Unset keys leave the choice to the SDK's own chain (profile, instance role).
    """
    parts = urlsplit(location)
    if parts.scheme != "s3" or not parts.netloc:
        raise ConfigError(f"`{location}` is no S3 location. Write it as s3://bucket/prefix.")
    endpoint = urlsplit(os.environ.get("AWS_ENDPOINT_URL", ""))
    filesystem = pafs.S3FileSystem(
        access_key=os.environ.get("AWS_ACCESS_KEY_ID") or None,
        secret_key=os.environ.get("AWS_SECRET_ACCESS_KEY") or None,
        session_token=os.environ.get("AWS_SESSION_TOKEN") or None,
        region=os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1",
        endpoint_override=endpoint.netloc or None,
        scheme="http" if endpoint.scheme == "http" else "https",
        connect_timeout=_TIMEOUT_S,
        request_timeout=_TIMEOUT_S,
    )
    return filesystem, f"{parts.netloc}{parts.path}".rstrip("/")
