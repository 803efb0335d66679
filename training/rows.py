"""Which rows a run trains on, in which order, and as which tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.recipe import SftRecipe
from winnow.core.errors import DataError
from winnow.core.identity import digest
from winnow.models.chat import ChatEncoder, Encoded
from winnow.models.row_file import Conversation, RowFile, shuffled

NO_ANSWER = "nothing in it is written by the assistant"
CUT_OFF = "its first answer lies beyond sequence_len"


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
class TrainSet:
    """Rows in the order of training: `order` holds indices into `rows`, one an example, repeats included."""

    rows: tuple[TrainRow, ...]
    order: tuple[int, ...]
    refused: tuple[Refusal, ...]

    @property
    def truncated(self) -> int:
        """Rows that were longer than `sequence_len`."""
        return sum(row.encoded.truncated for row in self.rows)

    def step(self, number: int, rows_a_step: int) -> list[TrainRow]:
        """The examples of optimizer step `number`, which counts from 1."""
        return [self.rows[i] for i in self.order[(number - 1) * rows_a_step : number * rows_a_step]]

    def content_hash(self) -> str:
        """Hash of the examples by id and content, in order."""
        return digest([[self.rows[i].row_id, self.rows[i].content_hash] for i in self.order])


def train_set(file: Path, encoder: ChatEncoder, recipe: SftRecipe) -> TrainSet:
    """The examples of a run. Only as many rows are read and encoded as it has steps for.

    Rows follow the hash of seed and id; when all were seen they come again by the hash of seed, epoch and id.
    A row without a token to learn is refused and the next one takes its place.
    Raises DataError where no row is left.
    """
    source = RowFile(file)
    ids = source.ordered_ids(recipe.seed, recipe.kinds, recipe.max_rows)
    needed = recipe.max_steps * recipe.rows_a_step
    rows: list[TrainRow] = []
    refused: list[Refusal] = []
    for row in _batches(source, ids, needed):
        encoded = _encode(encoder, row, recipe.sequence_len)
        if isinstance(encoded, str):
            refused.append(Refusal(row.row_id, encoded))
        else:
            rows.append(TrainRow(row.row_id, row.source, row.content_hash, encoded))
        if len(rows) == needed:
            break
    if not rows:
        raise DataError(_none_left(file, recipe, refused))
    return TrainSet(tuple(rows), tuple(_order([r.row_id for r in rows], needed, recipe.seed)), tuple(refused))


def _batches(source: RowFile, ids: Sequence[str], size: int) -> Iterator[Conversation]:
    for start in range(0, len(ids), size):
        yield from source.read(ids[start : start + size])


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
