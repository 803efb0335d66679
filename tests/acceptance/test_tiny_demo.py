"""The whole loop on a few hundred rows, as a new user runs it, and its second run."""

import json
import re

import pytest
from demo_run import Places
from finished_demo import Undisturbed
from lake_laws import (
    CURATED_TABLES,
    accounts_for_every_row,
    files_of,
    holds_no_unaudited_file,
    shows_only_audited_rows,
)

from winnow.lake.explanation import LAYERS

pytestmark = pytest.mark.slow
STEPS = re.compile(r"^\[ *[\d.]+ s\] (.*) \([\d.]+ s\)$", re.M)


def test_the_last_screen_tells_funnel_score_verdict_and_what_to_try(undisturbed: Undisturbed) -> None:
    screen = undisturbed.printed
    for layer in LAYERS.values():
        assert re.search(rf"^{layer} +in +[\d,]+", screen, re.M), layer
    assert re.search(r"^preference_accuracy +accuracy [\d.]+, reference 0.500 \(\d+ items\)", screen, re.M)
    assert re.search(r"^humaneval +pass@1 [\d.]+, reference [\d.]+ \(2 items\)", screen, re.M)
    assert re.search(r"held-out loss  [\d.]+ nats/token, base has [\d.]+ \(\d+ rows\)", screen)
    assert re.search(r"95 % interval \[[+-][\d.]+%, [+-][\d.]+%\]", screen)
    assert re.search(r"^gate +(promote|reject|inconclusive)", screen, re.M)
    assert len(re.findall(r"^  \S*winnow (?:sql|trace|rows) ", screen, re.M)) == 3
    assert re.search(r"^done in [\d.]+ s$", screen, re.M)


def test_the_gate_promotes_what_has_learned(undisturbed: Undisturbed) -> None:
    (line,) = json.loads(undisturbed.places.winnow("registry", "--json")).values()
    (decision,) = line["decisions"]
    assert decision["decision"]["verdict"] == "promote"
    assert decision["decision"]["d"] < 0
    assert [alias["alias"] for alias in line["aliases"]] == ["champion"]


def test_every_row_is_accounted_for(undisturbed: Undisturbed) -> None:
    lake = undisturbed.places.lake
    accounts_for_every_row(lake)
    shows_only_audited_rows(lake, [undisturbed.sight])
    holds_no_unaudited_file(lake, [undisturbed.sight])
    assert undisturbed.sight.tables["curated"]
    assert undisturbed.sight.tables["verdicts_dedup"]


def test_the_hash_command_says_what_the_library_says(undisturbed: Undisturbed) -> None:
    told = {line["table"]: line["hash"] for line in json.loads(undisturbed.places.winnow("hash", "--json"))}
    assert {name: told.get(name) for name in undisturbed.hashes} == undisturbed.hashes
    assert set(told) >= {*CURATED_TABLES, "checkpoints", "checkpoint_rows", "evaluations", "registry"}


def test_rows_of_the_checkpoint_are_those_that_were_trained_on(undisturbed: Undisturbed) -> None:
    places: Places = undisturbed.places
    (line,) = json.loads(places.winnow("registry", "--json")).values()
    name = line["aliases"][0]["checkpoint_id"]
    rows = [json.loads(text) for text in places.winnow("rows", name, "--json").splitlines()]
    assert [row["position"] for row in rows] == list(range(len(rows)))
    trained = {f"{row['row_id']}:{row['content_hash']}" for row in rows}
    pairs = {
        f"{row['row_id']}:{row['content_hash']}": row["split"]
        for batch in places.lake.scan("preference_pairs")
        for row in batch.to_pylist()
    }
    assert {pairs[name] for name in trained} == {"train"}
    assert {row["kind"] for row in rows} == {"preference"}


def test_the_checkpoint_that_preferences_went_on_from_was_trained_on_the_train_set(
    undisturbed: Undisturbed,
) -> None:
    places: Places = undisturbed.places
    made = {row["method"]: row for b in places.lake.scan("checkpoints") for row in b.to_pylist()}
    assert made["dpo"]["parent_checkpoint_id"] == made["sft"]["checkpoint_id"]
    rows = [json.loads(t) for t in places.winnow("rows", made["sft"]["checkpoint_id"], "--json").splitlines()]
    trained = {row["row_id"]: row["content_hash"] for row in rows}
    assert {f"{row}:{text}" for row, text in trained.items()} <= undisturbed.sight.identities["sft_train"]


def test_a_second_run_changes_nothing_and_says_so(undisturbed: Undisturbed) -> None:
    places = undisturbed.places
    before = files_of(places.lake)
    told = STEPS.findall(places.demo(train=True))
    assert files_of(places.lake) == before
    said = [word for step in told for word in re.split(r", |: ", step)]
    layers = [word for word in said if word.split(" ")[0] in CURATED_TABLES]
    assert len(layers) == 3 * 6 + 3
    assert [word for word in layers if not word.endswith(" unchanged")] == []
