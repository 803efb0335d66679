"""What runs of every method share: is one finished, does it go on, and what is recorded of it."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from training import checkpoints
from training.base import BaseModel
from training.job import PROBE, OutputFile, Probe, RunResult, TrainedRow
from training.recipe import RunRecipe
from training.rows import Example, ExampleSet
from training.trainer import Recorder
from winnow.core.errors import ConfigError, RunError
from winnow.core.identity import digest
from winnow.models.chat import Encoded
from winnow.models.child import Events, write_json
from winnow.models.local import assistant_nll

_LIBRARIES = ("torch", "transformers", "trl", "peft", "accelerate", "tokenizers")
Result = TypeVar("Result", bound=RunResult)


def fingerprint_of(
    code_version: str, recipe: RunRecipe, base: BaseModel, rows: ExampleSet[Example], *start: str
) -> str:
    """What a run is: equal ones train the same adapter. How often it is saved does not count.

    `start` is the hash of the adapter that it goes on from, where there is one.
    """
    asked = recipe.model_dump(mode="json", exclude={"save_every"})
    return digest([code_version, asked, base.identity(), *start, rows.content_hash()])


def finished(output: Path, fingerprint: str, result: Result | None, events: Events) -> Result | None:
    """The result that lies in `output`, if there is one, which events then say.

    Raises ConfigError where it is another run's.
    """
    if result is None:
        return None
    if result.job != fingerprint:
        raise ConfigError(
            f"{output} holds the result of another run (other recipe, rows, base or code). "
            "Give an empty directory, or delete this one."
        )
    events.send("complete", message="training is complete already: nothing to do")
    return result


def announce(rows: ExampleSet[Example], called: str, cut_to: str, events: Events) -> None:
    """Says what is trained on: how many rows (`called` so), and to what length long ones are cut."""
    events.send(
        "rows",
        rows=len(rows.rows),
        examples=len(rows.order),
        truncated=rows.truncated,
        refused=len(rows.refused),
        message=(
            f"{len(rows.order)} examples of {len(rows.rows)} {called}; {rows.truncated} cut to {cut_to}, "
            f"{len(rows.refused)} refused"
        ),
    )


def train_on(
    trainer: Any, checkpoint: checkpoints.Checkpoint | None, recorder: Recorder, events: Events
) -> Any:
    """The model after the last step, whether the run starts or goes on from a checkpoint.

    Raises RunError where the trainer took another number of steps than it was asked for.
    """
    if checkpoint is not None:
        recorder.resume(checkpoint)
        events.send(
            "resumed",
            step=checkpoint.step,
            message=f"going on from the checkpoint after step {checkpoint.step}",
        )
    trainer.train(resume_from_checkpoint=str(checkpoint.path) if checkpoint else None)
    if len(recorder.steps) != trainer.args.max_steps:
        raise RunError(
            f"{len(recorder.steps)} steps were taken, {trainer.args.max_steps} were asked for. "
            f"Delete {trainer.args.output_dir} and run again."
        )
    return trainer.accelerator.unwrap_model(trainer.model)


def take_probe(model: Any, row_ids: Sequence[str], encoded: Sequence[Encoded], output: Path) -> Probe:
    """The loss of these conversations with and without the adapter; their tokens are left on disk."""

    def loss() -> float:
        values = [assistant_nll(model, [one])[0] for one in encoded]
        return sum(v for v, _ in values) / sum(n for _, n in values)

    with model.disable_adapter():
        base_loss = loss()
    write_json(output / PROBE, [{"ids": e.ids, "trained": e.trained} for e in encoded])
    return Probe(row_ids=tuple(row_ids), loss=loss(), base_loss=base_loss)


def recorded(
    code_version: str,
    recipe: RunRecipe,
    base: BaseModel,
    rows: ExampleSet[Example],
    recorder: Recorder,
    probe: Probe,
    files: tuple[OutputFile, ...],
) -> dict[str, Any]:
    """The fields of RunResult."""
    return {
        "job": recorder.fingerprint,
        "code_version": code_version,
        "recipe": recipe.model_dump(mode="json"),
        "base": {"spec": base.spec, **base.identity()},
        "steps": tuple(recorder.steps),
        "rows": _trained_rows(recipe, rows),
        "refused": tuple({"row_id": r.row_id, "reason": r.reason} for r in rows.refused),
        "truncated_rows": rows.truncated,
        "tokens": sum(step.tokens for step in recorder.steps),
        "trained_tokens": sum(step.trained_tokens for step in recorder.steps),
        "wall_seconds": round(recorder.seconds, 3),
        "files": files,
        "probe": probe,
        "versions": _library_versions(),
    }


def _trained_rows(recipe: RunRecipe, rows: ExampleSet[Example]) -> tuple[TrainedRow, ...]:
    """Every example in order of training, with the step that took it."""
    examples = (rows.rows[i] for i in rows.order)
    return tuple(
        TrainedRow(position, position // recipe.rows_a_step + 1, row.row_id, row.source, row.content_hash)
        for position, row in enumerate(examples)
    )


def _library_versions() -> dict[str, str]:
    """Versions of the libraries that compute a run."""
    return {name: version(name) for name in _LIBRARIES}
