import getpass

import pytest
from small_lake import batch, grown, lake_in, sample_rows, version_of

from schemas.rows import CURATED
from winnow.core.errors import AuditError
from winnow.core.identity import digest
from winnow.core.stage import StageOutput, verdict_batch
from winnow.lake.lake import Lake
from winnow.lake.publish import publish


def rejected(opened: Lake, rows: list[dict], inputs: dict[str, str], version: str = "0" * 32) -> str:
    with opened.candidate(CURATED, "alpha", "quality", version, "1", inputs) as candidate:
        candidate.write(StageOutput(len(rows), batch(CURATED, rows), verdict_batch([])))
    with pytest.raises(AuditError):
        publish(opened, candidate)
    return candidate.attempt


@pytest.fixture
def attempt(winnow, tmp_path) -> str:
    """A candidate with one row twice, made of an input that is gone."""
    return rejected(lake_in(tmp_path), [sample_rows("alpha", 5)[4]] * 2, {"decontaminated/alpha": "v"})


@pytest.fixture
def novel(winnow, tmp_path) -> str:
    """A candidate of a whole lake in which only the kind of every row is unknown."""
    opened = grown(tmp_path)
    rows = [
        {**row, "kind": "novel"} for b in opened.scan("decontaminated", ["alpha"]) for row in b.to_pylist()
    ]
    return rejected(opened, rows, version_of(opened, "decontaminated", "alpha"), digest("novel"))


def test_rejected_candidates_are_listed_and_shown_without_their_text(winnow, attempt: str):
    listed = winnow("rejected", "list")
    assert listed.lines[1].split()[:3] == [attempt, "curated", "alpha"]
    shown = winnow("rejected", "show", attempt)
    assert "rows     2 in, 2 kept" in shown.out
    assert "decontaminated/alpha at v" in shown.out
    assert f"winnow rejected retry {attempt}" in shown.out
    assert "winnow rejected accept" not in shown.out
    told = winnow("rejected", "show", attempt, "--json").json
    assert told["failures"] == winnow("rejected", "list", "--json").json[0]["failures"]
    assert told["final"] == told["failures"]
    assert told["manifest"]["stage"] == "quality"
    assert "question 4" not in listed.out + shown.out
    assert attempt in winnow("status").out


def test_nothing_rejected(winnow):
    assert winnow("rejected", "list").out == "No candidate is rejected.\n"
    for verb in (("show",), ("retry",), ("accept", "--reason", "why")):
        refused = winnow("rejected", *verb, "00000000")
        assert (refused.code, refused.err.count("\n")) == (1, 1)
        assert "No rejected candidate `00000000`" in refused.err


def test_an_accepted_candidate_is_published_and_named_wherever_one_looks(winnow, novel: str):
    assert f"winnow rejected accept {novel} --reason TEXT" in winnow("rejected", "show", novel).out
    answer = winnow("rejected", "accept", novel, "--reason", "the new kind is wanted")
    assert answer.code == 0, answer.err
    assert answer.lines == [
        f"{novel} is published as curated/alpha, 6 rows",
        f"overridden by {getpass.getuser()}: kind is known",
    ]
    assert winnow("rejected", "list").out == "No candidate is rejected.\n"
    (told,) = winnow("status", "--json").json["accepted"]
    assert (told["attempt"], told["overridden"], told["why"]) == (
        novel,
        "kind is known",
        "the new kind is wanted",
    )
    assert "the new kind is wanted" in winnow("status").out
    query = "SELECT a.why FROM acceptances a JOIN curated c USING (source) WHERE kind = 'novel' LIMIT 1"
    assert winnow("sql", "--json", query).json == {"why": "the new kind is wanted"}


@pytest.mark.parametrize("verb", [("retry",), ("accept", "--reason", "it is mine")])
def test_what_cannot_be_published_is_refused_in_one_line(winnow, attempt: str, verb: tuple[str, ...]):
    refused = winnow("rejected", *verb, attempt)
    assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
    assert "is stale: its input decontaminated/alpha has moved since" in refused.err


def test_an_audit_that_fails_again_says_why(winnow, novel: str):
    refused = winnow("rejected", "retry", novel)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert "not true: kind is known: 6 rows" in refused.err


def test_accepting_asks_for_a_reason(winnow, novel: str):
    assert winnow("rejected", "accept", novel).code == 2
    assert "Give one: --reason TEXT" in winnow("rejected", "accept", novel, "--reason", " ").err


def test_a_programs_answer_names_the_partition(winnow, novel: str):
    told = winnow("rejected", "accept", novel, "--reason", "why", "--json").json
    assert (told["table"], told["source"], told["rows"], told["written"], told["overridden"]) == (
        "curated",
        "alpha",
        6,
        True,
        ["kind is known"],
    )
