"""The Dagster UI as `make ui` starts it, and a person in front of it: a headless Chromium driven by Playwright."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from playwright.sync_api import Page, expect, sync_playwright

PROJECT = Path(__file__).parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 60_000


@dataclass
class DagsterUI:
    """`dg dev` on a free port of this machine; its daemon looks at backfills every second instead of every 30 s."""

    environment: Mapping[str, str]
    port: int = 0
    _process: "subprocess.Popen[bytes] | None" = None

    def __enter__(self) -> Self:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        home = Path(self.environment["DAGSTER_HOME"])
        home.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / "dagster.yaml", home)
        tools = Path(sys.executable).parent
        environment = {
            **self.environment,
            "VIRTUAL_ENV": str(tools.parent),
            "PATH": f"{tools}{os.pathsep}{self.environment['PATH']}",
            "PYTHONPATH": str(PROJECT / "tests/support/quick_daemon"),
        }
        with (home / "dg-dev.log").open("wb") as log:
            self._process = subprocess.Popen(
                ["dg", "dev", "--host", "127.0.0.1", "--port", str(self.port)],
                env=environment,
                cwd=PROJECT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            self._wait(home / "dg-dev.log")
        except BaseException:
            self.__exit__()
            raise
        return self

    def _wait(self, log: Path) -> None:
        assert self._process is not None
        limit = time.monotonic() + 120
        while time.monotonic() < limit:
            assert self._process.poll() is None, log.read_text()
            try:
                with urllib.request.urlopen(f"{self.url}/server_info", timeout=5):
                    return
            except OSError:
                time.sleep(0.3)
        raise TimeoutError(log.read_text())

    def __exit__(self, *_: object) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
        with suppress(ProcessLookupError):  # whatever it started and left
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def chromium_page(width: int = 1600, height: int = 1000) -> Iterator[Page]:
    """A page of a fresh profile."""
    with tempfile.TemporaryDirectory(prefix="chromium-") as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            headless=True,
            args=FLAGS,
            viewport={"width": width, "height": height},
        )
        try:
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            yield page
        finally:
            context.close()


def choose_assets(page: Page, ui: DagsterUI, selection: str) -> None:
    """Opens the global graph and types a selection, as `+key:"curated"`: it and all upstream of it."""
    page.goto(f"{ui.url}/asset-groups")
    page.locator(".CodeMirror").first.click()
    page.keyboard.type(selection)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.wait_for_url(re.compile(r"asset-groups.+curated"))


def launch_backfill(page: Page, sources: Sequence[str]) -> str:
    """Materialize all that is chosen for these sources; the id of the backfill that the UI says it created."""
    page.get_by_role("button", name="Materialize all").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Select a partition or create one").click()
    for source in sources:
        page.get_by_text(source, exact=True).filter(visible=True).last.click()
    dialog.get_by_text("Launch runs to materialize").click()
    expect(dialog.get_by_text(f"{len(sources)} partitions")).to_be_visible()
    dialog.get_by_role("button", name="Launch backfill").click()
    told = page.get_by_text(re.compile(r"Created backfill \w+"))
    expect(told).to_be_visible(timeout=PATIENCE_MS)
    return told.inner_text().split()[2]


def watch_backfill(page: Page, ui: DagsterUI, backfill_id: str, assets: int, seconds: float) -> None:
    """Watches the backfill's page until every asset of it is shown as completed."""
    page.goto(f"{ui.url}/runs/b/{backfill_id}")
    expect(page.get_by_text("100% completed")).to_have_count(assets, timeout=seconds * 1000)
