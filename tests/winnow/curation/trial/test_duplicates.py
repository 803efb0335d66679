import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.dedup import DedupConfig, judge_rows
from winnow.curation.trial import read_rows, try_duplicates

WORDS = " ".join(f"w{n}" for n in range(60))


def tried(folder: Path, lines: list[Any], workers: int = 1) -> list[dict[str, Any]]:
    path = folder / "rows.jsonl"
    path.write_text("".join(r if isinstance(r, str) else json.dumps(r) + "\n" for r in lines))
    outcomes = try_duplicates(DedupConfig(), read_rows(path), workers)
    return [json.loads(o.json_line()) for o in outcomes]


def test_the_earlier_of_two_copies_is_kept_and_named_by_its_own_id(tmp_path: Path):
    lines = [
        {"id": "a", "text": WORDS},
        "\n",
        "broken\n",
        {"id": 7, "text": "something else entirely"},
        {"id": "b", "text": f"{WORDS} more"},
        {"id": "c", "messages": [{"role": "assistant", "content": WORDS}]},
        {"id": "d", "text": "something else entirely"},
        {"text": WORDS},
    ]
    found = tried(tmp_path, lines)
    assert [(o["id"], o["decision"], o["rule"], o["matched_id"]) for o in found] == [
        ("a", "keep", None, None),
        ("line:3", "park", "malformed-json", None),
        (7, "keep", None, None),
        ("b", "drop", "near-duplicate", "a"),
        ("c", "drop", "exact-duplicate", "a"),
        ("d", "drop", "exact-duplicate", 7),
        ("line:8", "park", "missing-id", None),
    ]
    assert found[0]["output"] == {"text": WORDS}
    assert found[3]["output"] is None
    assert 0.7 <= found[3]["score"] < 1 == found[4]["score"]


def test_nothing_gives_nothing(tmp_path: Path):
    assert tried(tmp_path, []) == []
    assert [o["decision"] for o in tried(tmp_path, ["x\n", "y\n"])] == ["park", "park"]


@given(st.lists(st.sampled_from([WORDS, WORDS[:-4], "a b c", "a b d", "x"]), max_size=12))
def test_it_decides_as_deduplication_does(tmp_path_factory, texts: list[str]):
    rows = [{"id": f"r{n}", "text": text} for n, text in enumerate(texts)]
    found = tried(tmp_path_factory.mktemp("rows"), rows)
    expected = judge_rows([(row["id"], row["text"]) for row in rows])
    assert [o["matched_id"] for o in found] == [v.matched_id if v else None for v in expected]
    assert [o["rule"] for o in found] == [v.rule if v else None for v in expected]


def test_workers_and_the_place_of_spill_files_do_not_matter(tmp_path: Path, monkeypatch):
    (tmp_path / "spill").mkdir()
    monkeypatch.setenv("WINNOW_SPILL", str(tmp_path / "spill"))
    rows = [{"id": n, "text": f"row number {n % 50} of many rows"} for n in range(900)]
    assert tried(tmp_path, rows, 2) == tried(tmp_path, rows, 1)
    assert list((tmp_path / "spill").iterdir()) == []
