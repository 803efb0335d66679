import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from preferences import counting, pair
from safetensors.numpy import load_file
from training_runs import TOLERANCE, margins

from training.base import BaseModel
from training.dpo import train, verify
from training.dpo_job import DpoResult, DpoStep, StartAdapter, read_result
from training.job import ADAPTER
from winnow.core.errors import ConfigError, DataError
from winnow.models.chat import ChatEncoder
from winnow.models.child import Events
from winnow.models.local import load_adapter, load_causal_lm
from winnow.models.pairs import encode_pair

PLAIN: dict[str, Any] = {"scheduler": "constant", "warmup_steps": 0}
Make = Callable[..., Path]


def in_process(job: Path, events: Events) -> DpoResult:
    return train(json.loads(job.read_text()), events)


def steps(result: DpoResult) -> list[DpoStep]:
    return [step for step in result.steps if isinstance(step, DpoStep)]


def test_the_first_loss_is_ln_2_and_the_reference_is_the_start(make_dpo_job: Make, quiet: Events) -> None:
    """The start has learned; were the base the reference, the first margin would not be zero."""
    result = in_process(make_dpo_job("run", counting(12), batch_size=4, max_steps=2), quiet)
    first = steps(result)[0]
    assert first.loss == pytest.approx(math.log(2), abs=1e-6)
    assert (first.margin, first.accuracy) == (pytest.approx(0.0, abs=1e-6), 0.0)
    assert first.chosen_reward == first.rejected_reward == pytest.approx(0.0, abs=1e-6)
    assert result.probe.loss < result.probe.base_loss - 0.01


def summed(model: Any, prompt: tuple[int, ...], answer: tuple[int, ...]) -> float:
    """Log-likelihood of the answer after the prompt, by definition."""
    import torch

    ids = prompt + answer
    with torch.inference_mode():
        logs = model(torch.tensor([ids])).logits.double().log_softmax(-1)[0]
    return sum(float(logs[n - 1, ids[n]]) for n in range(len(prompt), len(ids)))


def by_formula(fields: dict[str, Any], chosen: tuple[float, int], rejected: tuple[float, int]) -> float:
    """The loss of a pair from the log ratio and the tokens of each answer, as the papers give it."""
    beta, smoothing = fields["beta"], fields.get("label_smoothing", 0.0)
    d = chosen[0] - rejected[0]

    def log_sigmoid(x: float) -> float:
        return -math.log1p(math.exp(-x))

    if fields["loss_type"] == "hinge":
        return max(0.0, 1 - beta * d)
    if fields["loss_type"] == "ipo":
        return float((chosen[0] / chosen[1] - rejected[0] / rejected[1] - 1 / (2 * beta)) ** 2)
    flipped = smoothing * log_sigmoid(-beta * d)
    return (-(1 - smoothing) * log_sigmoid(beta * d) + flipped) / (1 - 2 * smoothing)


@pytest.mark.parametrize(
    "fields",
    [
        {"loss_type": "sigmoid", "beta": 0.1},
        {"loss_type": "sigmoid", "beta": 0.7},
        {"loss_type": "robust", "beta": 0.3, "label_smoothing": 0.2},
        {"loss_type": "ipo", "beta": 0.2},
        {"loss_type": "hinge", "beta": 0.4},
    ],
)
def test_a_loss_is_that_of_the_paper(
    make_dpo_job: Make,
    quiet: Events,
    tmp_path: Path,
    tiny_base: BaseModel,
    start: StartAdapter,
    fields: dict[str, Any],
) -> None:
    """Of two steps the second starts from the policy that one step alone leaves."""
    pairs = counting(12)
    same = {**PLAIN, **fields, "batch_size": 3, "learning_rate": 5.0e-3}
    in_process(make_dpo_job("one", pairs, max_steps=1, **same), quiet)
    found = steps(in_process(make_dpo_job("two", pairs, max_steps=2, **same), quiet))[1]
    base = Path(tiny_base.path)
    policy = load_adapter(load_causal_lm(base), tmp_path / "one" / ADAPTER)
    reference = load_adapter(load_causal_lm(base), start.path)
    encoder = ChatEncoder.from_files(base / "tokenizer.json", Path(tiny_base.template))
    by_id = {p["row_id"]: p for p in pairs}
    losses, margins = [], []
    for row in map(by_id.__getitem__, found.row_ids):
        encoded = encode_pair(encoder, row["messages"], row["chosen"], row["rejected"], 512)
        ratios = [
            (summed(policy, encoded.prompt, a) - summed(reference, encoded.prompt, a), len(a))
            for a in (encoded.chosen, encoded.rejected)
        ]
        losses.append(by_formula(fields, ratios[0], ratios[1]))
        margins.append(fields["beta"] * (ratios[0][0] - ratios[1][0]))
    assert found.loss == pytest.approx(sum(losses) / 3, abs=TOLERANCE)
    assert found.margin == pytest.approx(sum(margins) / 3, abs=TOLERANCE)
    assert found.accuracy == pytest.approx(sum(m > 0 for m in margins) / 3)
    assert abs(found.margin) > 10 * TOLERANCE


def test_training_widens_the_margin(make_dpo_job: Make, quiet: Events, tmp_path: Path) -> None:
    result = in_process(make_dpo_job("run", counting(12), max_steps=12), quiet)
    last = steps(result)[-1]
    assert last.loss < math.log(2) - 0.005
    assert last.margin > 0.01
    assert last.accuracy == 1.0
    assert read_result(tmp_path / "run") == result


def test_the_start_and_what_was_refused_are_recorded(
    make_dpo_job: Make, quiet: Events, tmp_path: Path, start: StartAdapter
) -> None:
    pairs = [*counting(5), pair("e" * 32, "x", "same", "same")]
    result = in_process(make_dpo_job("run", pairs, max_steps=3), quiet)
    assert [r["row_id"] for r in result.refused] == ["e" * 32]
    assert (result.start, result.code_version) == (start.hash, "dpo-1")
    files = {"adapter_config.json", "adapter_model.safetensors", "chat_template.jinja"}
    assert {p.name for p in (tmp_path / "run" / ADAPTER).rglob("*")} == files


def test_four_at_once_equal_four_one_after_another(make_dpo_job: Make, quiet: Events) -> None:
    together = in_process(make_dpo_job("a", counting(12), batch_size=4, max_steps=3, **PLAIN), quiet)
    apart = in_process(
        make_dpo_job("b", counting(12), batch_size=1, gradient_accumulation=4, max_steps=3, **PLAIN), quiet
    )
    assert [s.loss for s in together.steps] == pytest.approx([s.loss for s in apart.steps], abs=TOLERANCE)
    assert margins(together) == pytest.approx(margins(apart), abs=TOLERANCE)
    assert together.probe.loss == pytest.approx(apart.probe.loss, abs=TOLERANCE)


def test_what_was_trained_is_verified_and_is_not_the_start(
    make_dpo_job: Make, quiet: Events, tmp_path: Path, start: StartAdapter
) -> None:
    job = make_dpo_job("run", counting(8), max_steps=3)
    in_process(job, quiet)
    found = verify(json.loads(job.read_text()))
    assert found.passed
    assert found.reproduced_loss == pytest.approx(found.recorded_loss, abs=1e-6)
    before = load_file(start.path / "adapter_model.safetensors")
    after = load_file(tmp_path / "run" / ADAPTER / "adapter_model.safetensors")
    assert before.keys() == after.keys()
    assert any(not np.array_equal(before[name], after[name]) for name in before)
    still = make_dpo_job("still", counting(8), max_steps=1, learning_rate=1.0e-30, **PLAIN)
    in_process(still, quiet)
    assert verify(json.loads(still.read_text())).faults == (
        "equal to the adapter it started from: nothing was learned",
    )


def test_a_start_that_is_not_the_one_named_is_refused(
    make_dpo_job: Make, quiet: Events, tmp_path: Path
) -> None:
    job = json.loads(make_dpo_job("run", counting(4)).read_text())
    other = {**job, "start": {**job["start"], "hash": "0" * 32}}
    with pytest.raises(ConfigError, match=r"start\.hash: got 0{32}"):
        train(other, quiet)
    with pytest.raises(ConfigError, match=r"start\.path: .* holds no adapter"):
        train({**job, "start": {**job["start"], "path": str(tmp_path)}}, quiet)
    assert not (tmp_path / "run").exists()


def test_a_checkpoint_holds_no_reference_and_no_pair_to_learn_from_is_an_error(
    make_dpo_job: Make, quiet: Events, tmp_path: Path
) -> None:
    class Died(Exception):
        pass

    def die(*args: Any, **kwargs: Any) -> None:
        assert not (tmp_path / "run" / "checkpoint-2" / "ref").exists()
        raise Died

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.dpo.write_adapter", die)
        with pytest.raises(Died):
            in_process(make_dpo_job("run", counting(4), max_steps=2, save_every=2), quiet)
    with pytest.raises(DataError, match="nothing can be learned"):
        in_process(make_dpo_job("none", [pair("a" * 32, "x", "y", "y")]), quiet)


def test_faults_of_a_job_are_told_at_once(make_dpo_job: Make, quiet: Events) -> None:
    job = json.loads(make_dpo_job("run", counting(4)).read_text())
    del job["start"]
    job["recipe"]["max_steps"] = 0
    job["rows"] = "rows.parquet"
    with pytest.raises(ConfigError, match=r"(?s)3 to fix.*max_steps.*start"):
        train(job, quiet)
