"""Which rows a run trains on, in which order, and as which tokens."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from training.recipe import SftRecipe
from winnow.core.errors import DataError
from winnow.core.identity import digest
from winnow.models.chat import ChatEncoder, Encoded
from winnow.models.row_file import Conversation, RowFile, shuffled

NO_ANSWER = "nothing in it is written by the assistant"
CUT_OFF = "its first answer lies beyond sequence_len"


class Encoding(Protocol):
    """What training has to know of the tokens of an example."""

    @property
    def ids(self) -> tuple[int, ...]: ...
    @property
    def scored(self) -> int: ...
    @property
    def truncated(self) -> bool: ...


class Example(Protocol):
    """What training has to know of a row, whatever the method."""

    @property
    def row_id(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def content_hash(self) -> str: ...
    @property
    def encoded(self) -> Encoding: ...


Row = TypeVar("Row")
Kept_co = TypeVar("Kept_co", bound=Example, covariant=True)


@dataclass(frozen=True)
class TrainRow:
    """A row as it is trained on."""

    row_id: str
    source: str
    content_hash: str
    encoded: Encoded


@dataclass(frozen=True)
class Refusal:
    """A row that was not trained on, and why."""

    row_id: str
    reason: str


@dataclass(frozen=True)
class ExampleSet(Generic[Kept_co]):
    """Rows in the order of training: `order` holds indices into `rows`, one an example, repeats included."""

    rows: tuple[Kept_co, ...]
    order: tuple[int, ...]
    refused: tuple[Refusal, ...]

    @property
    def truncated(self) -> int:
        """Rows that were longer than `sequence_len`."""
        return sum(row.encoded.truncated for row in self.rows)

    def step(self, number: int, rows_a_step: int) -> list[Kept_co]:
        """The examples of optimizer step `number`, which counts from 1."""
        return [self.rows[i] for i in self.order[(number - 1) * rows_a_step : number * rows_a_step]]

    def content_hash(self) -> str:
        """Hash of the examples by id and content, in order."""
        return digest([[self.rows[i].row_id, self.rows[i].content_hash] for i in self.order])


TrainSet = ExampleSet[TrainRow]


def train_set(file: Path, encoder: ChatEncoder, recipe: SftRecipe) -> TrainSet:
    """The examples of a run. Only as many rows are read and encoded as it has steps for.

    Rows follow the hash of seed and id; when all were seen they come again by the hash of seed, epoch and id.
    A row without a token to learn is refused and the next one takes its place.
    Raises DataError where no row is left.
    """
    source = RowFile(file)
    ids = source.ordered_ids(recipe.seed, recipe.kinds, recipe.max_rows)
    needed = recipe.max_steps * recipe.rows_a_step

    def made(row: Conversation) -> TrainRow | Refusal:
        encoded = _encode(encoder, row, recipe.sequence_len)
        if isinstance(encoded, str):
            return Refusal(row.row_id, encoded)
        return TrainRow(row.row_id, row.source, row.content_hash, encoded)

    found = examples(in_batches(source.read, ids, needed), made, needed, recipe.seed)
    if not found.rows:
        raise DataError(_none_left(file, recipe, found.refused))
    return found


def in_batches(read: Callable[[Sequence[str]], list[Row]], ids: Sequence[str], size: int) -> Iterator[Row]:
    """The rows of these ids, read `size` at a time as they are asked for."""
    for start in range(0, len(ids), size):
        yield from read(ids[start : start + size])


def examples(
    rows: Iterable[Row], made: Callable[[Row], Kept_co | Refusal], needed: int, seed: int
) -> ExampleSet[Kept_co]:
    """The first `needed` rows that are not refused, in the order of training; it may find none."""
    kept: list[Kept_co] = []
    refused: list[Refusal] = []
    for row in rows:
        one = made(row)
        if isinstance(one, Refusal):
            refused.append(one)
        else:
            kept.append(one)
        if len(kept) == needed:
            break
    order = tuple(_order([row.row_id for row in kept], needed, seed)) if kept else ()
    return ExampleSet(tuple(kept), order, tuple(refused))


def _encode(encoder: ChatEncoder, row: Conversation, limit: int) -> Encoded | str:
    """The tokens of the row, or why it cannot be trained on."""
    try:
        encoded = encoder.encode(row.messages, row.tools, limit)
    except DataError as error:
        return str(error)
    if encoded.scored:
        return encoded
    return CUT_OFF if encoded.trainable else NO_ANSWER


def _order(ids: Sequence[str], needed: int, seed: int) -> Iterator[int]:
    """Indices in order of training: as they are at first, then anew by each epoch's hash."""
    place = {row_id: index for index, row_id in enumerate(ids)}
    for start in range(0, needed, len(ids)):
        epoch = start // len(ids)
        names = ids if epoch == 0 else shuffled(ids, seed, epoch)
        yield from (place[name] for name in names[: needed - start])


def _none_left(file: Path, recipe: SftRecipe, refused: Sequence[Refusal]) -> str:
    kinds = f" of kind {', '.join(recipe.kinds)}" if recipe.kinds else ""
    if not refused:
        return f"{file.name}: no row{kinds} to train on. Change `kinds`, or write rows into the file."
    shown = ", ".join(r.row_id for r in refused[:3])
    return (
        f"{file.name}: none of {len(refused)} rows{kinds} has a token to learn "
        f"(row {shown}: {refused[0].reason}). "
        "Give rows in which the assistant speaks, or raise `sequence_len`."
    )
