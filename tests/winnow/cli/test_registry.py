import pytest
from trained_lake import FIRST, SECOND, contender, decision

from winnow.lake.registry import record_decision, swap


def test_the_registry_tells_aliases_and_decisions(winnow, lake):
    opened, release = lake
    assert winnow("registry").out.startswith("No decision was taken yet")
    swap(opened, "sft", None, contender(release, FIRST), decision(FIRST, "base", "promote"), "gate")
    record_decision(opened, "sft", contender(release, SECOND), decision(SECOND, FIRST, "reject"), "gate")
    answer = winnow("registry")
    assert f"champion  {FIRST}" in answer.out
    assert "-2.00% [-3.00%, -1.00%]" in answer.lines[-1]
    assert answer.lines[-1].split()[4:6] == ["reject", FIRST]
    told = winnow("registry", "sft", "--json").json["sft"]
    assert [d["decision"]["verdict"] for d in told["decisions"]] == ["promote", "reject"]
    assert [a["checkpoint_id"] for a in told["aliases"]] == [FIRST]
    assert "There are sft." in winnow("registry", "nope").err


@pytest.mark.parametrize(
    ("scale", "shown"),
    [
        ("relative", "-2.00% [-3.00%, -1.00%]"),
        ("absolute", "-2.0 [-3.0, -1.0] points"),
        (None, "-2.00% [-3.00%, -1.00%]"),
    ],
)
def test_a_worsening_is_told_in_its_scale(winnow, lake, scale: str | None, shown: str):
    opened, release = lake
    taken = dict(decision(FIRST, "base", "promote"))
    if scale is not None:
        taken |= {"metric": "some", "gates": [{"benchmark": "other"}, {"benchmark": "some", "scale": scale}]}
    record_decision(opened, "sft", contender(release, FIRST), taken, "gate")
    assert shown in winnow("registry").lines[-1]


def test_promote_moves_only_with_a_decision(winnow, lake):
    opened, release = lake
    refused = winnow("promote", FIRST)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert "dg launch --job evaluate" in refused.err
    record_decision(opened, "sft", contender(release, FIRST), decision(FIRST, "base", "promote"))
    assert winnow("promote", FIRST[:8]).out == f"{FIRST} is now champion of sft\n"
    assert winnow("promote", FIRST).out == f"{FIRST} is champion of sft already\n"
    record_decision(opened, "sft", contender(release, SECOND), decision(SECOND, FIRST, "promote"))
    assert winnow("promote", SECOND, "--json").json == {
        "model": "sft",
        "moved": True,
        "champion": SECOND,
        "previous": FIRST,
    }
