"""`winnow try`: one stage over your own data, without a lake."""

import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer
from pydantic import SecretStr

from winnow.core.errors import ConfigError

if TYPE_CHECKING:
    from winnow.curation.sanitize import SanitizeConfig
    from winnow.curation.trial import Outcome

_DECISIONS = ("keep", "redact", "drop", "park")


class TrialStageName(StrEnum):
    """Stages that can be tried."""

    NORMALIZE = "normalize"
    SANITIZE = "sanitize"
    DEDUP = "dedup"
    DECONTAMINATE = "decontaminate"
    QUALITY = "quality"


def try_stage(
    stage: Annotated[TrialStageName, typer.Argument(help="The stage to try.", metavar="STAGE")],
    data: Annotated[
        Path, typer.Argument(help="JSON Lines or Parquet, or a folder of text files.", metavar="FILE|DIR")
    ],
    benchmarks: Annotated[
        Path | None,
        typer.Option(help="decontaminate: judge against this file or folder, not the built-in ones."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="YAML with the settings of the stages, or of sanitize alone, not WINNOW_CONFIG."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the lines to this file, not to the terminal.")
    ] = None,
) -> None:
    """What would the pipeline do with my data? Tries one stage, without a lake; nothing is kept.

    STAGE is normalize, sanitize, dedup, decontaminate or quality. FILE is JSON Lines (gzip and zstd too) or
    Parquet of {"id", "text"} or {"id", "messages"[, "tools"]}; of a DIR each file is a row, its id the relative
    path. "language" may name the language of a text; else an id that ends like a file name does.

    One JSON object a row comes out, in input order: id, decision (keep, drop, redact, park), rule (the one that
    decided), rules (all that fired), score, matched_id (the kept row of a duplicate, or benchmark:item), spans
    (category, detector, path as JSON Pointer into your row, start and end in code points), and output (text or
    messages as the next layer gets them; null where dropped or parked). A record that cannot be read is parked,
    as line:<n> where it has no id. A summary follows on stderr.

    \b
    Example:
      winnow try sanitize chats.jsonl | jq -c 'select(.decision != "keep") | {id, rules, spans}'
      winnow try dedup src/ --out verdicts.jsonl
      winnow try decontaminate rows.parquet --benchmarks my_benchmark.jsonl
    """
    if benchmarks is not None and stage is not TrialStageName.DECONTAMINATE:
        raise ConfigError(f"--benchmarks is for decontaminate, not for {stage.value}. Leave it out.")
    told = _outcomes(stage, data, benchmarks, config)
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with _target(out, data) as target:
        for outcome in told:
            counts[outcome.decision] += 1
            target.write(outcome.json_line())
        target.flush()
    seconds = max(time.monotonic() - began, 1e-9)
    total = counts.total()
    said = ", ".join(f"{counts[decision]:,} {decision}" for decision in _DECISIONS)
    typer.echo(f"{stage.value}: {total:,} rows: {said}; {total / seconds:,.0f} rows/s", err=True)


def _outcomes(
    stage: TrialStageName, data: Path, benchmarks: Path | None, config: Path | None
) -> "Iterator[Outcome]":
    from assets.settings import settings_of, winnow_config
    from winnow.curation.decontaminate import DecontaminateStage
    from winnow.curation.quality import QualityStage
    from winnow.curation.sanitize import SanitizeStage
    from winnow.curation.trial import read_rows, try_duplicates, try_rows

    settings = settings_of(config) if config else winnow_config()
    rows = read_rows(data)
    if stage is TrialStageName.DEDUP:
        return try_duplicates(settings.dedup, rows)
    if stage is TrialStageName.DECONTAMINATE:
        judged = settings.decontaminate
        if benchmarks is not None:
            judged = judged.model_copy(update={"benchmarks": (), "files": (benchmarks,)})
        return try_rows(DecontaminateStage(judged), rows)
    if stage is TrialStageName.QUALITY:
        return try_rows(QualityStage(settings.quality), rows)
    return try_rows(
        SanitizeStage(_keyed(settings.sanitize)) if stage is TrialStageName.SANITIZE else None, rows
    )


def _keyed(settings: "SanitizeConfig") -> "SanitizeConfig":
    """With a key for this trial alone where pseudonyms are asked for: they are the same in all of its rows."""
    if settings.fingerprint_key is not None or "pseudonymize" not in settings.policies.values():
        return settings
    return settings.model_copy(update={"fingerprint_key": SecretStr(secrets.token_hex(32))})


@contextmanager
def _target(out: Path | None, data: Path) -> Iterator[BinaryIO]:
    if out is None:
        yield sys.stdout.buffer
        return
    if out.exists() and data.exists() and out.samefile(data):
        raise ConfigError(f"--out {out} is the file that is read. Give another.")
    try:
        file = out.open("wb")
    except OSError as error:
        raise ConfigError(f"--out {out} cannot be written: {error.strerror}. Give another.") from None
    with file:
        yield file
