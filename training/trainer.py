"""What a trainer of TRL is told: to leave the order alone, to record every step and to seal its checkpoints."""

import math
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

from training import checkpoints
from training.job import SftJob, Step
from training.recipe import RunRecipe, lora_arguments, sft_arguments
from training.rows import Example, ExampleSet, TrainSet
from winnow.core.errors import RunError
from winnow.models.child import Events

_SAY_EVERY = 2.0


class Recorder:
    """The history of a run, this process's and what a checkpoint brought: steps, and seconds of training."""

    step_class: ClassVar[type[Step]] = Step

    def __init__(
        self, recipe: RunRecipe, fingerprint: str, rows: ExampleSet[Example], events: Events
    ) -> None:
        self._recipe, self._rows, self._events = recipe, rows, events
        self.fingerprint = fingerprint
        self.steps: list[Step] = []
        self.learning_rate = 0.0
        self._losses: list[float] = []
        self._before = 0.0
        self._started = self._said = time.monotonic()
        self._tokens = 0

    def resume(self, checkpoint: checkpoints.Checkpoint) -> None:
        self.steps = [self.step_class(**{**s, "row_ids": tuple(s["row_ids"])}) for s in checkpoint.history]
        self._before = checkpoint.seconds

    def begin(self) -> None:
        """Starts the clock: loading is not training."""
        self._started = self._said = time.monotonic()

    @property
    def seconds(self) -> float:
        return self._before + time.monotonic() - self._started

    def micro_batch(self, loss: float) -> None:
        """Takes a micro-batch's share of the step's loss."""
        self._losses.append(loss)

    def step_done(self, number: int) -> None:
        """Closes a step and sends it. Raises RunError for a loss that is no number."""
        examples = self._rows.step(number, self._recipe.rows_a_step)
        loss, self._losses = sum(self._losses), []
        ids = tuple(row.row_id for row in examples)
        if not math.isfinite(loss):
            raise RunError(
                f"step {number}: the loss is {loss} (rows {', '.join(ids[:3])}). "
                f"Lower `learning_rate`, which is {self._recipe.learning_rate}."
            )
        tokens = sum(len(row.encoded.ids) for row in examples)
        scored = sum(row.encoded.scored for row in examples)
        self.steps.append(self._recorded(Step(number, loss, self.learning_rate, tokens, scored, ids)))
        self._tokens += tokens
        self._send(number, loss)

    def seal(self, directory: Path, number: int) -> None:
        """Declares the checkpoint in `directory` complete and deletes the older ones."""
        checkpoints.seal(directory, self.fingerprint, number, [asdict(s) for s in self.steps], self.seconds)
        checkpoints.prune(directory.parent, keep=directory)

    def _recorded(self, step: Step) -> Step:
        """The step with what else its method measured, as it goes into the history."""
        return step

    def _measured(self) -> dict[str, float]:
        """What else the event of the last step holds."""
        return {}

    def _send(self, number: int, loss: float) -> None:
        now = time.monotonic()
        rate = self._tokens / max(now - self._started, 1e-9)
        left = self._recipe.max_steps - number
        values: dict[str, Any] = {
            "step": number,
            "steps": self._recipe.max_steps,
            "loss": loss,
            "learning_rate": self.learning_rate,
            "tokens_per_second": round(rate, 1),
            "eta_seconds": round(left * self.seconds / number, 1),
            **self._measured(),
        }
        if left == 0 or now - self._said >= _SAY_EVERY:
            self._said = now
            values["message"] = (
                f"step {number} of {self._recipe.max_steps}: loss {loss:.4f}, {rate:,.0f} tokens/s, "
                f"{values['eta_seconds']:.0f} s left"
            )
        self._events.send("step", **values)


def build_trainer(job: SftJob, model: Any, tokenizer: Any, rows: TrainSet, recorder: Recorder) -> Any:
    """An SFTTrainer over the examples of `rows`, in their order, with a LoRA adapter on `model`."""
    from datasets import Dataset
    from peft import LoraConfig
    from transformers.trainer_callback import PrinterCallback
    from trl import SFTConfig, SFTTrainer

    class Trainer(SFTTrainer):  # type: ignore[misc]
        def training_step(self, *args: Any, **kwargs: Any) -> Any:
            loss = super().training_step(*args, **kwargs)
            recorder.micro_batch(float(loss))
            return loss

        def create_model_card(self, *args: Any, **kwargs: Any) -> None:
            """Nothing: a card belongs to a released model."""

        def _save_checkpoint(self, model: Any, trial: Any) -> None:
            super()._save_checkpoint(model, trial)
            step = self.state.global_step
            recorder.seal(Path(self.args.output_dir) / f"checkpoint-{step}", step)

    encoded = [{"input_ids": list(r.encoded.ids), "labels": r.encoded.labels()} for r in rows.rows]
    trainer = Trainer(
        model=model,
        args=SFTConfig(**sft_arguments(job.recipe, job.output)),
        train_dataset=Dataset.from_list(encoded).select(rows.order),
        processing_class=tokenizer,
        peft_config=LoraConfig(**lora_arguments(job.recipe)),
        callbacks=[watch(recorder)],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def watch(recorder: Recorder) -> Any:
    """The callback that tells the recorder of each step."""
    from transformers import TrainerCallback

    class Watch(TrainerCallback):  # type: ignore[misc]
        def on_train_begin(self, *args: Any, **kwargs: Any) -> None:
            recorder.begin()

        def on_pre_optimizer_step(self, *args: Any, optimizer: Any, **kwargs: Any) -> None:
            recorder.learning_rate = float(optimizer.param_groups[0]["lr"])

        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            recorder.step_done(state.global_step)

    return Watch()
