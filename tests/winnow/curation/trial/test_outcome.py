import json

from winnow.curation.trial import Outcome
from winnow.curation.trial.outcome import outcome_of, output_of

FORM = ["id", "decision", "rule", "rules", "score", "matched_id", "spans", "output"]


def test_a_line_has_always_the_same_form():
    for outcome in (
        Outcome('"a"', output={"text": "x\u2028\n"}),
        Outcome("7", "park", "nul-byte", ("nul-byte",)),
        Outcome('"b"', "drop", "near-duplicate", ("near-duplicate",), 0.75, '"a"'),
    ):
        line = outcome.json_line()
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")
        assert list(json.loads(line)) == FORM


def test_a_plain_keep_says_no_rule():
    told = json.loads(outcome_of("1", None, {"text": "x"}).json_line())
    assert told == dict(zip(FORM, [1, "keep", None, [], None, None, [], {"text": "x"}], strict=True))


def test_an_output_has_the_form_of_its_input_and_no_nulls():
    call = {"id": None, "name": "f", "arguments": "{}"}
    message = {"role": "assistant", "content": None, "reasoning": "r", "tool_calls": [call], "name": None}
    row = {"messages": [message], "tools": "[]"}
    shown = {"role": "assistant", "reasoning": "r", "tool_calls": [{"name": "f", "arguments": "{}"}]}
    assert output_of(row, "messages") == {"messages": [shown], "tools": "[]"}
    text = {"messages": [{"role": "assistant", "content": "x"}], "tools": None}
    assert output_of(text, "text") == {"text": "x"}
