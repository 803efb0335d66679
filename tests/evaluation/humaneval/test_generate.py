import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluation.humaneval import generate as module
from evaluation.humaneval.generate import generate
from evaluation.humaneval.job import HumanEvalJob, read_generations, read_result
from evaluation.humaneval.problems import choose, load_problems
from winnow.core.errors import ConfigError
from winnow.models.child import Events

Make = Callable[..., dict[str, Any]]


def texts(output: Path) -> list[tuple[str, str, str]]:
    return [(g.model, g.task_id, g.text) for g in read_generations(output)]


def test_every_model_writes_for_every_chosen_problem(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    result = generate(make_job("run"), quiet)
    assert result == read_result(tmp_path / "run")
    chosen = [p.task_id for p in choose(load_problems(), 4, 0)]
    assert list(result.task_ids) == chosen
    found = read_generations(tmp_path / "run")
    assert [(g.model, g.task_id) for g in found] == [(m, t) for m in ("base", "candidate") for t in chosen]
    assert all(0 < g.tokens <= 8 and g.ending in ("turn", "complete", "length") for g in found)
    base = {g.task_id: g.text for g in found if g.model == "base"}
    assert any(base[g.task_id] != g.text for g in found if g.model == "candidate")


@pytest.mark.parametrize("form", ["completion", "chat"])
def test_batching_changes_nothing(make_job: Make, quiet: Events, tmp_path: Path, form: str) -> None:
    generate(make_job("together", form=form), quiet)
    generate(make_job("alone", form=form, batch_size=1), quiet)
    assert texts(tmp_path / "together") == texts(tmp_path / "alone")


def test_what_models_write_is_for_its_owner_only(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    generate(make_job("run"), quiet)
    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700


def test_what_is_on_disk_is_not_written_again(
    make_job: Make, quiet: Events, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(make_job("whole", batch_size=1), quiet)
    calls = []
    real = module.decode_greedily

    def counted(model: Any, prompts: Any, *more: Any) -> Any:
        calls.append(len(prompts))
        if len(calls) == 6:
            raise KeyboardInterrupt
        return real(model, prompts, *more)

    monkeypatch.setattr(module, "decode_greedily", counted)
    job = make_job("run", batch_size=1)
    with pytest.raises(KeyboardInterrupt):
        generate(job, quiet)
    partial = tmp_path / "run" / "generations.partial.jsonl"
    # Four of the base and one of the adapter were written; the last line is torn off
    partial.write_text(partial.read_text()[:-15])
    generate(job, quiet)
    assert calls[6:] == [1] * (8 - 4)
    assert texts(tmp_path / "run") == texts(tmp_path / "whole")
    assert not partial.exists()
    calls.clear()
    generate(job, quiet)
    assert calls == []


def test_equal_versions_compare_and_whatever_moves_a_score_moves_the_version(
    make_job: Make, quiet: Events
) -> None:
    version = generate(make_job("a"), quiet).benchmark_version
    assert generate(make_job("b", batch_size=2), quiet).benchmark_version == version
    job = HumanEvalJob.load(make_job("c"))
    changes = ({"form": "chat"}, {"max_new_tokens": 9}, {"timeout_seconds": 3.0})
    others = {job.settings.model_copy(update=c).benchmark_version(job.base, "p") for c in changes}
    others |= {job.settings.benchmark_version(job.base, "q"), job.settings.benchmark_version(job.base, "p")}
    assert len(others) == 5


def test_another_run_is_not_taken_for_this_one(make_job: Make, quiet: Events) -> None:
    generate(make_job("run", max_items=1, max_new_tokens=1), quiet)
    with pytest.raises(ConfigError, match="another evaluation"):
        generate(make_job("run", max_items=1, max_new_tokens=2), quiet)


def test_a_prompt_without_room_to_answer_is_an_error(make_job: Make, quiet: Events) -> None:
    with pytest.raises(ConfigError, match=r"of the 2048 tokens.*Lower `max_new_tokens`"):
        generate(make_job("run", max_new_tokens=2040), quiet)


def test_faults_of_a_job_are_told_at_once(make_job: Make) -> None:
    job = make_job("run")
    job["settings"] |= {"form": "prose", "max_itens": 3}
    with pytest.raises(ConfigError, match=r"(?s)2 to fix.*Did you mean `max_items`"):
        HumanEvalJob.load(job)
    job = make_job("run")
    job["models"][1]["name"] = "base"
    with pytest.raises(ConfigError, match="share a name"):
        HumanEvalJob.load(job)
