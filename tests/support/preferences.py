"""Preference pairs that a tiny model can learn: counting up is chosen, counting down is rejected."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.rows import MESSAGE
from winnow.core.identity import digest

SCHEMA = pa.schema(
    [
        ("row_id", pa.string()),
        ("source", pa.string()),
        ("content_hash", pa.string()),
        ("messages", pa.list_(MESSAGE)),
        ("chosen", pa.string()),
        ("rejected", pa.string()),
        ("meta", pa.string()),
    ]
)


def pair(name: str, prompt: str, chosen: str | None, rejected: str | None, **more: Any) -> dict[str, Any]:
    return {
        "row_id": name,
        "source": "counting",
        "content_hash": digest([prompt, chosen, rejected], size=32),
        "messages": [{"role": "user", "content": prompt}],
        "chosen": chosen,
        "rejected": rejected,
        "meta": None,
        **more,
    }


def counting(count: int) -> list[dict[str, Any]]:
    """Pairs of unlike lengths; three of a kind come from one distribution."""
    pairs = []
    for number in range(count):
        up = [str(n) for n in range(1, number % 9 + 3)]
        meta = f'{{"distribution": "d{number // 3}"}}'
        pairs.append(
            pair(f"{number:032x}", f"Count to {len(up)}.", " ".join(up), " ".join(up[::-1]), meta=meta)
        )
    return pairs


def write_pairs(path: Path, pairs: list[dict[str, Any]]) -> Path:
    pq.write_table(pa.Table.from_pylist(pairs, SCHEMA), path)
    return path
