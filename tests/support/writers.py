"""Writers for concurrency and crash tests: top-level functions, so that spawned processes can run them."""

import os
import time
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from small_lake import batch, conversation

from schemas.rows import SANITIZED
from winnow.core.errors import ConflictError
from winnow.core.identity import digest
from winnow.core.stage import StageOutput, Verdict, verdict_batch
from winnow.lake.candidate import Candidate
from winnow.lake.lake import Lake
from winnow.lake.publish import publish
from winnow.lake.settings import LakeSettings

ROWS = 30
_MEETING_SECONDS = 60


def sanitized_candidate(lake: Lake, source: str, version: str, rows: int = ROWS) -> Candidate:
    """A complete candidate of `rows` + 1 rows in, of which the first is dropped; `version` enters the text."""
    texts = [conversation(source, f"k{n}", f"{version} says {n}") for n in range(rows + 1)]
    dropped = Verdict(texts[0]["row_id"], source, "drop", "empty", score=0.5)
    flagged = Verdict(texts[1]["row_id"], source, "redact", "email_address")
    output = StageOutput(rows + 1, batch(SANITIZED, texts[1:]), verdict_batch([dropped, flagged]))
    with lake.candidate(SANITIZED, source, "sanitize", digest(version), "1", {}) as candidate:
        candidate.write(output)
    return candidate


def publish_at_once(
    env: Mapping[str, str], source: str, version: str, barrier: Barrier, results: Any
) -> None:
    """Builds a candidate, waits for the others, and publishes; reports what became of it."""
    try:
        lake = Lake.open(LakeSettings.from_env(env))
        candidate = sanitized_candidate(lake, source, version)
        barrier.wait(_MEETING_SECONDS)
        done = publish(lake, candidate)
        results.put((source, version, "written" if done.written else "there", done.verdict_version))
    except ConflictError:
        results.put((source, version, "conflict", None))
    except BaseException as error:
        results.put((source, version, f"failed: {error!r}", None))


def race(env: Mapping[str, str], work: list[tuple[str, str]]) -> list[tuple[str, str, str, int | None]]:
    """Runs `publish_at_once` for each (source, version) in a process of its own, all at the same moment."""
    context = get_context("spawn")
    barrier, results = context.Barrier(len(work)), context.Queue()
    processes = [
        context.Process(target=publish_at_once, args=(dict(env), source, version, barrier, results))
        for source, version in work
    ]
    for process in processes:
        process.start()
    found = [results.get(timeout=120) for _ in processes]
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    return found


def publish_and_die(env: Mapping[str, str], source: str, version: str, point: str) -> None:
    os.environ["WINNOW_CRASH_AT"] = point
    lake = Lake.open(LakeSettings.from_env(env))
    publish(lake, sanitized_candidate(lake, source, version))


def in_child(target: Callable[..., None], *args: Any) -> int:
    """Exit code of a spawned process; negative when a signal ended it."""
    process = get_context("spawn").Process(target=target, args=args)
    process.start()
    process.join(120)
    assert process.exitcode is not None
    return process.exitcode


def every_file(root: str) -> list[str]:
    return sorted(str(p) for p in Path(root).rglob("*") if p.is_file())


def seconds(call: Callable[[], object]) -> float:
    start = time.monotonic()
    call()
    return time.monotonic() - start
