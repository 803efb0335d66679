import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from winnow.lake.access import access_records
from winnow.lake.lake import Lake

COUNT = "SELECT count(*) AS n FROM sft_train"


def test_a_query_prints_an_aligned_table(winnow, lake):
    answer = winnow(
        "sql", "SELECT source, count(*) AS rows, NULL AS x FROM sft_train GROUP BY ALL ORDER BY ALL"
    )
    assert answer.lines == [
        "source  rows  x",
        "------------------",
        "alpha      5  NULL",
        "beta       2  NULL",
        "(2 rows)",
    ]


def test_json_is_an_object_a_row_and_csv_has_a_header(winnow, lake):
    query = "FROM sft_train SELECT row_id, messages, license, meta ORDER BY row_id"
    rows = [json.loads(line) for line in winnow("sql", "--json", query).lines]
    assert len(rows) == 7
    assert rows[0]["messages"][0]["role"] == "user"
    parsed = list(csv.DictReader(io.StringIO(winnow("sql", "--csv", query).out)))
    assert [row["row_id"] for row in parsed] == [row["row_id"] for row in rows]
    assert json.loads(parsed[0]["messages"]) == rows[0]["messages"]
    assert parsed[0]["meta"] == ""


def test_long_answers_are_cut_in_a_table_only(winnow):
    query = "SELECT range AS n FROM range(250)"
    table = winnow("sql", query).lines
    assert len(table) == 203
    assert table[-1] == "(200 rows of more; --csv or --json for all)"
    assert len(winnow("sql", "--json", query).lines) == 250
    assert len(winnow("sql", "--csv", query).lines) == 251


def test_several_statements_run_in_one_session(winnow):
    answer = winnow("sql", "--json", "SET VARIABLE x = 3; SELECT getvariable('x') AS x; SELECT 4 AS y;")
    assert answer.out == '{"x": 3}\n{"y": 4}\n'


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELEC 1", 'syntax error at or near "SELEC"'),
        ("SELECT nope FROM sft_train", "Candidate bindings"),
        ("FROM curatde", "Did you mean"),
        ("SELECT CAST('a' AS INTEGER)", "Could not convert"),
    ],
)
def test_bad_sql_is_one_line(winnow, lake, query: str, words: str):
    answer = winnow("sql", query)
    assert answer.code == 1
    assert answer.err.startswith("error: SQL: ")
    assert answer.err.count("\n") == 1
    assert words in answer.err


def test_text_out_of_data_cannot_move_the_cursor(winnow):
    assert "\\x1b[2Ja\\nb" in winnow("sql", "SELECT chr(27) || '[2Ja' || chr(10) || 'b' AS x").out


def test_a_release_answers_as_it_was(winnow, lake):
    _, release = lake
    assert winnow("sql", "--json", "--release", release.name, COUNT).json == {"n": 7}
    refused = winnow("sql", "--release", "nope", COUNT)
    assert refused.code == 1
    assert f"There are {release.name}" in refused.err


def test_the_restricted_zone_opens_for_a_reason_that_is_recorded(winnow, lake):
    opened: Lake = lake[0]
    query = "SELECT count(*) AS n FROM raw"
    assert "Table with name raw does not exist" in winnow("sql", query).err
    for reason in ([], ["--why", " "]):
        refused = winnow("sql", "--restricted", *reason, query)
        assert refused.code == 1
        assert "Give one: --why TEXT" in refused.err
    assert access_records(opened) == []
    assert winnow("sql", "--json", "--restricted", "--why", "a parse fault", query).json == {"n": 14}
    (record,) = access_records(opened)
    assert record["why"] == "a parse fault"


def test_json_and_csv_together_are_refused(winnow):
    assert winnow("sql", "--json", "--csv", "SELECT 1").code == 1


def cli(*arguments: str, **more) -> subprocess.CompletedProcess[str]:
    code = "import sys; from winnow.cli.main import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **more)


def test_statements_come_from_a_pipe(winnow, lake):
    result = cli("sql", "--csv", input=f"{COUNT};\nSELECT 1 AS one;\n")
    assert (result.returncode, result.stdout) == (0, "n\n7\none\n1\n")
    failed = cli("sql", input="SELECT 1 AS one; SELECT CAST('a' AS INTEGER); SELECT 2;")
    assert failed.returncode == 1
    assert "one" in failed.stdout
    assert failed.stderr.startswith("error: SQL: Conversion Error")


def test_a_shell_goes_on_after_an_error(winnow, lake):
    ours, theirs = pty.openpty()
    code = "import sys; from winnow.cli.main import main; sys.argv[1:] = ['sql']; main()"
    shell = subprocess.Popen(
        [sys.executable, "-c", code], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    os.write(ours, b".tables\nbad;\nSELECT 20 +\n22 AS x;\n.quit\n")
    out, errors = shell.communicate(timeout=120)
    for descriptor in (ours, theirs):
        os.close(descriptor)
    assert shell.returncode == 0
    assert b"sft_train" in out
    assert b"\n42\n(1 row)" in out
    assert b"error: SQL: Parser Error" in errors


def test_the_questions_of_the_readme_have_answers(winnow, lake):
    section = (
        (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8").split("## Five questions")[1]
    )
    answer = winnow("sql", section.split("```sql")[1].split("```")[0])
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.count(" rows)") + answer.out.count(" row)") == 5


def test_views_are_a_file_for_plain_duckdb(winnow, lake, tmp_path: Path):
    answer = winnow("views", "--out", tmp_path / "lake.sql")
    assert answer.lines == [f"wrote {tmp_path}/lake.sql; open it with: duckdb -init {tmp_path}/lake.sql"]
    with duckdb.connect(":memory:") as plain:
        plain.execute((tmp_path / "lake.sql").read_text())
        assert plain.execute(COUNT).fetchone() == (7,)
    refused = winnow("views", "--out", tmp_path / "nope" / "lake.sql")
    assert refused.code == 1
    assert "Give another --out" in refused.err
