"""A server that ignores If-None-Match may have one writer, and only on the user's word."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from schemas.registry import REGISTRY
from winnow.core.errors import ConfigError
from winnow.lake.keys import fingerprint_key
from winnow.lake.lake import Lake
from winnow.lake.probe import put_if_absent, require_put_if_absent
from winnow.lake.records import rewrite
from winnow.lake.settings import LakeSettings


class _Careless(BaseHTTPRequestHandler):
    """Takes every object, conditions or not."""

    objects: ClassVar[dict[str, bytes]] = {}

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, with_body: bool) -> None:
        held = self.objects.get(self.path)
        self.send_response(404 if held is None else 200)
        self.send_header("ETag", '"e"')
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.send_header("content-length", str(len(held or b"")))
        self.end_headers()
        if with_body:
            self.wfile.write(held or b"")

    def do_PUT(self) -> None:
        self.objects[self.path] = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("ETag", '"e"')
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers.get("content-length", 0)))
        key = asked.partition(b"<Key>")[2].partition(b"</Key>")[0]
        body = b"<DeleteResult><Deleted><Key>%s</Key></Deleted></DeleteResult>" % key
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def careless() -> Iterator[dict[str, str]]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Careless) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}",
            "AWS_ACCESS_KEY_ID": "k",
            "AWS_SECRET_ACCESS_KEY": "s",
            "LAKE_ROOT": "s3://b/lake",
            "LAKE_RAW_ROOT": "s3://r/raw",
        }
        server.shutdown()


def test_it_is_refused_with_the_setting_to_change(careless: dict[str, str]) -> None:
    lake = Lake.open(LakeSettings.from_env(careless))
    assert not put_if_absent(lake.zone("open"))
    with pytest.raises(ConfigError, match=r"AWS_ENDPOINT_URL=.* ignores If-None-Match.*LAKE_SINGLE_WRITER=1"):
        require_put_if_absent(lake.settings, lake.zone("open"))


def test_one_writer_may_write_there(careless: dict[str, str]) -> None:
    lake = Lake.open(LakeSettings.from_env({**careless, "LAKE_SINGLE_WRITER": "1"}))
    require_put_if_absent(lake.settings, lake.zone("open"))


def test_the_key_of_fingerprints_stays_there_too(careless: dict[str, str]) -> None:
    lake = Lake.open(LakeSettings.from_env({**careless, "LAKE_SINGLE_WRITER": "1"}))
    first = fingerprint_key(lake.zone("restricted"))
    assert len(first) == 32
    assert fingerprint_key(lake.zone("restricted")) == first


def test_records_are_not_written_there(careless: dict[str, str]) -> None:
    lake = Lake.open(LakeSettings.from_env(careless))
    with pytest.raises(ConfigError, match="ignores If-None-Match"):
        rewrite(lake, REGISTRY, "m", lambda rows: rows)
