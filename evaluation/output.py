"""What an evaluation leaves in its output directory: records as JSON Lines, and the result that completes them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, TypeVar

from winnow.core.errors import ConfigError
from winnow.models.child import Events, write_json

R = TypeVar("R")
RESULT = "result.json"


class OfJob(Protocol):
    """A result that says which job it is of, by the job's fingerprint."""

    @property
    def job(self) -> str: ...


Done = TypeVar("Done", bound=OfJob)


def finished(output: Path, fingerprint: str, result: Done | None, items: str, events: Events) -> Done | None:
    """The result that lies in `output`, if there is one, which events then say.

    Raises ConfigError where it is of another job; `items` are what evaluations of this kind differ in.
    """
    if result is None:
        return None
    if result.job != fingerprint:
        raise ConfigError(
            f"{output} holds another evaluation (other {items}, models or settings). Give an empty directory."
        )
    events.send("complete", message="evaluation is complete already: nothing to do")
    return result


def write_output(output: Path, name: str, result: Any, records: Sequence[Any]) -> None:
    """Writes the records into the file `name`, then the result, each at once; both are of dataclasses."""
    scratch = output / f".{name}.part"
    scratch.write_text("".join(json.dumps(asdict(r)) + "\n" for r in records), encoding="utf-8")
    scratch.replace(output / name)
    write_json(output / RESULT, asdict(result))


def read_fields(output: Path) -> dict[str, Any] | None:
    """The fields of the result in this directory, or None where the evaluation is not complete."""
    path = output / RESULT
    if not path.exists():
        return None
    fields: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return fields


def read_records(output: Path, name: str, record: Callable[..., R]) -> list[R]:
    """The records of the file `name` of a complete evaluation, in their order."""
    with (output / name).open(encoding="utf-8") as lines:
        return [record(**json.loads(line)) for line in lines]
