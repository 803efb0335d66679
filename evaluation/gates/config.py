"""The gates file: which benchmarks are measured, and what each may cost before a checkpoint stays where it is."""

from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from evaluation.gate import MIN_ITEMS
from evaluation.humaneval.job import HumanEvalSettings
from evaluation.outcomes import Direction, Scale
from winnow.core.config import ConfigModel, load_model
from winnow.core.errors import ConfigError, near_miss

SHIPPED = Path(__file__).parent


class Gate(ConfigModel):
    """One benchmark's metric, and how much worse than the reference the candidate may be."""

    benchmark: str = Field(pattern=r"^[a-z0-9_]+$")
    metric: str = Field(pattern=r"^[a-z0-9_@]+$")
    direction: Direction = Field(description="Which way the metric is better.")
    max_relative_worsening: float | None = Field(
        default=None, ge=0, lt=1, description="As a share of the reference's value."
    )
    max_absolute_worsening: float | None = Field(
        default=None, ge=0, description="In the metric's own unit; 0.05 of a share is five points."
    )
    required: bool = Field(description="False: reported only. A gate that did not run blocks either way.")
    min_items: int = Field(
        default=MIN_ITEMS,
        ge=1,
        description="Fewer decide nothing; groups where items are drawn by group.",
    )

    @model_validator(mode="after")
    def _one_threshold(self) -> Self:
        if (self.max_relative_worsening is None) == (self.max_absolute_worsening is None):
            raise ValueError("write one of `max_relative_worsening` and `max_absolute_worsening`")
        return self

    @property
    def scale(self) -> Scale:
        return "absolute" if self.max_relative_worsening is None else "relative"

    @property
    def threshold(self) -> float:
        return self.max_relative_worsening or self.max_absolute_worsening or 0.0


class GatesConfig(ConfigModel):
    """All gates of a model line, and the settings of the benchmarks that have any."""

    gates: tuple[Gate, ...] = Field(min_length=1)
    humaneval: HumanEvalSettings = HumanEvalSettings()

    @model_validator(mode="after")
    def _each_once_and_one_required(self) -> Self:
        names = [gate.benchmark for gate in self.gates]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two gates on {', '.join(twice)}. Keep one a benchmark")
        if not any(gate.required for gate in self.gates):
            raise ValueError("no gate is `required`, so any checkpoint would be promoted. Require one")
        return self

    def measures(self, benchmark: str) -> bool:
        """Whether a gate asks for this benchmark."""
        return any(gate.benchmark == benchmark for gate in self.gates)


def load_gates(name_or_path: str | Path = "default") -> GatesConfig:
    """The gates by name (`default`, `tiny`) or from a YAML file. Raises ConfigError with every fault."""
    return load_model(GatesConfig, gates_file(name_or_path))


def gates_file(name_or_path: str | Path) -> Path:
    """The YAML file of shipped gates or of a path. Raises ConfigError for a name that none have."""
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml"):
        return path
    known = sorted(p.stem for p in SHIPPED.glob("*.yaml"))
    if str(name_or_path) not in known:
        raise ConfigError(
            f"gates: got {str(name_or_path)!r}.{near_miss(str(name_or_path), known)} "
            f"Write one of {', '.join(known)}, or the path of a YAML file."
        )
    return SHIPPED / f"{name_or_path}.yaml"
