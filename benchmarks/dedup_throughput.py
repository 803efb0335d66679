"""Rows/s and MB/s of near-duplicate removal, ours against datasketch, on the same files in the same run.

    python benchmarks/dedup_throughput.py [--rows 5000] [--mean-bytes 2000] [--workers 2] [--rounds 3]

Rows are pieces of the standard library's source files, so near copies are what imports, licences and similar
functions make of them; every tenth row is an edited copy of an earlier one. Both sides read the same texts
from memory and end with the rows that go. datasketch runs as its documentation shows: 256 permutations, its
own bands for 0.7, no verification; once with sets of shingles made in Python, as a user would, and once with
the shingles given to it (that time not counted). Medians of interleaved rounds.
"""

import argparse
import random
import re
import statistics
import sysconfig
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from winnow.core.runner import close_pool
from winnow.curation.dedup import judge_rows
from winnow.curation.dedup.shingles import ShingleSets, shingle_sets

SEED = 7


def corpus(rows: int, mean_bytes: int) -> list[str]:
    """Pieces of files, lengths spread around the mean, with edited copies among them."""
    rng = random.Random(SEED)
    paths = sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    rng.shuffle(paths)
    texts: list[str] = []
    for path in paths:
        text, at = path.read_text(encoding="utf-8", errors="replace"), 0
        while at < len(text) and len(texts) < rows:
            size = int(rng.uniform(0.2, 1.8) * mean_bytes)
            texts.append(text[at : at + size])
            at += size
    for place in range(10, len(texts), 10):
        words = re.split(r"(\s+)", texts[rng.randrange(place)])
        for _ in range(rng.randrange(6)):
            words[rng.randrange(len(words))] = "edited"
        texts[place] = "".join(words)
    return texts


def winnow(texts: Sequence[str], workers: int) -> int:
    return sum(v is not None for v in judge_rows([(str(n), t) for n, t in enumerate(texts)], workers=workers))


def datasketch_as_shipped(texts: Sequence[str]) -> int:
    def shingles(text: str) -> list[bytes]:
        tokens = re.findall(r"\w+|[^\w\s]", text)
        grams = {" ".join(tokens[at : at + 5]).encode() for at in range(max(len(tokens) - 4, 1))}
        return list(grams)

    return _datasketch([shingles(text) for text in texts], None)


def datasketch_given_shingles(sets: ShingleSets) -> int:
    return _datasketch([sets[n].tolist() for n in range(len(sets))], lambda h: h & 0xFFFFFFFF)


def _datasketch(shingles: Sequence[list], hashfunc: Callable[[int], int] | None) -> int:
    from datasketch import MinHash, MinHashLSH

    lsh = MinHashLSH(threshold=0.7, num_perm=256)
    removed = 0
    for row, items in enumerate(shingles):
        sketch = MinHash(num_perm=256, **({"hashfunc": hashfunc} if hashfunc else {}))
        sketch.update_batch(items)
        if items and lsh.query(sketch):
            removed += 1
        else:
            lsh.insert(row, sketch)
    return removed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("rows", 5000), ("mean-bytes", 2000), ("workers", 2), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    texts = corpus(asked.rows, asked.mean_bytes)
    sets = shingle_sets(texts)
    runs: dict[str, Callable[[], int]] = {
        "winnow, 1 worker": lambda: winnow(texts, 1),
        f"winnow, {asked.workers} workers": lambda: winnow(texts, asked.workers),
        "datasketch": lambda: datasketch_as_shipped(texts),
        "datasketch, shingles given": lambda: datasketch_given_shingles(sets),
    }
    megabytes = sum(len(t.encode()) for t in texts) / 1e6
    print(
        f"{len(texts)} rows, {megabytes:.1f} MB, mean {1e6 * megabytes / len(texts):.0f} bytes, seed {SEED}"
    )
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    removed: dict[str, int] = {}
    winnow(texts[:1000], asked.workers)  # starts the workers, which a run of the pipeline does once
    for _ in range(asked.rounds):
        for name, run in runs.items():
            started = time.perf_counter()
            removed[name] = run()
            seconds[name].append(time.perf_counter() - started)
    for name, taken in seconds.items():
        median = statistics.median(taken)
        print(
            f"{name:28} {median:7.2f} s {len(texts) / median:9,.0f} rows/s {megabytes / median:7.1f} MB/s "
            f"{removed[name]:6} removed"
        )
    close_pool()


if __name__ == "__main__":
    main()
