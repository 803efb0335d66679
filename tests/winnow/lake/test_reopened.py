"""A reopened candidate is the one that its stage closed, or is refused with what to do."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from small_lake import batch, conversation, publish_layer, version_of

from schemas.rows import CONVERSATIONS, SANITIZED
from schemas.verdicts import TOKEN_COUNTS, verdicts_contract
from winnow.core.errors import AuditError, DataError
from winnow.core.identity import digest
from winnow.core.stage import StageOutput, Verdict, verdict_batch
from winnow.lake.audit import audit
from winnow.lake.candidate import Candidate
from winnow.lake.lake import Lake
from winnow.lake.publish import publish
from winnow.lake.rejected import show_rejected
from winnow.lake.reopened import reopen
from winnow.lake.verdicts import publish_global_verdicts

ROWS = [conversation("s", f"k{n}", f"text {n}") for n in range(6)]


def with_input(lake: Lake) -> dict[str, str]:
    publish_layer(lake, "normalize", CONVERSATIONS, "s", len(ROWS), ROWS)
    return version_of(lake, "conversations", "s")


def rejected(lake: Lake, inputs: dict[str, str]) -> Candidate:
    """A candidate of `sanitized` with verdicts, tokens and a side table, whose first row has an unknown kind."""
    verdicts = verdict_batch(
        [Verdict(ROWS[0]["row_id"], "s", "drop", "r"), Verdict(ROWS[1]["row_id"], "s", "redact", "q")]
    )
    tokens = batch(
        TOKEN_COUNTS,
        [
            {"source": "s", "content_hash": r["content_hash"], "tokenizer_hash": "t", "tokens": 7}
            for r in ROWS
        ],
    )
    with lake.candidate(
        SANITIZED, "s", "sanitize", digest("v"), "1", inputs, token_of=lambda rows: [7] * rows.num_rows
    ) as made:
        kept = [{**ROWS[1], "kind": "novel"}, *ROWS[2:]]
        made.write(StageOutput(6, batch(SANITIZED, kept), verdicts, {"token_counts": tokens}))
        made.count("drop", "r", 0, 5)
    with pytest.raises(AuditError):
        publish(lake, made)
    return made


def test_it_is_the_one_that_was_closed(lake: Lake) -> None:
    made = rejected(lake, with_input(lake))
    found, opened = reopen(lake, made.attempt)
    for name in ("data_version", "counts", "rows", "rows_in", "inputs", "attempt", "stage_version", "base"):
        assert getattr(opened, name) == getattr(made, name), name
    assert opened.verdicts is not None
    assert made.verdicts is not None
    assert opened.verdicts.version.hexdigest() == made.verdicts.version.hexdigest()
    assert opened.side["token_counts"].version.hexdigest() == made.side["token_counts"].version.hexdigest()
    assert audit(opened) == made.report
    assert [f.rows for f in opened.all_files()] == [f.rows for f in made.all_files()]
    assert found.final == ()
    assert {k: v for k, v in opened.manifest().items() if k != "files"} == {
        k: v for k, v in made.manifest().items() if k != "files"
    }


def test_opening_writes_nothing(lake: Lake) -> None:
    made = rejected(lake, with_input(lake))
    before = [list(lake.zone(name).list()) for name in ("open", "restricted")]
    reopen(lake, made.attempt)
    assert [list(lake.zone(name).list()) for name in ("open", "restricted")] == before


def refused(lake: Lake, attempt: str) -> str:
    with pytest.raises(DataError) as error:
        reopen(lake, attempt)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_one_whose_input_moved_is_stale(lake: Lake) -> None:
    made = rejected(lake, with_input(lake))
    publish_layer(lake, "normalize", CONVERSATIONS, "s", 5, ROWS[:5], config={"newer": True})
    said = refused(lake, made.attempt)
    assert "is stale: its input conversations/s has moved since. Materialize asset `sanitized`" in said


def test_one_whose_input_is_gone_is_stale(lake: Lake) -> None:
    made = rejected(lake, {"conversations/s": "0" * 32})
    assert "its input conversations/s has moved since" in refused(lake, made.attempt)


def test_one_whose_partition_was_published_since_is_stale(lake: Lake) -> None:
    inputs = with_input(lake)
    made = rejected(lake, inputs)
    publish_layer(lake, "sanitize", SANITIZED, "s", 6, ROWS, inputs=inputs)
    assert "is stale: sanitized/s was published again since" in refused(lake, made.attempt)


def edit(key: str, value: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda manifest: {**manifest, key: value}


def without(key: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda manifest: {k: v for k, v in manifest.items() if k != key}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (edit("data_version", "0" * 32), "are not what its stage wrote"),
        (edit("files", []), "are not what its stage wrote"),
        (edit("files", [{"path": "x/odd.bin", "size": 1, "rows": 1}]), "are not what its stage wrote"),
        (without("base"), "was written by an older version"),
    ],
)
def test_one_that_was_altered_is_refused(
    lake: Lake, change: Callable[[dict[str, Any]], dict[str, Any]], said: str
) -> None:
    made = rejected(lake, with_input(lake))
    found, manifest = show_rejected(lake, made.attempt)
    zone = lake.zone("restricted")
    zone.put(f"{found.path}/manifest.json", json.dumps(change(manifest)).encode())
    assert said in refused(lake, made.attempt)


@pytest.mark.parametrize("torn", [b"", b"PAR1 torn"])
def test_one_with_a_torn_or_missing_file_is_refused(lake: Lake, torn: bytes) -> None:
    made = rejected(lake, with_input(lake))
    found, _ = show_rejected(lake, made.attempt)
    path = f"{found.path}/part-00000.parquet"
    if torn:
        lake.zone("restricted").put(path, torn)
    else:
        lake.zone("restricted").delete([path])
    assert "are not what its stage wrote" in refused(lake, made.attempt)


def test_a_slice_of_a_global_stage_is_refused(lake: Lake) -> None:
    broken = verdict_batch([Verdict(ROWS[0]["row_id"], "s", "perhaps", "r")])
    with pytest.raises(AuditError) as error:
        publish_global_verdicts(lake, "dedup", {"s": [broken]}, {"s": "v"}, digest("g"), {})
    assert verdicts_contract("dedup").table in error.value.rejected
    assert "Materialize asset `dedup_verdicts` instead" in refused(lake, error.value.rejected)
