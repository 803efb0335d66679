"""TRL's DPOTrainer over pairs that come encoded, in their order."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from training.dpo_job import DpoJob, DpoStep
from training.dpo_recipe import DpoRecipe, dpo_arguments
from training.job import Step
from training.pairs import PairSet
from training.trainer import Recorder, watch
from winnow.core.errors import RunError
from winnow.models.child import Events

# Under this name TRL keeps a frozen copy of the adapter that training starts from
REFERENCE = "ref"
_REWARDS = {
    "chosen_reward": "rewards/chosen",
    "rejected_reward": "rewards/rejected",
    "margin": "rewards/margins",
    "accuracy": "rewards/accuracies",
}


class DpoRecorder(Recorder):
    """The history of a DPO run: rewards beside the losses."""

    step_class: ClassVar[type[Step]] = DpoStep

    def __init__(self, recipe: DpoRecipe, fingerprint: str, pairs: PairSet, events: Events) -> None:
        super().__init__(recipe, fingerprint, pairs, events)
        self._rewards: list[dict[str, float]] = []

    def rewards(self, measured: Mapping[str, Sequence[float]]) -> None:
        """Takes what TRL has measured in a micro-batch: its last value under each name."""
        self._rewards.append({field: measured[name][-1] for field, name in _REWARDS.items()})

    def _recorded(self, step: Step) -> Step:
        # Micro-batches are of one size, so that the mean of their means is the mean over pairs
        taken, self._rewards = self._rewards, []
        means: dict[str, Any] = {field: sum(one[field] for one in taken) / len(taken) for field in _REWARDS}
        return DpoStep(**vars(step), **means)

    @property
    def last(self) -> DpoStep:
        """The last step taken."""
        step = self.steps[-1]
        assert isinstance(step, DpoStep)
        return step

    def _measured(self) -> dict[str, float]:
        return {"margin": self.last.margin, "accuracy": self.last.accuracy}


def build_trainer(job: DpoJob, model: Any, tokenizer: Any, pairs: PairSet, recorder: DpoRecorder) -> Any:
    """A DPOTrainer over `pairs` that goes on with the adapter on `model`; its reference is a copy of it as it is.

    Raises RunError where nothing would be trained, or where the trainer holds other pairs than it was given.
    """
    from datasets import Dataset
    from transformers.trainer_callback import PrinterCallback
    from trl import DPOConfig, DPOTrainer

    class Trainer(DPOTrainer):  # type: ignore[misc]
        def _prepare_dataset(self, dataset: Any, *args: Any, **kwargs: Any) -> Any:
            """The pairs as they are: TRL would render and cut them its own way, and drop some silently."""
            return dataset

        def training_step(self, *args: Any, **kwargs: Any) -> Any:
            loss = super().training_step(*args, **kwargs)
            recorder.micro_batch(float(loss))
            recorder.rewards(self._metrics["train"])
            # TRL empties it when it logs, which it is told not to do
            self._metrics["train"].clear()
            return loss

        def create_model_card(self, *args: Any, **kwargs: Any) -> None:
            """Nothing: a card belongs to a released model."""

        def _save_checkpoint(self, model: Any, trial: Any) -> None:
            super()._save_checkpoint(model, trial)
            step = self.state.global_step
            directory = Path(self.args.output_dir) / f"checkpoint-{step}"
            # A resumed run copies its reference from the start again
            shutil.rmtree(directory / REFERENCE, ignore_errors=True)
            recorder.seal(directory, step)

    encoded = [
        {
            "prompt_ids": list(row.encoded.prompt),
            "chosen_ids": list(row.encoded.chosen),
            "rejected_ids": list(row.encoded.rejected),
        }
        for row in pairs.rows
    ]
    trainer = Trainer(
        model=model,
        args=DPOConfig(**dpo_arguments(job.recipe, job.output)),
        train_dataset=Dataset.from_list(encoded).select(pairs.order),
        processing_class=tokenizer,
        callbacks=[watch(recorder)],
    )
    trainer.remove_callback(PrinterCallback)
    _check(trainer, pairs)
    return trainer


def _check(trainer: Any, pairs: PairSet) -> None:
    if len(trainer.train_dataset) != len(pairs.order):
        raise RunError(
            f"the trainer holds {len(trainer.train_dataset)} of {len(pairs.order)} pairs. "
            "Install the locked version of trl."
        )
    trained = [name for name, values in trainer.model.named_parameters() if values.requires_grad]
    if not trained or any(f".{REFERENCE}." in name for name in trained):
        raise RunError(
            f"{len(trained)} tensors would be trained, of which the reference may hold none. "
            "Install the locked versions of trl and peft."
        )
