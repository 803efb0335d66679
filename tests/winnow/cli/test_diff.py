import json

import pytest
from small_lake import conversation, publish_layer, sample, version_of

from schemas.rows import CONVERSATIONS, SANITIZED
from winnow.core.stage import Span, Verdict
from winnow.lake.access import access_records
from winnow.lake.lake import Lake

SECRET = "ada@private.example.net"
CONTENT = "/messages/0/content"
ROWS = sample()


@pytest.fixture
def planted(lake) -> Lake:
    """A source `gamma` up to sanitized: one row redacted, one dropped, one flagged, one plain."""
    opened: Lake = lake[0]
    texts = [f"mail {SECRET}\nnow", f"drop {SECRET}", "see 8.8.8.8 there", "plain"]
    rows = [conversation("gamma", f"k{n}", text) for n, text in enumerate(texts)]
    publish_layer(opened, "normalize", CONVERSATIONS, "gamma", 4, rows)
    redacted = conversation("gamma", "k0", "mail <EMAIL_ADDRESS_1>\nnow")

    def verdict(row: int, decision: str, category: str, start: int, end: int) -> Verdict:
        span = Span(category, "d", CONTENT, start, end)
        return Verdict(rows[row]["row_id"], "gamma", decision, f"{category}/d", spans=(span,))

    verdicts = [
        verdict(0, "redact", "email_address", 5, 5 + len(SECRET)),
        verdict(1, "drop", "email_address", 5, 5 + len(SECRET)),
        verdict(2, "keep", "ip_address", 4, 11),
    ]
    kept = [{**redacted, "row_id": rows[0]["row_id"]}, rows[2], rows[3]]
    inputs = version_of(opened, "conversations", "gamma")
    publish_layer(opened, "sanitize", SANITIZED, "gamma", 4, kept, verdicts, inputs)
    return opened


def test_what_was_found_shows_only_after_the_restricted_zone_was_opened(winnow, planted: Lake):
    shown = winnow("diff", "sanitize", "--source", "gamma")
    assert SECRET not in shown.out + shown.err
    assert "mail ⟦<EMAIL_ADDRESS_1>⟧" in shown.out
    assert "see ⟦8.8.8.8⟧ there" in shown.out
    assert shown.lines[-1] == "sanitize: 1 of 1 dropped, 1 of 1 redacted, 1 of 1 kept"
    assert "--restricted --why TEXT shows it" in shown.err
    assert access_records(planted) == []
    opened = winnow("diff", "sanitize", "--source", "gamma", "--restricted", "--why", "are these right?")
    (redacted,) = [line for line in opened.lines if line.strip().startswith("mail")]
    assert [side.strip() for side in redacted.split(" | ")] == [
        f"mail ⟦{SECRET}⟧",
        "mail ⟦<EMAIL_ADDRESS_1>⟧",
    ]
    assert f"- drop ⟦{SECRET}⟧" in opened.out
    assert [record["why"] for record in access_records(planted)] == ["are these right?"]


def test_a_narrow_terminal_gets_one_side_under_the_other(winnow, planted: Lake, monkeypatch):
    monkeypatch.setattr("winnow.cli.diff.terminal_columns", lambda: 70)
    shown = winnow(
        "diff", "sanitized", "--decision", "redact", "--source", "gamma", "--restricted", "--why", "x"
    )
    lines = [line.strip() for line in shown.lines]
    assert lines[2:5] == [f"- mail ⟦{SECRET}⟧", "+ mail ⟦<EMAIL_ADDRESS_1>⟧", "now"]


def test_json_holds_whole_strings_and_marks_on_both_sides(winnow, planted: Lake):
    shown = winnow("diff", "sanitize", "--source", "gamma", "--json", "--restricted", "--reason", "x")
    told = {line["decision"]: line for line in map(json.loads, shown.lines)}
    (string,) = told["redact"]["strings"]
    assert (string["path"], string["before"]) == (CONTENT, f"mail {SECRET}\nnow")
    assert (string["marks_before"], string["marks_after"]) == ([[5, 28]], [[5, 22]])
    assert told["keep"]["strings"][0]["marks_after"] == [[4, 11]]
    hidden = winnow("diff", "sanitize", "--source", "gamma", "--json")
    assert SECRET not in hidden.out
    assert {string["before"] for line in map(json.loads, hidden.lines) for string in line["strings"]} == {
        None
    }


def test_a_duplicate_stands_beside_the_row_that_it_repeats(winnow, lake):
    shown = winnow("diff", "dedup", "--source", "alpha")
    kept, lost = ROWS["alpha"][0], ROWS["alpha"][1]
    assert lost["row_id"] in shown.lines[0]
    assert f"score 1.000, repeats {kept['row_id']}" in shown.lines[1]
    assert "(the same text)" in shown.out
    assert "def f(): return 1" in shown.out
    assert shown.err == ""
    assert shown.lines[-1] == "dedup: 1 of 1 dropped"


def test_a_row_dropped_in_the_open_zone_shows_its_text(winnow, lake):
    shown = winnow("diff", "curated", "--rule", "quality_rule", "--limit", "1")
    assert "- def broken(" in shown.out
    assert shown.lines[-1] == "quality: 1 of 1 dropped"


def test_the_same_seed_draws_the_same_rows_and_shares_the_limit(winnow, planted: Lake):
    once = winnow("diff", "sanitize", "--limit", "3", "--json").out
    assert once == winnow("diff", "sanitize", "--limit", "3", "--json").out
    assert sorted(json.loads(line)["decision"] for line in once.splitlines()) == ["drop", "keep", "redact"]
    drawn = {
        tuple(
            json.loads(line)["row_id"]
            for line in winnow(
                "diff", "sanitize", "--seed", n, "--limit", 1, "--decision", "redact", "--json"
            ).lines
        )
        for n in range(9)
    }
    assert len(drawn) > 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sanitise"], "No stage `sanitise`. Did you mean `sanitize`?"),
        (["sanitize", "--source", "alpa"], "No source `alpa` in the lake. There are alpha, beta."),
        (["dedup", "--rule", "exact_cpy"], "No rule `exact_cpy` fired in dedup. Did you mean `exact_copy`?"),
        (["dedup", "--decision", "lost"], "No decision `lost`. Give one of"),
        (["sanitize", "--restricted"], "Give one: --why TEXT"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(winnow, lake, arguments: list[str], said: str):
    refused = winnow("diff", *arguments)
    assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
    assert said in refused.err


def test_nothing_to_show_is_said(winnow):
    assert (
        winnow("diff", "dedup").out
        == "No row that was asked for was dropped or redacted or flagged in dedup.\n"
    )
