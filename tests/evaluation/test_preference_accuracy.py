import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from preferences import counting, pair, write_pairs

from evaluation import preference_accuracy as program
from evaluation.model_job import ModelRef
from evaluation.preference_accuracy import evaluate
from evaluation.preference_items import PairItem, PreferenceJob, read_items, read_result
from evaluation.preferences import preference_accuracy
from training.base import BaseModel, as_dict
from winnow.core.errors import ConfigError, DataError, RunError
from winnow.models.chat import ChatEncoder
from winnow.models.child import OFFLINE, Events
from winnow.models.local import assistant_nll, load_adapter, load_causal_lm
from winnow.models.pairs import EQUAL, NO_ROOM, encode_pair

ROOT = Path(__file__).parents[2]
Make = Callable[..., dict[str, Any]]


@pytest.fixture
def make_job(tmp_path: Path, tiny_base: BaseModel, adapter: Path) -> Make:
    """A decoded job over base (the reference) and adapter; its file is `<name>.job.json`."""

    def make(name: str, pairs: list[dict[str, Any]], **settings: Any) -> dict[str, Any]:
        file = PreferenceJob.write(
            tmp_path / f"{name}.job.json",
            base=as_dict(tiny_base),
            models=[
                ModelRef(name="candidate", hash="a1", adapter=adapter),
                ModelRef(name="base", hash=tiny_base.weights_hash),
            ],
            reference="base",
            pairs=write_pairs(tmp_path / f"{name}.parquet", pairs),
            output=tmp_path / name,
            threads=1,
            **settings,
        )
        job: dict[str, Any] = json.loads(file.read_text())
        return job

    return make


def likelihoods(items: list[PairItem]) -> list[float]:
    return [value for i in items for value in (i.chosen_logp, i.rejected_logp)]


def test_a_likelihood_is_that_of_the_answer_alone(
    make_job: Make, quiet: Events, tiny_base: BaseModel, adapter: Path, tmp_path: Path
) -> None:
    """The definition, written plainly: sum of log softmax at each token of the answer, its end included."""
    import torch

    pairs = counting(7)
    result = evaluate(make_job("run", pairs), quiet)
    assert result == read_result(tmp_path / "run")
    assert (result.pairs, result.refused, result.groups) == (7, (), None)
    encoder = ChatEncoder.from_files(Path(tiny_base.path) / "tokenizer.json", Path(tiny_base.template))
    by_id = {p["row_id"]: p for p in pairs}
    for name in ("base", "candidate"):
        model = load_causal_lm(Path(tiny_base.path))
        model = load_adapter(model, adapter) if name == "candidate" else model
        found = read_items(tmp_path / "run", name)
        assert {i.item_id for i in found} == set(by_id)
        for item in found:
            row = by_id[item.item_id]
            prompt = encoder._coded(encoder.render(row["messages"], prompt=True))
            for text, logp, tokens in (
                (row["chosen"], item.chosen_logp, item.chosen_tokens),
                (row["rejected"], item.rejected_logp, item.rejected_tokens),
            ):
                ids = prompt + encoder._coded(text + "<|im_end|>")
                with torch.inference_mode():
                    logs = model(torch.tensor([ids])).logits.double().log_softmax(-1)[0]
                expected = sum(float(logs[n - 1, ids[n]]) for n in range(len(prompt), len(ids)))
                assert logp == pytest.approx(expected, abs=1e-3)
                assert tokens == len(ids) - len(prompt)


def test_batching_and_the_order_of_the_file_change_nothing_but_rounding(
    make_job: Make, quiet: Events, tmp_path: Path
) -> None:
    pairs = counting(14)
    evaluate(make_job("a", pairs, batch_pairs=8), quiet)
    evaluate(make_job("b", pairs[::-1], batch_pairs=1), quiet)
    for model in ("base", "candidate"):
        one, two = read_items(tmp_path / "a", model), read_items(tmp_path / "b", model)
        assert [i.item_id for i in one] == [i.item_id for i in two]
        assert likelihoods(one) == pytest.approx(likelihoods(two), abs=1e-3)
    base, other = (read_items(tmp_path / "a", name) for name in ("base", "candidate"))
    assert likelihoods(base) != pytest.approx(likelihoods(other), abs=1e-2)


def test_what_cannot_be_scored_is_named_and_long_answers_are_cut(
    make_job: Make, quiet: Events, tmp_path: Path
) -> None:
    odd = [
        pair("d" * 32, "x", "same", "same"),
        pair("e" * 32, "x" * 300, "y", "z"),
        pair("f" * 32, "x", "c" * 300, "r"),
    ]
    result = evaluate(make_job("run", [*counting(4), *odd], sequence_len=128), quiet)
    assert {r["row_id"][0]: r["reason"] for r in result.refused} == {"d": EQUAL, "e": NO_ROOM}
    assert (result.pairs, result.truncated_pairs) == (5, 1)
    few = evaluate(make_job("few", counting(9), max_pairs=4), quiet)
    ids = [i.item_id for i in read_items(tmp_path / "few", "base")]
    evaluate(make_job("all", counting(9)), quiet)
    assert [i.item_id for i in read_items(tmp_path / "all", "base")][:4] == ids
    assert few.pairs == 4


def test_groups_come_from_a_column_or_from_meta(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    pairs = [*counting(6), pair("f" * 32, "x", "y", "z")]
    result = evaluate(make_job("run", pairs, group="meta.distribution"), quiet)
    items = read_items(tmp_path / "run", "base")
    assert {i.item_id[-1]: i.group for i in items} == {
        **{str(n): f"d{n // 3}" for n in range(6)},
        "f": "f" * 32,
    }
    assert result.groups == 3
    found = preference_accuracy(read_items(tmp_path / "run", "candidate"), items)
    assert (found.interval, found.groups, found.n) == ("cluster bootstrap", 3, 7)
    with pytest.raises(ConfigError, match=r"no pair .* has a value of `meta\.distro`"):
        evaluate(make_job("odd", pairs, group="meta.distro"), quiet)
    with pytest.raises(DataError, match="no column kind"):
        evaluate(make_job("none", pairs, group="kind"), quiet)
    with pytest.raises(DataError, match="all pairs share one `source`"):
        evaluate(make_job("one", pairs, group="source"), quiet)


def test_what_is_on_disk_is_not_scored_again(
    make_job: Make, quiet: Events, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job("run", counting(12), batch_pairs=2)
    calls = []
    real = assistant_nll

    def counted(model: Any, rows: Any) -> Any:
        calls.append(len(rows))
        if len(calls) == 5:
            raise KeyboardInterrupt
        return real(model, rows)

    monkeypatch.setattr(program, "assistant_nll", counted)
    with pytest.raises(KeyboardInterrupt):
        evaluate(job, quiet)
    partial = tmp_path / "run" / "items.partial.jsonl"
    # Four batches of two pairs were written; of the last, the second line is torn off
    partial.write_text(partial.read_text()[:-15])
    told = io.StringIO()
    evaluate(job, Events(told))
    assert calls[5:] == [4] * (12 - 3)
    assert not partial.exists()
    last = json.loads(told.getvalue().splitlines()[-1])
    assert set(last["accuracies"]) == {"candidate"}
    calls.clear()
    assert evaluate(job, quiet).pairs == 12
    assert calls == []


@pytest.mark.slow
def test_a_killed_evaluation_goes_on(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    pairs = counting(80)
    evaluate(make_job("whole", pairs, batch_pairs=1), quiet)
    job = make_job("killed", pairs, batch_pairs=1)
    command = [sys.executable, "-m", "evaluation.preference_accuracy", str(tmp_path / "killed.job.json")]
    environment = {**os.environ, **OFFLINE}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as child:
        for line in child.stdout or ():
            if json.loads(line).get("batch") == 100:
                child.send_signal(signal.SIGKILL)
                break
    assert child.returncode == -signal.SIGKILL
    assert read_result(tmp_path / "killed") is None
    evaluate(job, quiet)
    for model in ("base", "candidate"):
        assert likelihoods(read_items(tmp_path / "killed", model)) == pytest.approx(
            likelihoods(read_items(tmp_path / "whole", model)), abs=1e-4
        )


def test_another_evaluation_is_not_taken_for_this_one(make_job: Make, quiet: Events) -> None:
    evaluate(make_job("run", counting(4)), quiet)
    with pytest.raises(ConfigError, match="another evaluation"):
        evaluate(make_job("run", counting(5)), quiet)
    with pytest.raises(ConfigError, match="another evaluation"):
        evaluate(make_job("run", counting(4), group="row_id"), quiet)


def test_a_model_that_gives_no_number_is_an_error(
    make_job: Make, quiet: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "assistant_nll", lambda model, rows: [(float("nan"), 3)] * len(rows))
    with pytest.raises(RunError, match="under base is no number"):
        evaluate(make_job("run", counting(3)), quiet)


def test_no_pair_to_score_is_an_error(make_job: Make, quiet: Events) -> None:
    with pytest.raises(DataError, match=f"none of 1 pairs .*{EQUAL}"):
        evaluate(make_job("run", [pair("f" * 32, "x", "y", "y")]), quiet)


def test_faults_of_a_job_are_told_at_once(make_job: Make) -> None:
    job = make_job("run", counting(1))
    with pytest.raises(ConfigError, match=r"`reference` is 'bas'.*Did you mean `base`"):
        PreferenceJob.load({**job, "reference": "bas"})
    with pytest.raises(ConfigError, match="share a name"):
        PreferenceJob.load({**job, "models": [job["models"][0]] * 2})
    with pytest.raises(ConfigError, match=r"(?s)2 to fix.*Did you mean `batch_pairs`"):
        PreferenceJob.load({**job, "models": [], "batch_pair": 3})


def test_both_programs_read_a_pair_as_the_same_tokens(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    """What is evaluated is what was trained on: equal numbers of tokens, cut alike."""
    row = pair("a" * 32, "x", "c" * 90, "r" * 20)
    job = make_job("run", [row], sequence_len=64)
    evaluate(job, quiet)
    base = Path(job["base"]["path"])
    encoder = ChatEncoder.from_files(base / "tokenizer.json", Path(job["base"]["template"]))
    encoded = encode_pair(encoder, row["messages"], row["chosen"], row["rejected"], 64)
    [item] = read_items(tmp_path / "run", "base")
    assert (item.chosen_tokens, item.rejected_tokens) == (len(encoded.chosen), len(encoded.rejected))
