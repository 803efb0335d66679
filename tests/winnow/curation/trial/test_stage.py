import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from winnow.core.errors import ConfigError
from winnow.core.stage import Stage
from winnow.curation.decontaminate import DecontaminateConfig, DecontaminateStage
from winnow.curation.quality import QualityStage
from winnow.curation.sanitize import SanitizeStage
from winnow.curation.trial import read_rows, try_rows

EMAIL = "ann.lee@corp-mail.io"
BROKEN = "def f(:\n"


def tried(tmp_path: Path, stage: Stage | None, rows: Iterable[Any], workers: int = 1) -> list[dict[str, Any]]:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(r if isinstance(r, str) else json.dumps(r) + "\n" for r in rows))
    return [json.loads(o.json_line()) for o in try_rows(stage, read_rows(path), workers)]


def said(outcomes: list[dict[str, Any]]) -> list[tuple[Any, str, str | None]]:
    return [(o["id"], o["decision"], o["rule"]) for o in outcomes]


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **more}


def test_normalize_tells_what_it_changed_and_what_it_parks(tmp_path: Path):
    rows = [
        {"id": "plain", "text": "x"},
        {"id": "chat", "messages": [user("q"), {"role": "developer", "content": "s"}]},
        {"id": "type", "text": 5},
        {"id": "nul", "text": "a\0b"},
        "not json\n",
    ]
    found = tried(tmp_path, None, rows)
    assert said(found) == [
        ("plain", "keep", None),
        ("chat", "keep", "role-mapped"),
        ("type", "park", "field-type"),
        ("nul", "park", "nul-byte"),
        ("line:5", "park", "malformed-json"),
    ]
    assert found[0]["output"] == {"text": "x"}
    assert found[1]["output"] == {"messages": [user("q"), {"role": "system", "content": "s"}]}
    assert found[2]["output"] is None


def test_another_stage_says_nothing_of_what_normalize_flags_but_parks_the_same_rows(tmp_path: Path):
    rows = [
        {"id": "chat", "messages": [{"role": "developer", "content": "s"}]},
        {"id": "type", "text": 5},
    ]
    for stage in (SanitizeStage(), QualityStage()):
        assert said(tried(tmp_path, stage, rows)) == [("chat", "keep", None), ("type", "park", "field-type")]


def test_spans_point_into_the_input_row(tmp_path: Path):
    row = {
        "id": 1,
        "messages": [
            user([{"type": "text", "text": "hi"}, {"type": "text", "text": f"to {EMAIL}"}]),
            {
                "role": "assistant",
                "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {"to": f"\n{EMAIL}"}}}],
            },
        ],
        "tools": [{"description": f"by {EMAIL}"}],
    }
    text = {"id": 2, "text": f"mail {EMAIL}, twice {EMAIL}"}
    found = tried(tmp_path, SanitizeStage(), [row, text])
    places = [[(s["path"], s["start"], s["end"]) for s in o["spans"]] for o in found]
    length = len(EMAIL)
    assert places == [
        [
            ("/messages/0/content/1/text", 3, 3 + length),
            ("/messages/1/tool_calls/0/function/arguments/to", 1, 1 + length),
            ("/tools/0/description", 3, 3 + length),
        ],
        [("/text", 5, 5 + length), ("/text", 13 + length, 13 + 2 * length)],
    ]
    assert [o["decision"] for o in found] == ["redact", "redact"]
    assert found[1]["output"] == {"text": "mail <EMAIL_ADDRESS_1>, twice <EMAIL_ADDRESS_1>"}
    assert EMAIL not in json.dumps(found)


def test_the_language_of_a_text_is_named_or_comes_from_its_id(tmp_path: Path):
    rows = [
        {"id": "named", "text": BROKEN, "language": "Python"},
        {"id": "src/a.py", "text": BROKEN},
        {"id": "a.txt", "text": BROKEN},
        {"id": "prose", "text": BROKEN},
        {"id": 5, "text": BROKEN},
        {"id": "b.py", "messages": [user("q"), {"role": "assistant", "content": BROKEN}]},
    ]
    found = tried(tmp_path, QualityStage(), rows)
    assert [o["decision"] for o in found] == ["drop", "drop", "keep", "keep", "keep", "keep"]
    assert found[0]["output"] is None
    assert found[0]["spans"][0]["path"] == "/text"


def test_a_folder_is_judged_as_a_source_of_files(tmp_path: Path):
    (tmp_path / "in").mkdir()
    for name, content in (
        ("bad.py", b"def f(:"),
        ("bom.py", b"\xef\xbb\xbfx = 1"),
        ("bin", b"\0\1"),
        ("t", b"x"),
    ):
        (tmp_path / "in" / name).write_bytes(content)

    def told(stage: Stage | None) -> list[tuple[Any, str, str | None]]:
        return said([json.loads(o.json_line()) for o in try_rows(stage, read_rows(tmp_path / "in"), 1)])

    assert told(QualityStage()) == [
        ("bad.py", "drop", "python-syntax"),
        ("bin", "park", "nul-byte"),
        ("bom.py", "keep", None),
        ("t", "keep", None),
    ]
    assert told(None)[2] == ("bom.py", "keep", "bom-removed")


def test_a_benchmark_of_ones_own_is_matched_by_item(tmp_path: Path):
    words = [f"word{n}" for n in range(40)]
    (tmp_path / "mine.jsonl").write_text(json.dumps({"id": "q/1", "prompt": " ".join(words)}) + "\n")
    config = DecontaminateConfig(benchmarks=(), files=(tmp_path / "mine.jsonl",))
    rows = [{"id": "a", "text": "so " + " ".join(words)}, {"id": "b", "text": "something else"}]
    first, second = tried(tmp_path, DecontaminateStage(config), rows)
    assert (first["decision"], first["matched_id"]) == ("drop", "mine:q/1")
    assert {span["path"] for span in first["spans"]} == {"/text"}
    assert (second["decision"], second["matched_id"]) == ("keep", None)


def test_a_benchmark_that_is_not_there_fails_before_the_first_row(tmp_path: Path):
    config = DecontaminateConfig(benchmarks=(), files=(tmp_path / "nope.jsonl",))
    with pytest.raises(ConfigError, match=r"nope.jsonl: no such file"):
        tried(tmp_path, DecontaminateStage(config), [])


def test_the_outcome_does_not_depend_on_workers(tmp_path: Path):
    rows = [
        {"id": n, "text": f"row {n} to u{n}@corp-mail.io" if n % 3 else n} if n % 7 else "{\n"
        for n in range(900)
    ]
    one, two = (tried(tmp_path, SanitizeStage(), rows, workers) for workers in (1, 2))
    assert one == two
    assert len(one) == len(rows)
