"""A rejected candidate lies in the restricted zone with its reasons, and none of its text is in them."""

import json

import pytest
from small_lake import batch, conversation

from schemas.rows import SANITIZED
from winnow.core.errors import DataError
from winnow.core.identity import digest
from winnow.core.stage import StageOutput, verdict_batch
from winnow.lake.audit import audit
from winnow.lake.lake import Lake
from winnow.lake.rejected import audit_error, list_rejected, reject, show_rejected

TEXT = "planted-secret-text"


def _rejected(lake: Lake) -> str:
    row = {**conversation("s", "k", TEXT), "kind": "novel"}
    with lake.candidate(SANITIZED, "s", "sanitize", digest("v"), "1", {}) as candidate:
        candidate.write(StageOutput(1, batch(SANITIZED, [row]), verdict_batch([])))
    report = audit(candidate)
    folder = reject(candidate, report)
    assert candidate.attempt in str(audit_error(candidate, report, folder))
    return folder


def test_it_is_moved_whole_and_told(lake: Lake) -> None:
    folder = _rejected(lake)
    zone = lake.zone("restricted")
    names = [entry.path.removeprefix(folder + "/") for entry in zone.list(folder)]
    assert names == ["manifest.json", "part-00000.parquet", "reasons.json", "verdicts-00000.parquet"]
    assert not list(zone.list("_candidates"))
    (found,) = list_rejected(lake)
    assert (found.table, found.source, found.path) == ("sanitized", "s", folder)
    assert found.failures == ("sanitized: not true: kind is known: 1 rows",)
    assert not list(lake.zone("open").list())


def test_show_takes_an_attempt_or_its_folder(lake: Lake) -> None:
    folder = _rejected(lake)
    attempt = folder.rpartition("/")[2]
    by_attempt, manifest = show_rejected(lake, attempt)
    by_folder, _ = show_rejected(lake, folder)
    assert by_attempt == by_folder
    assert manifest["rows_in"] == 1
    assert TEXT not in json.dumps(manifest) + str(by_attempt)
    with pytest.raises(DataError, match="No rejected candidate `nope`"):
        show_rejected(lake, "nope")
