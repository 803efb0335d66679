import json
from pathlib import Path

from trained_lake import FIRST, contender, trained

from evaluation.gates import GatesConfig, decide_all
from evaluation.outcomes import Compared, NotRun
from winnow.cli.screen import last_screen
from winnow.lake.registry import record_decision

ACCURACY = Compared("accuracy", "higher", "absolute", 0.7, 0.5, 0.2, 0.1, 0.3, 20, 0.95)
LOSS = Compared("nats_per_token", "lower", "relative", 1.5, 1.6, -0.1, -0.2, 0.0, 20, 0.95)
GATES = {
    "heldout_loss": ("nats_per_token", "lower", "max_relative_worsening"),
    "preference_accuracy": ("accuracy", "higher", "max_absolute_worsening"),
}


def told(root: Path, required: str, outcomes: dict[str, Compared | NotRun]) -> str:
    """The screen after a decision by both gates, of which one is required."""
    gates = [
        {"benchmark": name, "metric": metric, "direction": better, scale: 0.05, "required": name == required}
        for name, (metric, better, scale) in GATES.items()
    ]
    lake, release = trained(root)
    config = GatesConfig.model_validate_json(json.dumps({"gates": gates}))
    decision = decide_all(config, outcomes, candidate=FIRST, reference="base")
    record_decision(lake, "sft", contender(release, FIRST), decision.record(), "gate")
    return last_screen(lake, 1.0)


def test_numbers_stand_under_the_name_of_what_was_measured(tmp_path: Path) -> None:
    both = {"heldout_loss": LOSS, "preference_accuracy": ACCURACY}
    by_loss = told(tmp_path / "loss", "heldout_loss", both)
    by_accuracy = told(tmp_path / "accuracy", "preference_accuracy", both)
    for screen in (by_loss, by_accuracy):
        assert "accuracy 0.700, reference 0.500" in screen
        assert screen.count("held-out loss") + screen.count("heldout_loss ") == 1
    assert "held-out loss  1.5000 nats/token, base has 1.6000" in by_loss
    assert "nats_per_token 1.500, reference 1.600" in by_accuracy
    assert "interval of worsening [-20.00%, +0.00%]" in by_accuracy
    assert "interval of worsening [-30.0, -10.0] points" in by_loss


def test_a_loss_that_was_not_measured_is_told_too(tmp_path: Path) -> None:
    screen = told(
        tmp_path, "heldout_loss", {"heldout_loss": NotRun("do this"), "preference_accuracy": ACCURACY}
    )
    assert "heldout_loss         not run: do this" in screen
