"""What failed is published only when it passes now, or when a person answers for what may be answered for."""

import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from small_lake import Row, batch, conversation, publish_layer, version_of

from schemas import rows as row_contracts
from schemas.rows import CONVERSATIONS, SANITIZED
from winnow.core.errors import AuditError, ConfigError, DataError
from winnow.core.identity import digest
from winnow.core.stage import StageOutput, Verdict, verdict_batch
from winnow.lake import acceptances as acting
from winnow.lake import contracts
from winnow.lake.acceptances import accept, acceptances, retry
from winnow.lake.candidate import Candidate
from winnow.lake.lake import Lake
from winnow.lake.publish import publish
from winnow.lake.rejected import list_rejected
from winnow.lake.views import connect

TEXT = "planted-secret-text"
ROWS = [conversation("s", f"k{n}", f"{TEXT} {n}") for n in range(4)]
NOVEL = [{**ROWS[0], "kind": "novel"}, *ROWS[1:3]]


def rejected(
    lake: Lake, kept: list[Row] = NOVEL, dropped: list[Row] = ROWS[3:], rows_in: int = 4
) -> Candidate:
    publish_layer(lake, "normalize", CONVERSATIONS, "s", 4, ROWS)
    inputs = version_of(lake, "conversations", "s")
    with lake.candidate(SANITIZED, "s", "sanitize", digest("v"), "1", inputs) as made:
        verdicts = verdict_batch([Verdict(r["row_id"], "s", "drop", "r") for r in dropped])
        made.write(StageOutput(rows_in, batch(SANITIZED, kept), verdicts))
    with pytest.raises(AuditError):
        publish(lake, made)
    return made


def kinds_of(lake: Lake) -> list[str]:
    return sorted(r["kind"] for b in lake.scan("sanitized") for r in b.to_pylist())


def test_a_person_may_answer_for_an_overridable_invariant(lake: Lake) -> None:
    made = rejected(lake)
    found, published = accept(lake, made.attempt, "  the new kind is wanted ", who="ada")
    assert kinds_of(lake) == ["novel", "sft", "sft"]
    assert (published.written, published.state.rows) == (True, 3)
    assert found.checks == ("kind is known",)
    assert found.failures == ("sanitized: not true: kind is known: 1 rows",)
    assert (found.who, found.why, found.in_force) == ("ada", "the new kind is wanted", True)
    assert acceptances(lake) == [found]
    assert list_rejected(lake) == []
    assert not list(lake.zone("restricted").list("rejected"))
    counts = [r for b in lake.scan("stage_counts", ["sanitize/s"]) for r in b.to_pylist()]
    assert {(r["decision"], r["rows"]) for r in counts} == {("in", 4), ("keep", 3), ("drop", 1)}
    with connect(lake) as sql:
        told = sql.execute("FROM acceptances SELECT layer, source, who, why, checks").fetchall()
    assert told == [("sanitized", "s", "ada", "the new kind is wanted", ["kind is known"])]


def test_the_commit_that_publishes_it_says_who_and_why(lake: Lake) -> None:
    made = rejected(lake)
    accept(lake, made.attempt, "wanted", who="ada")
    zone = lake.zone("open")
    log = DeltaTable(zone.uri("sanitized"), storage_options=zone.settings.delta_options()).history(1)
    told = json.loads(log[0]["winnow.acceptance"])
    assert (told["who"], told["why"], told["checks"]) == ("ada", "wanted", ["kind is known"])


def test_an_acceptance_is_out_of_force_once_the_partition_is_built_again(lake: Lake) -> None:
    made = rejected(lake)
    accept(lake, made.attempt, "wanted")
    inputs = version_of(lake, "conversations", "s")
    publish_layer(lake, "sanitize", SANITIZED, "s", 4, ROWS, inputs=inputs)
    (found,) = acceptances(lake)
    assert found.in_force is False


STRAY = conversation("s", "stray", "never came in")


@pytest.mark.parametrize(
    ("kept", "dropped", "rows_in", "why"),
    [
        (ROWS[:2] + ROWS[:1], ROWS[2:], 4, "key (row_id) is not unique"),
        (NOVEL, [], 4, "4 rows in, but 3 kept + 0 dropped + 0 parked = 3"),
        ([*NOVEL, STRAY], [], 4, "kept rows that did not come in"),
        (ROWS, ROWS[:1], 5, "rows both kept and dropped"),
        ([{**ROWS[0], "row_id": "x"}, *ROWS[1:3]], ROWS[3:], 4, "row_id is 32 hex digits"),
        ([{**ROWS[0], "content_hash": "x"}, *ROWS[1:3]], ROWS[3:], 4, "content_hash is 64 hex digits"),
    ],
)
def test_nobody_may_override_keys_accounts_and_the_names_of_rows(
    lake: Lake, kept: list[Row], dropped: list[Row], rows_in: int, why: str
) -> None:
    made = rejected(lake, kept, dropped, rows_in)
    before = lake.head("sanitized").version
    with pytest.raises(DataError, match="cannot be accepted") as error:
        accept(lake, made.attempt, "please")
    assert why in str(error.value)
    assert "\n" not in str(error.value)
    assert TEXT not in str(error.value)
    assert (lake.head("sanitized").version, acceptances(lake)) == (before, [])
    assert len(list_rejected(lake)) == 1


def test_nobody_may_override_a_file_of_another_schema(lake: Lake) -> None:
    made = rejected(lake)
    path = f"{list_rejected(lake)[0].path}/part-00000.parquet"
    zone = lake.zone("restricted")
    stored = pq.read_table(pa.BufferReader(zone.read_bytes(path)))
    wide = stored.append_column("extra", pa.array([1] * stored.num_rows))
    with zone.open_output(path) as file:
        pq.write_table(wide, file)
    with pytest.raises(DataError, match="a column `extra` that the contract does not know"):
        accept(lake, made.attempt, "please")


@pytest.mark.parametrize("reason", ["", "  "])
def test_an_override_needs_a_reason(lake: Lake, reason: str) -> None:
    made = rejected(lake)
    with pytest.raises(ConfigError, match="--reason TEXT"):
        accept(lake, made.attempt, reason)


def test_retry_fails_as_long_as_the_audit_does_and_keeps_the_candidate(lake: Lake) -> None:
    made = rejected(lake)
    listed = list_rejected(lake)
    before = list(lake.zone("restricted").list("rejected"))
    with pytest.raises(AuditError, match="kind is known"):
        retry(lake, made.attempt)
    assert list_rejected(lake) == listed
    assert list(lake.zone("restricted").list("rejected")) == before


def test_retry_publishes_what_passes_by_the_contract_of_today(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rejected(lake)
    kinds = f"kind IN {(*row_contracts.KINDS, 'novel')}"
    wider = replace(SANITIZED, invariants={**SANITIZED.invariants, "kind is known": kinds})
    monkeypatch.setitem(contracts.declared(), "sanitized", wider)
    with pytest.raises(DataError, match=f"winnow rejected retry {made.attempt}"):
        accept(lake, made.attempt, "wanted")
    found, published = retry(lake, made.attempt)
    assert (found.attempt, published.written) == (made.attempt, True)
    assert kinds_of(lake) == ["novel", "sft", "sft"]
    assert (list_rejected(lake), acceptances(lake)) == ([], [])


def test_retry_tells_the_reasons_of_today(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    made = rejected(lake)
    stricter = replace(SANITIZED, invariants={"a licence is known": "license = 'GPL'"})
    monkeypatch.setitem(contracts.declared(), "sanitized", stricter)
    with pytest.raises(AuditError, match="a licence is known"):
        retry(lake, made.attempt)
    (found,) = list_rejected(lake)
    assert found.failures == ("sanitized: not true: a licence is known: 3 rows",)


def test_a_crash_after_the_commit_leaves_what_a_second_try_clears_away(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rejected(lake)
    with monkeypatch.context() as patched:
        patched.setattr(Candidate, "discard", lambda self: None)
        accept(lake, made.attempt, "wanted", who="ada")
    assert len(list_rejected(lake)) == 1
    again, published = acting.accept(lake, made.attempt, "wanted", who="ada")
    assert (published.written, again.in_force) == (False, True)
    assert list_rejected(lake) == []
    assert len(acceptances(lake)) == 1
