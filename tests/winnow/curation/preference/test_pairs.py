"""Every row in is the parent of one pair or dropped under one rule, and a pair says how it is proven."""

import json
from typing import Any

import pytest
from documented_rows import batches, row
from hypothesis import given
from hypothesis import strategies as st

from schemas.preference import PREFERENCE_PAIRS
from winnow.core.identity import conversation_hash
from winnow.core.stage import VERDICT_SCHEMA
from winnow.curation.preference import PreferenceConfig, Selection, judged_pairs
from winnow.curation.preference.doctests import Outcome
from winnow.curation.preference.functions import DocumentedFunction, documented_function
from winnow.curation.preference.mutations import mutants
from winnow.curation.preference.trials import Pair

CONFIG = PreferenceConfig()
SECRET = "printed by the run"


def text_of(number: int) -> str:
    return (
        f'def f{number}(a):\n    """\n    >>> f{number}(1)\n    {SECRET!r}\n    """\n    return a + {number}'
    )


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[dict[str, Any]], Selection, dict[str, Pair | str]]:
    """Rows of which some were chosen and run; of those some became pairs."""
    rows, chosen, found = [], Selection(), dict[str, Pair | str]()
    for number in range(draw(st.integers(0, 12))):
        made = row(text_of(number), path=f"m{number}.py", distribution=f"d{number % 3}")
        rows.append(made)
        function = documented_function(made)
        assert isinstance(function, DocumentedFunction)
        fate = draw(st.sampled_from(["pair", "pair", "rule", "left", "none"]))
        if fate in ("pair", "rule"):
            chosen.functions[function.row_id] = function
            chosen.splits[function.distribution] = "train" if function.distribution == "d0" else "heldout"
            mutant = next(mutants(function.text, draw(st.text("ab", max_size=3))))
            pair = Pair(mutant, Outcome(False, 0, "value"), 2)
            found[function.row_id] = pair if fate == "pair" else "doctest-fails"
        elif fate == "left":
            chosen.leave(function.source, function.row_id, "not-sampled")
        else:
            made["meta"] = None
    return rows, chosen, found


@given(runs(), st.integers(1, 5))
def test_rows_in_are_parents_of_pairs_or_dropped(
    made: tuple[list[dict[str, Any]], Selection, dict[str, Pair | str]], size: int
):
    rows, chosen, found = made
    judged = list(judged_pairs(batches(rows, size), chosen, found, CONFIG))
    assert sum(j.output.rows_in for j in judged) == len(rows)
    pairs = [pair for j in judged for pair in j.output.kept.to_pylist()]
    verdicts = [verdict for j in judged for verdict in j.output.verdicts.to_pylist()]
    assert sorted([p["parent_row_id"] for p in pairs] + [v["row_id"] for v in verdicts]) == sorted(
        r["row_id"] for r in rows
    )
    assert {p["parent_row_id"] for p in pairs} == {i for i, p in found.items() if isinstance(p, Pair)}
    for verdict in verdicts:
        assert verdict["decision"] == "drop"
        assert verdict["rule"] == (
            found.get(verdict["row_id"])
            or chosen.rules.get("written", {}).get(verdict["row_id"])
            or "no-function"
        )
    for j in judged:
        assert j.output.kept.schema.equals(PREFERENCE_PAIRS.arrow_schema())
        assert j.output.verdicts.schema.equals(VERDICT_SCHEMA)


@given(runs())
def test_a_pair_is_the_answer_of_its_row_and_the_same_with_one_fault(
    made: tuple[list[dict[str, Any]], Selection, dict[str, Pair | str]],
):
    rows, chosen, found = made
    by_id = {r["row_id"]: r for r in rows}
    for judged in judged_pairs(batches(rows), chosen, found, CONFIG):
        for pair in judged.output.kept.to_pylist():
            parent, fault = by_id[pair["parent_row_id"]], found[pair["parent_row_id"]]
            assert isinstance(fault, Pair)
            assert pair["chosen"] == parent["messages"][-1]["content"]
            assert pair["rejected"] == chosen.functions[parent["row_id"]].answer(fault.mutant.text)
            assert [m["content"] for m in pair["messages"]] == [m["content"] for m in parent["messages"][:-1]]
            said = [{"role": "assistant", "content": pair[name]} for name in ("chosen", "rejected")]
            assert pair["content_hash"] == conversation_hash([*pair["messages"], *said], None)
            assert pair["split"] == chosen.splits[pair["distribution"]]
            assert (pair["mutation"], pair["license"]) == (fault.mutant.operator, "MIT")
            assert len(pair["row_id"]) == 32


@given(runs())
def test_the_evidence_counts_runs_and_holds_no_output(
    made: tuple[list[dict[str, Any]], Selection, dict[str, Pair | str]],
):
    rows, chosen, found = made
    for judged in judged_pairs(batches(rows), chosen, found, CONFIG):
        for pair in judged.output.kept.to_pylist():
            evidence = json.loads(pair["evidence"])
            assert pair["evidence"] == json.dumps(evidence, sort_keys=True, separators=(",", ":"))
            assert evidence["chosen"] == {"passed_runs": 3}
            assert evidence["rejected"]["failed_runs"] == len(evidence["hash_seeds"]) == 3
            assert (evidence["rejected"]["failure"], evidence["rejected"]["example"]) == ("value", 0)
            assert evidence["mutants_tried"] == 2
            old, new = (pair[name].split("\n") for name in ("chosen", "rejected"))
            line = evidence["rejected"]["line"]
            assert old[:line] == new[:line]
            assert old[line] != new[line]
            assert SECRET not in pair["evidence"]


def test_a_function_that_was_chosen_and_not_run_is_no_silent_drop():
    function = documented_function(row(text_of(1)))
    assert isinstance(function, DocumentedFunction)
    chosen = Selection({function.row_id: function}, {}, {function.distribution: "train"})
    with pytest.raises(AssertionError, match="was not run"):
        list(judged_pairs(batches([row(text_of(1))]), chosen, {}, CONFIG))
