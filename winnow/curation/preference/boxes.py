"""Pairs of many functions: a box a chunk of functions and hash seed, several at a time."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from winnow.curation.preference.config import PreferenceConfig
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.runner import Runner
from winnow.curation.preference.trials import Pair, confirm, try_function
from winnow.sandbox import Sandbox
from winnow.sandbox.box import in_order

CHUNK = 20
"""Functions a box: importing their packages is paid once for all of them."""


def find_pairs(
    functions: Sequence[DocumentedFunction],
    config: PreferenceConfig,
    sandbox: Sandbox,
    packages: Sequence[Path],
    done: Callable[[int], None] = lambda functions: None,
) -> dict[str, Pair | str]:
    """For each function, by row id, its pair or the rule by which it has none.

    `packages` are the folders that its module is looked for in; the sandbox has to show them. `done` hears of
    functions as they are finished. The outcome is the same for any number of slots.
    """
    found: dict[str, Pair | str] = {}

    def try_chunk(chunk: Sequence[DocumentedFunction]) -> dict[str, Pair | str]:
        return _chunk(chunk, config, sandbox, packages)

    for chunk in in_order(try_chunk, list(_chunks(functions)), sandbox.slots):
        found |= chunk
        done(len(chunk))
    return found


def _chunks(functions: Sequence[DocumentedFunction]) -> Iterator[list[DocumentedFunction]]:
    """Functions of one distribution, those of a module side by side."""
    ordered = sorted(functions, key=lambda f: (f.distribution, f.module, f.row_id))
    chunk: list[DocumentedFunction] = []
    for function in ordered:
        if chunk and (len(chunk) == CHUNK or chunk[0].distribution != function.distribution):
            yield chunk
            chunk = []
        chunk.append(function)
    if chunk:
        yield chunk


def _chunk(
    chunk: Sequence[DocumentedFunction], config: PreferenceConfig, sandbox: Sandbox, packages: Sequence[Path]
) -> dict[str, Pair | str]:
    first, *others = config.hash_seeds
    with Runner(sandbox, config, packages, first, len(chunk) * (1 + config.mutants_tried)) as runner:
        found = {f.row_id: try_function(f, runner.ask, config) for f in chunk}
    for seed in others:
        with Runner(sandbox, config, packages, seed, 2 * len(chunk)) as runner:
            for function in chunk:
                pair = found[function.row_id]
                if isinstance(pair, Pair) and (rule := confirm(function, pair, runner.ask)):
                    found[function.row_id] = rule
    return found
