"""Where the two zones of a lake live and how to reach them, read from the environment once."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, SecretStr

from winnow.core.errors import ConfigError

ZoneName = Literal["open", "restricted"]

CONNECT_SECONDS = 3
REQUEST_SECONDS = 60
RETRIES = 2
RETRY_SECONDS = 6
"""Together they bound a wrong endpoint to under ten seconds in every client."""

_ROOT = {"open": ("LAKE_ROOT", "data/lake"), "restricted": ("LAKE_RAW_ROOT", "data/lake_raw")}


class ZoneSettings(BaseModel):
    """One root, a directory or `s3://bucket/prefix`, with the credentials that reach it.

    `env` maps each field to the environment variable it came from, so that an error can name it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ZoneName
    root: str
    endpoint_url: str | None = None
    access_key: str | None = None
    secret_key: SecretStr | None = None
    session_token: SecretStr | None = None
    region: str = "us-east-1"
    env: dict[str, str] = {}

    @property
    def is_s3(self) -> bool:
        return self.root.startswith("s3://")

    @property
    def bucket(self) -> str:
        return urlsplit(self.root).netloc

    @property
    def prefix(self) -> str:
        return urlsplit(self.root).path.strip("/")

    @property
    def setting(self) -> str:
        """`NAME=value` of the root, for messages."""
        return f"{_ROOT[self.name][0]}={self.root}"

    def secret(self) -> str | None:
        return self.secret_key.get_secret_value() if self.secret_key else None

    def token(self) -> str | None:
        return self.session_token.get_secret_value() if self.session_token else None

    def storage_options(self) -> dict[str, str]:
        """Options that Polars and deltalake take alike; empty for a directory."""
        if not self.is_s3:
            return {}
        options = {
            "aws_region": self.region,
            "aws_conditional_put": "etag",
            "connect_timeout": f"{CONNECT_SECONDS}s",
            "timeout": f"{REQUEST_SECONDS}s",
        }
        if self.endpoint_url:
            options["aws_endpoint_url"] = self.endpoint_url
            options["aws_allow_http"] = str(self.endpoint_url.startswith("http://")).lower()
        for key, value in (
            ("aws_access_key_id", self.access_key),
            ("aws_secret_access_key", self.secret()),
            ("aws_session_token", self.token()),
        ):
            if value:
                options[key] = value
        return options

    def delta_options(self) -> dict[str, str]:
        """`storage_options` with retries bounded in deltalake's spelling, which Polars refuses."""
        bounds = {"max_retries": str(RETRIES), "retry_timeout": f"{RETRY_SECONDS}s"}
        return self.storage_options() | bounds if self.is_s3 else {}

    def pyarrow_fs(self) -> tuple[Any, str]:
        """A pyarrow file system and the root's path in it."""
        from pyarrow import fs

        if not self.is_s3:
            return fs.LocalFileSystem(use_mmap=False), self.root
        endpoint = urlsplit(self.endpoint_url) if self.endpoint_url else None
        filesystem = fs.S3FileSystem(
            access_key=self.access_key,
            secret_key=self.secret(),
            session_token=self.token(),
            region=self.region,
            scheme="http" if endpoint and endpoint.scheme == "http" else "https",
            endpoint_override=endpoint.netloc if endpoint else None,
            connect_timeout=CONNECT_SECONDS,
            request_timeout=REQUEST_SECONDS,
            retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=RETRIES),
        )
        return filesystem, "/".join(filter(None, (self.bucket, self.prefix)))

    def duckdb_setup(self, connection: Any) -> None:
        """Gives a DuckDB connection the means to read this root; a directory needs none.

        The secret carries the zone's name and is scoped to its root, so that both zones can be attached.
        """
        if not self.is_s3:
            return
        package = find_spec("duckdb_extension_httpfs")
        if package is None or package.origin is None:
            raise ConfigError("DuckDB reads S3 by httpfs. Run: pip install duckdb-extension-httpfs==1.5.5")
        version = connection.execute("SELECT version()").fetchone()[0]
        extension = Path(package.origin).parent / "extensions" / version / "httpfs.duckdb_extension"
        connection.load_extension(str(extension))
        parts = {"TYPE": "s3", "PROVIDER": "config", "REGION": self.region, "SCOPE": self.root}
        if self.endpoint_url:
            endpoint = urlsplit(self.endpoint_url)
            parts |= {"ENDPOINT": endpoint.netloc, "URL_STYLE": "path"}
            parts["USE_SSL"] = str(endpoint.scheme == "https").lower()
        for key, value in (
            ("KEY_ID", self.access_key),
            ("SECRET", self.secret()),
            ("SESSION_TOKEN", self.token()),
        ):
            if value:
                parts[key] = value
        listed = ", ".join(f"{key} {_quoted(value)}" for key, value in parts.items())
        connection.execute(f"CREATE OR REPLACE SECRET winnow_{self.name} ({listed})")


class LakeSettings(BaseModel):
    """Both zones of one lake."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    open: ZoneSettings
    restricted: ZoneSettings
    single_writer: bool = False

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> Self:
        """The lake that the environment names; `./data/lake` and `./data/lake_raw` without any.

        Raises ConfigError when a root is neither a directory nor `s3://`, or when one holds the other.
        """
        env = os.environ if env is None else env
        zones = {name: _zone(name, env) for name in ("open", "restricted")}
        _refuse_nesting(zones["open"], zones["restricted"])
        return cls(
            open=zones["open"],
            restricted=zones["restricted"],
            single_writer=env.get("LAKE_SINGLE_WRITER", "") == "1",
        )


def _zone(name: Any, env: Mapping[str, str]) -> ZoneSettings:
    variable, default = _ROOT[name]
    own = name == "restricted" and bool(env.get("LAKE_RAW_AWS_ACCESS_KEY_ID"))
    keys = "LAKE_RAW_" if own else ""
    names = {
        "root": variable,
        "access_key": f"{keys}AWS_ACCESS_KEY_ID",
        "secret_key": f"{keys}AWS_SECRET_ACCESS_KEY",
        "session_token": f"{keys}AWS_SESSION_TOKEN",
    }
    for field, plain in (("endpoint_url", "AWS_ENDPOINT_URL"), ("region", "AWS_REGION")):
        raw = f"LAKE_RAW_{plain}"
        names[field] = raw if name == "restricted" and env.get(raw) else plain
    values = {field: env[source] for field, source in names.items() if env.get(source)}
    values["root"] = _root(variable, env.get(variable) or default)
    return ZoneSettings.model_validate({"name": name, "env": names, **values})


def _root(variable: str, value: str) -> str:
    if value.startswith("s3://"):
        if not urlsplit(value).netloc:
            raise ConfigError(f"{variable}={value} names no bucket. Write {variable}=s3://bucket/prefix.")
        return value.rstrip("/")
    if "://" in value:
        raise ConfigError(
            f"{variable}={value} is not a root that Winnow can use. Give a directory or s3://bucket/prefix."
        )
    return str(Path(value).expanduser().absolute())


def _refuse_nesting(first: ZoneSettings, second: ZoneSettings) -> None:
    one, two = _place(first), _place(second)
    if one.startswith(two) or two.startswith(one):
        raise ConfigError(
            f"{first.setting} and {second.setting} share a folder, so the open lake would show text that is "
            "not sanitized. Set LAKE_RAW_ROOT to a place of its own."
        )


def _place(zone: ZoneSettings) -> str:
    """Where a root lies in truth, links followed."""
    return (zone.root if zone.is_s3 else os.path.realpath(zone.root)) + "/"


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
