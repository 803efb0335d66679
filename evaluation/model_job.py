"""What the job files of all evaluations share: which models on which base, and where their output goes."""

from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator
from pydantic_core import to_jsonable_python

from winnow.core.config import ConfigModel, load_model
from winnow.models.base_ref import BaseRef
from winnow.models.child import write_json


class ModelRef(ConfigModel):
    """A model to evaluate: the base where `adapter` is null, else the base with the adapter in that directory.

    `hash` says what it is: the hash of the base's weights, or that of the adapter's.
    """

    name: str = Field(pattern=r"^[a-z0-9_-]+$")
    hash: str = Field(min_length=1)
    adapter: Path | None = None


class ModelJob(ConfigModel):
    """Models that one child evaluates on the same items; which items, each kind of job adds."""

    called: ClassVar[str]
    """What errors call a job of this kind."""

    base: BaseRef
    models: tuple[ModelRef, ...] = Field(min_length=1)
    output: Path
    threads: int = Field(default=2, ge=1)

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [m.name for m in self.models]
        if len(set(names)) != len(names):
            raise ValueError(f"two models share a name ({', '.join(names)}). Name each once")
        return self

    @classmethod
    def load(cls, raw: Any) -> Self:
        """The job of a decoded job file, or of its path. Raises ConfigError with every fault."""
        return load_model(cls, raw, cls.called)

    @classmethod
    def write(cls, path: Path, **fields: Any) -> Path:
        """Writes the job file that the evaluation's program reads, and returns its path.

        `base` may be a mapping (`training.base.as_dict`). Raises ConfigError with every fault.
        """
        write_json(path, cls.load(to_jsonable_python(fields)).model_dump(mode="json"))
        return path

    def models_identity(self) -> list[list[Any]]:
        """Which models these are, in any order."""
        return sorted([m.name, m.hash, m.adapter is None] for m in self.models)
