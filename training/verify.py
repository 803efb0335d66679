"""`python -m training.verify JOB.json`: is the adapter on disk the one that was trained, and whole?

The job file is the one that training was given.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from training.adapter import WEIGHTS
from training.base import file_sha256
from training.job import ADAPTER, PROBE, RunResult, load_job, read_result
from winnow.core.errors import ConfigError, RunError
from winnow.models.chat import Encoded
from winnow.models.child import Events, prepare_process, run_program, write_json
from winnow.models.local import assistant_nll, load_adapter, load_causal_lm

TOLERANCE = 1e-4
VERIFIED = "verify.json"


@dataclass(frozen=True)
class Verification:
    """What was found: `faults` is empty when the adapter may be used. Losses are nats a token."""

    faults: tuple[str, ...]
    tensors: int
    recorded_loss: float
    reproduced_loss: float | None
    base_loss: float

    @property
    def passed(self) -> bool:
        return not self.faults


def verify(output: Path, base: Path, threads: int = 2) -> Verification:
    """Checks the adapter under `output` on the base in the directory `base`, and leaves `verify.json` there.

    Files have the recorded sizes and hashes; no tensor is empty or holds a value that is no number; not every
    lora_B is zero; the adapter loads on the base and gives the recorded loss of the probe within 1e-4.
    Raises ConfigError where there is no complete run.
    """
    result = read_result(output)
    if result is None:
        raise ConfigError(
            f"{output}: no result.json, so no complete training run. Run `python -m training.sft`."
        )
    return verify_result(output, result, base, threads)


def verify_result(
    output: Path, result: RunResult, base: Path, threads: int = 2, start: Path | None = None
) -> Verification:
    """As `verify`, with the result at hand; the weights must also differ from the adapter in `start`."""
    prepare_process(threads)
    faults = _file_faults(output, result)
    tensors = 0
    reproduced = None
    if not faults:
        tensors, faults = _tensor_faults(output / ADAPTER / WEIGHTS)
    if not faults and start is not None:
        faults = _unchanged(output / ADAPTER / WEIGHTS, start / WEIGHTS)
    if not faults:
        reproduced = _probe_loss(output, base)
        faults = _loss_faults(result.probe.loss, reproduced)
    found = Verification(tuple(faults), tensors, result.probe.loss, reproduced, result.probe.base_loss)
    write_json(output / VERIFIED, asdict(found))
    return found


def read_verification(output: Path) -> Verification | None:
    """The verification that was left in this directory, if any."""
    path = output / VERIFIED
    if not path.exists():
        return None
    raw = json.loads(path.read_text(encoding="utf-8"))
    return Verification(**{**raw, "faults": tuple(raw["faults"])})


def _file_faults(output: Path, result: RunResult) -> list[str]:
    faults = []
    for file in result.files:
        path = output / file.path
        if not path.is_file():
            faults.append(f"{file.path}: missing")
        elif path.stat().st_size != file.size or file_sha256(path) != file.sha256:
            faults.append(f"{file.path}: not the bytes that were recorded")
    return faults


def _tensor_faults(weights: Path) -> tuple[int, list[str]]:
    """The number of tensors, and what is wrong with them."""
    import numpy as np
    from safetensors.numpy import load_file

    tensors = load_file(weights)
    faults = [f"{name}: empty" for name, values in tensors.items() if values.size == 0]
    faults += [
        f"{name}: holds values that are no numbers" for name, v in tensors.items() if not np.isfinite(v).all()
    ]
    learned = [values for name, values in tensors.items() if "lora_B" in name]
    if not learned:
        faults.append("no lora_B tensor")
    elif not any(values.any() for values in learned):
        faults.append("every lora_B is zero: nothing was learned")
    return len(tensors), faults


def _unchanged(weights: Path, start: Path) -> list[str]:
    import numpy as np
    from safetensors.numpy import load_file

    before, after = load_file(start), load_file(weights)
    if before.keys() != after.keys():
        return ["its tensors are not those of the adapter it started from"]
    if all(np.array_equal(values, after[name]) for name, values in before.items()):
        return ["equal to the adapter it started from: nothing was learned"]
    return []


def _probe_loss(output: Path, base: Path) -> float:
    probe = json.loads((output / PROBE).read_text(encoding="utf-8"))
    model = load_adapter(load_causal_lm(base), output / ADAPTER)
    rows = [Encoded(tuple(p["ids"]), tuple(p["trained"]), len(p["ids"]), sum(p["trained"])) for p in probe]
    values = [assistant_nll(model, [row])[0] for row in rows]
    return sum(v for v, _ in values) / sum(n for _, n in values)


def _loss_faults(recorded: float, reproduced: float) -> list[str]:
    if abs(recorded - reproduced) <= TOLERANCE:
        return []
    return [f"the loss of the probe is {reproduced:.6f}, {recorded:.6f} was recorded"]


def report(found: Verification, events: Events) -> None:
    """Sends what was found."""
    text = "; ".join(found.faults)
    events.send(
        "verified",
        passed=found.passed,
        faults=found.faults,
        message=f"adapter not usable: {text}" if text else f"adapter verified: {found.tensors} tensors",
    )


def _program(raw: Mapping[str, Any], events: Events) -> None:
    job = load_job(raw)
    found = verify(job.output, Path(job.base.path), job.threads)
    report(found, events)
    if not found.passed:
        raise RunError(
            f"the adapter under {job.output} is not usable: {'; '.join(found.faults)}. "
            "Delete that directory and train again."
        )


if __name__ == "__main__":
    run_program(_program)
