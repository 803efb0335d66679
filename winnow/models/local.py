"""A causal language model from a directory on this machine, and the loss of what it has to write."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from winnow.core.errors import RunError
from winnow.models.chat import Encoded

IGNORED = -100
_CHUNK = 256


def load_causal_lm(directory: Path) -> Any:
    """The model in fp32, in evaluation mode, on the GPU if there is one. Raises RunError for a broken one."""
    import torch
    from transformers import AutoModelForCausalLM

    try:
        model = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32, local_files_only=True)
    except (OSError, ValueError) as error:
        raise RunError(f"{directory}: the model cannot be loaded: {str(error).splitlines()[0]}") from None
    return model.to("cuda" if torch.cuda.is_available() else "cpu").eval()


def load_adapter(model: Any, directory: Path, name: str = "default") -> Any:
    """The model with the adapter in `directory` on it, or beside those it has, in evaluation mode.

    Raises RunError where the adapter does not fit the model.
    """
    from peft import PeftModel

    try:
        if isinstance(model, PeftModel):
            model.load_adapter(str(directory), adapter_name=name)
        else:
            model = PeftModel.from_pretrained(model, str(directory), adapter_name=name)
    except (OSError, ValueError, RuntimeError) as error:
        raise RunError(f"{directory}: the adapter cannot be loaded: {str(error).splitlines()[0]}") from None
    return model.eval()


def assistant_nll(model: Any, rows: Sequence[Encoded]) -> list[tuple[float, int]]:
    """Of each row the summed negative log-likelihood (nats) of its scored tokens, and their number.

    The rows are one batch, padded on the right. Logits are taken from the first scored token on:
    memory is about 4 bytes x vocabulary x (padded tokens + 512).
    """
    import torch

    width = max(len(row.ids) for row in rows)
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    mask = torch.zeros(len(rows), width, dtype=torch.long)
    labels = torch.full((len(rows), width), IGNORED, dtype=torch.long)
    for index, row in enumerate(rows):
        ids[index, : len(row.ids)] = torch.tensor(row.ids)
        mask[index, : len(row.ids)] = 1
        labels[index, : len(row.ids)] = torch.tensor(row.labels())
    targets = labels[:, 1:]
    first = int((targets != IGNORED).any(dim=0).float().argmax())
    targets = targets[:, first:].to(model.device)
    sums = torch.zeros(len(rows), dtype=torch.float64)
    with torch.inference_mode():
        logits = model(
            input_ids=ids.to(model.device),
            attention_mask=mask.to(model.device),
            use_cache=False,
            logits_to_keep=width - first,
        ).logits
        for index in range(len(rows)):
            for places in (targets[index] != IGNORED).nonzero().flatten().split(_CHUNK):
                loss = torch.nn.functional.cross_entropy(
                    logits[index, places], targets[index, places], reduction="none"
                )
                sums[index] += loss.double().sum().cpu()
    return [(float(value), row.scored) for value, row in zip(sums, rows, strict=True)]
