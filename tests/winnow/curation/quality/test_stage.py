import pickle
from typing import Any

import pyarrow as pa

from schemas.rows import ROW_COLUMNS
from winnow.core.config import load_model
from winnow.curation.quality import QualityConfig, QualityStage

SCHEMA = pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in ROW_COLUMNS])


def as_batch(*rows: tuple[str, str | None, str, str]) -> pa.RecordBatch:
    """Rows of (kind, language, role, content), numbered."""
    return pa.RecordBatch.from_pylist(
        [
            {
                "row_id": f"{i:032x}",
                "source": "s",
                "source_revision": "1",
                "kind": kind,
                "language": language,
                "content_hash": "0" * 64,
                "messages": [{"role": role, "content": content}],
            }
            for i, (kind, language, role, content) in enumerate(rows)
        ],
        schema=SCHEMA,
    )


def decisions(batch: pa.RecordBatch, **config: Any) -> dict[int, tuple[str, str]]:
    stage = pickle.loads(pickle.dumps(QualityStage(load_model(QualityConfig, config))))
    output = stage.run(batch)
    verdicts = output.verdicts.to_pylist()
    lost = {v["row_id"] for v in verdicts}
    assert output.kept.to_pylist() == [r for r in batch.to_pylist() if r["row_id"] not in lost]
    return {int(v["row_id"], 16): (v["decision"], v["rule"]) for v in verdicts}


BROKEN = "Here:\n```python\nx = (\n```\n"


def test_each_row_is_judged_by_its_kind_language_and_role() -> None:
    batch = as_batch(
        ("code", "Python", "assistant", "x = 1"),
        ("code", "python", "assistant", "x = ("),
        ("code", "java", "assistant", "x = ("),
        ("code", None, "assistant", "x = ("),
        ("sft", "python", "assistant", "x = ( is prose"),
        ("sft", None, "assistant", BROKEN),
        ("sft", None, "user", BROKEN),
        ("agent", None, "assistant", BROKEN.replace("(", "1")),
        ("code", "python", "assistant", "a\0"),
        ("code", "python", "assistant", "#" * 101),
    )
    assert decisions(batch, max_bytes=100) == {
        1: ("drop", "python-syntax"),
        5: ("drop", "python-syntax"),
        8: ("drop", "python-unparseable"),
        9: ("park", "too-large-to-parse"),
    }
    assert 5 not in decisions(batch, fences=False)


def test_a_fault_drops_before_a_size_parks_and_all_rules_are_told() -> None:
    text = f"```python\n{'#' * 100}\n```\né\n```python\ny = 1\nx = (\n```\n"
    output = QualityStage(load_model(QualityConfig, {"max_bytes": 50})).run(
        as_batch(("sft", None, "assistant", text))
    )
    (verdict,) = output.verdicts.to_pylist()
    assert (verdict["decision"], verdict["rule"]) == ("drop", "python-syntax")
    assert verdict["rules"] == ["python-syntax", "too-large-to-parse"]
    shown = [text[s["start"] : s["end"]] for s in verdict["spans"]]
    assert shown == ["#" * 100 + "\n", "x = ("]


def test_identity_is_the_config() -> None:
    assert QualityStage().identity() != QualityStage(load_model(QualityConfig, {"max_bytes": 5})).identity()
