"""`python -m training.sft JOB.json`: a LoRA adapter by supervised fine-tuning, to be killed at will.

What lies in the output directory when it is done: `adapter/`, `probe.json` and, last, `result.json`; then the
adapter is verified (training/verify.py) and `verify.json` is written.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training import checkpoints
from training.adapter import adapter_files, write_adapter
from training.job import (
    ADAPTER,
    CODE_VERSION,
    SftJob,
    SftResult,
    load_job,
    read_result,
    write_result,
)
from training.rows import TrainSet, train_set
from training.run import announce, fingerprint_of, finished, recorded, take_probe, train_on
from training.trainer import Recorder, build_trainer
from training.verify import report, verify
from winnow.models.chat import ChatEncoder
from winnow.models.child import Events, prepare_process, run_program
from winnow.models.local import load_causal_lm

_PROBE_ROWS = 4


def train(raw: Mapping[str, Any], events: Events) -> SftResult:
    """Trains, or goes on from the last complete checkpoint, or returns the result that is already there.

    Raises ConfigError for a faulty job and for an output directory that holds another run, DataError for a
    file without a row to learn from, RunError for a loss that is no number.
    """
    job = load_job(raw)
    base = job.model()
    job.output.mkdir(parents=True, exist_ok=True)
    prepare_process(job.threads, job.recipe.seed)
    encoder = ChatEncoder.from_files(Path(base.path) / "tokenizer.json", Path(base.template))
    rows = train_set(job.rows, encoder, job.recipe)
    fingerprint = fingerprint_of(CODE_VERSION, job.recipe, base, rows)
    done = finished(job.output, fingerprint, read_result(job.output), events)
    if done is not None:
        return done
    announce(rows, "rows", f"{job.recipe.sequence_len} tokens", events)
    recorder = Recorder(job.recipe, fingerprint, rows, events)
    model = _train(job, rows, recorder, events)
    result = _finish(job, model, rows, recorder)
    write_result(job.output, result)
    checkpoints.prune(job.output, keep=None)
    events.send(
        "complete",
        message=(
            f"trained {len(result.steps)} steps in {result.wall_seconds:.0f} s, "
            f"final loss {result.final_loss:.4f}"
        ),
    )
    return result


def _train(job: SftJob, rows: TrainSet, recorder: Recorder, events: Events) -> Any:
    """The model with its adapter after the last step."""
    import torch
    from transformers import AutoTokenizer

    checkpoint = checkpoints.latest(job.output, recorder.fingerprint)
    base = Path(job.base.path)
    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
    # The adapter's first values are drawn here, so the generator starts anew whatever loading has drawn
    model = load_causal_lm(base)
    torch.manual_seed(job.recipe.seed)
    trainer = build_trainer(job, model, tokenizer, rows, recorder)
    return train_on(trainer, checkpoint, recorder, events)


def _finish(job: SftJob, model: Any, rows: TrainSet, recorder: Recorder) -> SftResult:
    write_adapter(model, job.output / ADAPTER, job.recipe.base, Path(job.base.template))
    chosen = rows.rows[:_PROBE_ROWS]
    probe = take_probe(
        model.eval(), [row.row_id for row in chosen], [row.encoded for row in chosen], job.output
    )
    files = adapter_files(job.output, ADAPTER)
    return SftResult(**recorded(CODE_VERSION, job.recipe, job.model(), rows, recorder, probe, files))


def _program(raw: Mapping[str, Any], events: Events) -> None:
    """Trains and verifies: what is on disk is read back onto a base loaded anew.

    A failed verification is no failed training: it stands in `verify.json`, for the caller to act on.
    """
    train(raw, events)
    job = load_job(raw)
    report(verify(job.output, Path(job.base.path), job.threads), events)


if __name__ == "__main__":
    run_program(_program)
