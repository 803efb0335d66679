"""Every preference pair of a lake, run again from its own text in a fresh box: chosen passes, rejected fails.

    python -m benchmarks.pairs_again            the lake of the environment, as `winnow status` reads it

Prints a line for each pair that does not hold, then the counts; exit code 1 where one does not, or there is none.
"""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from winnow.core.progress import Progress
from winnow.curation.preference import PreferenceConfig, package_folders
from winnow.curation.preference.functions import DocumentedFunction, documented_function
from winnow.curation.preference.runner import Runner
from winnow.curation.preference.trials import Run
from winnow.lake.lake import Lake
from winnow.sandbox import Sandbox


def run_again(pairs: Iterable[Mapping[str, Any]], config: PreferenceConfig) -> Iterator[tuple[Run, Run]]:
    """Of each pair its chosen and its rejected answer, each read from its own text, in a box of its own."""
    packages = package_folders()
    with Sandbox(read_only=packages) as sandbox:

        def alone(pair: Mapping[str, Any], answer: str) -> Run:
            function = _function_of(pair, answer)
            with Runner(sandbox, config, packages, 0, 1) as runner:
                return runner.ask(function, function.text)

        def both(pair: Mapping[str, Any]) -> tuple[Run, Run]:
            return alone(pair, pair["chosen"]), alone(pair, pair["rejected"])

        with ThreadPoolExecutor(sandbox.slots) as pool:
            yield from pool.map(both, pairs)


def _function_of(pair: Mapping[str, Any], answer: str) -> DocumentedFunction:
    said = {"role": "assistant", "content": answer, "tool_calls": []}
    found = documented_function({**pair, "messages": [*pair["messages"], said]})
    assert isinstance(found, DocumentedFunction)
    return found


def main() -> int:
    """Runs all pairs of the lake."""
    pairs = [row for batch in Lake.open().scan("preference_pairs") for row in batch.to_pylist()]
    progress = Progress("pairs", lambda said: print(said, file=sys.stderr), len(pairs))
    began, broken = time.monotonic(), 0
    for pair, (chosen, rejected) in zip(pairs, run_again(pairs, PreferenceConfig()), strict=True):
        progress.add(1)
        if not (chosen.passed and rejected.failed):
            broken += 1
            print(
                f"{pair['row_id']} {pair['distribution']}: chosen {chosen.state}, rejected {rejected.state}"
            )
    splits = {side: sum(pair["split"] == side for pair in pairs) for side in ("train", "heldout")}
    distributions = len({pair["distribution"] for pair in pairs})
    print(
        f"{len(pairs)} pairs ({splits['train']} train, {splits['heldout']} held out) of {distributions} "
        f"distributions in {time.monotonic() - began:.0f} s: {len(pairs) - broken} hold, {broken} do not"
    )
    return int(bool(broken) or not pairs)


if __name__ == "__main__":
    sys.exit(main())
