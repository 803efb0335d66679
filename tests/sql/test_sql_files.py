import re
from pathlib import Path

import pytest
from small_lake import grown, lake_in, sample

from winnow.lake.contracts import declared
from winnow.lake.views import SQL, connect, question

VIEWS = sorted((SQL / "views").glob("*.sql"))
RESTRICTED = sorted((SQL / "restricted").glob("*.sql"))
QUESTIONS = sorted((SQL / "questions").glob("*.sql"))
ROWS = sample()


@pytest.mark.parametrize("file", [*VIEWS, *RESTRICTED, *QUESTIONS], ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_the_first_line_says_what_it_is(file: Path) -> None:
    first, *rest = file.read_text().splitlines()
    assert re.fullmatch(r"-- [A-Z].{20,}[.?,]?.*", first)
    assert rest


def test_no_file_is_left_out() -> None:
    assert {f.stem for f in SQL.rglob("*.sql")} == {f.stem for f in [*VIEWS, *RESTRICTED, *QUESTIONS]}
    assert len(QUESTIONS) >= 5


def test_every_open_table_has_a_view_and_registry_two() -> None:
    tables = {t for t, c in declared().items() if c.zone == "open"} - {"registry"}
    assert tables <= {f.stem for f in VIEWS}
    assert {t for t, c in declared().items() if c.zone == "restricted"} == {f.stem for f in RESTRICTED}


@pytest.mark.parametrize("state", ["empty", "grown"])
def test_every_file_runs(tmp_path: Path, state: str) -> None:
    lake = grown(tmp_path) if state == "grown" else lake_in(tmp_path)
    with connect(lake, restricted=True, why="test") as sql:
        for file in [*VIEWS, *RESTRICTED]:
            sql.execute(file.read_text())
            sql.execute(f"FROM {file.stem}").fetchall()
        for file in QUESTIONS:
            assert (sql.execute(file.read_text()).fetchall() != []) == asks_for_the_lake(file, state)


def asks_for_the_lake(file: Path, state: str) -> bool:
    text = file.read_text()
    return state == "grown" and "getvariable('row_id')" not in text and "FROM model_calls" not in text


def test_why_was_this_row_dropped(tmp_path: Path) -> None:
    with connect(grown(tmp_path)) as sql:
        sql.execute("SET VARIABLE row_id = ?", [ROWS["beta"][0]["row_id"]])
        found = sql.execute(question("why_dropped")).fetchall()
    assert [row[:4] for row in found] == [
        ("sanitize", "beta", "redact", "email_address"),
        ("dedup", "beta", "drop", "exact_copy"),
    ]


@pytest.mark.parametrize("asked", [0, 1])
def test_which_rows_are_copies_of_this_one(tmp_path: Path, asked: int) -> None:
    """The kept row and each that lost to it give the same answer."""
    kept = ROWS["alpha"][0]["row_id"]
    with connect(grown(tmp_path)) as sql:
        sql.execute("SET VARIABLE row_id = ?", [ROWS["alpha"][asked]["row_id"]])
        found = sql.execute(question("duplicates_of")).fetchall()
    assert {row[0] for row in found} == {r["row_id"] for r in (ROWS["alpha"][1], *ROWS["beta"][:2])}
    assert {row[4] for row in found} == {kept}


def test_rows_of_a_source_and_licence(tmp_path: Path) -> None:
    with connect(grown(tmp_path)) as sql:
        assert sql.execute(question("rows_by_source_and_license")).fetchall() == [
            ("alpha", "MIT", 5),
            ("beta", "MIT", 2),
        ]


def test_tokens_of_a_source_and_language(tmp_path: Path) -> None:
    with connect(grown(tmp_path)) as sql:
        assert sql.execute(question("tokens_by_source_and_language")).fetchall() == [
            ("alpha", "(none)", "t", 4, 28),
            ("alpha", "python", "t", 1, 7),
            ("beta", "(none)", "t", 2, 14),
        ]
