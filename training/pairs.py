"""Which pairs a run learns from, in which order, and as which tokens."""

from dataclasses import dataclass
from pathlib import Path

from training.dpo_recipe import DpoRecipe
from training.rows import ExampleSet, Refusal, examples, in_batches
from winnow.core.errors import DataError
from winnow.models.chat import ChatEncoder
from winnow.models.pair_file import Pair, PairFile
from winnow.models.pairs import EncodedPair, encode_pair


@dataclass(frozen=True)
class TrainPair:
    """A pair as it is learned from."""

    row_id: str
    source: str
    content_hash: str
    encoded: EncodedPair


PairSet = ExampleSet[TrainPair]


def pair_set(file: Path, encoder: ChatEncoder, recipe: DpoRecipe) -> PairSet:
    """The pairs of a run, in the order in which rows of SFT are taken (`training.rows.train_set`).

    A pair of which nothing can be learned is refused with the reason, and the next one takes its place.
    Raises DataError where no pair is left.
    """
    source = PairFile(file)
    ids = source.ordered_ids(recipe.seed, recipe.max_rows)
    needed = recipe.max_steps * recipe.rows_a_step

    def made(pair: Pair) -> TrainPair | Refusal:
        try:
            encoded = encode_pair(encoder, pair.messages, pair.chosen, pair.rejected, recipe.sequence_len)
        except DataError as error:
            return Refusal(pair.row_id, str(error))
        return TrainPair(pair.row_id, pair.source, pair.content_hash, encoded)

    found = examples(in_batches(source.read, ids, needed), made, needed, recipe.seed)
    if not found.rows:
        raise DataError(_none_left(file, found.refused))
    return found


def _none_left(file: Path, refused: tuple[Refusal, ...]) -> str:
    if not refused:
        return f"{file.name}: no pair to learn from. Write pairs into the file."
    shown = ", ".join(r.row_id for r in refused[:3])
    return (
        f"{file.name}: nothing can be learned from {len(refused)} pairs (row {shown}: {refused[0].reason}). "
        "Give pairs of two different answers, or raise `sequence_len`."
    )
