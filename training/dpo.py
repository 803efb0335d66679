"""`python -m training.dpo JOB.json`: an adapter goes on by direct preference optimization, to be killed at will.

The reference is the adapter as it was at the start. What lies in the output directory when it is done:
`adapter/`, `probe.json` and, last, `result.json`; then the adapter is verified (training/verify.py) and
`verify.json` is written.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training import checkpoints
from training.adapter import adapter_files, adapter_hash, write_adapter
from training.dpo_job import CODE_VERSION, DpoJob, DpoResult, load_job, read_result
from training.dpo_trainer import REFERENCE, DpoRecorder, build_trainer
from training.job import ADAPTER, write_result
from training.pairs import PairSet, pair_set
from training.run import announce, fingerprint_of, finished, recorded, take_probe, train_on
from training.verify import Verification, report, verify_result
from winnow.core.errors import ConfigError, RunError
from winnow.models.chat import ChatEncoder
from winnow.models.child import Events, prepare_process, run_program
from winnow.models.local import load_causal_lm

# Both answers of each
_PROBE_PAIRS = 2


def train(raw: Mapping[str, Any], events: Events) -> DpoResult:
    """Trains, or goes on from the last complete checkpoint, or returns the result that is already there.

    Raises ConfigError for a faulty job, for a start that is not the adapter that its hash names and for an
    output directory that holds another run, DataError for a file without a pair to learn from, RunError for
    a loss that is no number.
    """
    job = load_job(raw)
    base = job.model()
    _check_start(job)
    job.output.mkdir(parents=True, exist_ok=True)
    prepare_process(job.threads, job.recipe.seed)
    encoder = ChatEncoder.from_files(Path(base.path) / "tokenizer.json", Path(base.template))
    pairs = pair_set(job.pairs, encoder, job.recipe)
    fingerprint = fingerprint_of(CODE_VERSION, job.recipe, base, pairs, job.start.hash)
    done = finished(job.output, fingerprint, read_result(job.output), events)
    if done is not None:
        return done
    announce(pairs, "pairs", f"{job.recipe.sequence_len} tokens a side", events)
    recorder = DpoRecorder(job.recipe, fingerprint, pairs, events)
    model = _train(job, pairs, recorder, events)
    result = _finish(job, model, pairs, recorder)
    write_result(job.output, result)
    checkpoints.prune(job.output, keep=None)
    last = result.steps[-1]
    events.send(
        "complete",
        message=(
            f"trained {last.step} steps in {result.wall_seconds:.0f} s, final loss {last.loss:.4f}, "
            f"margin {recorder.last.margin:+.4f}"
        ),
    )
    return result


def verify(raw: Mapping[str, Any]) -> Verification:
    """Checks the adapter that a job has left on a base loaded anew, and that it is not the one it started from.

    Raises ConfigError where there is no complete run.
    """
    job = load_job(raw)
    result = read_result(job.output)
    if result is None:
        raise ConfigError(
            f"{job.output}: no result.json, so no complete training run. Run `python -m training.dpo`."
        )
    return verify_result(job.output, result, Path(job.base.path), job.threads, job.start.path)


def _check_start(job: DpoJob) -> None:
    if not (job.start.path / "adapter_config.json").is_file():
        raise ConfigError(f"start.path: {job.start.path} holds no adapter. Give one that SFT has trained.")
    found = adapter_hash(job.start.path, job.base.weights_hash)
    if found != job.start.hash:
        raise ConfigError(
            f"start.hash: got {job.start.hash}, but on this base the adapter in {job.start.path} is {found}. "
            "Give the adapter, the base and the hash of one checkpoint."
        )


def _train(job: DpoJob, pairs: PairSet, recorder: DpoRecorder, events: Events) -> Any:
    """The model with its adapter after the last step."""
    from transformers import AutoTokenizer

    checkpoint = checkpoints.latest(job.output, recorder.fingerprint)
    base = Path(job.base.path)
    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
    model = _with_start(load_causal_lm(base), job)
    trainer = build_trainer(job, model, tokenizer, pairs, recorder)
    model = train_on(trainer, checkpoint, recorder, events)
    model.delete_adapter(REFERENCE)
    return model


def _with_start(model: Any, job: DpoJob) -> Any:
    """The model with the starting adapter on it, to be trained on."""
    from peft import PeftModel

    try:
        model = PeftModel.from_pretrained(model, str(job.start.path), is_trainable=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise RunError(
            f"{job.start.path}: the adapter cannot be loaded: {str(error).splitlines()[0]}"
        ) from None
    # Where checkpoints are saved PEFT looks the base up by this name, which must be no one else's
    model.peft_config["default"].base_model_name_or_path = job.base.path
    return model


def _finish(job: DpoJob, model: Any, pairs: PairSet, recorder: DpoRecorder) -> DpoResult:
    base = job.model()
    write_adapter(model, job.output / ADAPTER, base.spec, Path(base.template))
    chosen = pairs.rows[:_PROBE_PAIRS]
    sides = [side for row in chosen for side in row.encoded.sides()]
    probe = take_probe(model.eval(), [row.row_id for row in chosen], sides, job.output)
    files = adapter_files(job.output, ADAPTER)
    made = recorded(CODE_VERSION, job.recipe, base, pairs, recorder, probe, files)
    return DpoResult(start=job.start.hash, **made)


def _program(raw: Mapping[str, Any], events: Events) -> None:
    """Trains and verifies; a failed verification stands in `verify.json`, for the caller to act on."""
    train(raw, events)
    report(verify(raw), events)


if __name__ == "__main__":
    run_program(_program)
