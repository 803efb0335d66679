"""Boxes that run functions: one a chunk of functions and hash seed, opened anew where it ended early."""

import json
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from winnow.core.errors import RunError
from winnow.curation.preference.config import PreferenceConfig
from winnow.curation.preference.doctests import Outcome
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.trials import GUEST, Pair, Run, confirm, read_run, try_function
from winnow.sandbox import Box, Limits, Sandbox
from winnow.sandbox.box import in_order

CHUNK = 12
"""Functions a box: importing their packages is paid once for all of them."""
_ONE_THREAD = ("OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "POLARS_MAX_THREADS=1")
_BOX_SECONDS = 900


def package_folders() -> tuple[Path, ...]:
    """Where this environment keeps its packages: what a box has to see to import them."""
    return tuple(dict.fromkeys(Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")))


def find_pairs(
    functions: Sequence[DocumentedFunction],
    config: PreferenceConfig,
    sandbox: Sandbox,
    done: Callable[[int], None] = lambda functions: None,
) -> dict[str, Pair | str]:
    """For each function, by row id, its pair or the rule by which it has none.

    `done` hears of functions as they are finished. The outcome is the same for any number of slots.
    """
    found: dict[str, Pair | str] = {}
    for chunk in in_order(lambda c: _chunk(c, config, sandbox), list(_chunks(functions)), sandbox.slots):
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
    chunk: Sequence[DocumentedFunction], config: PreferenceConfig, sandbox: Sandbox
) -> dict[str, Pair | str]:
    first, *others = config.hash_seeds
    with Runner(sandbox, config, first) as runner:
        found = {f.row_id: try_function(f, runner.ask, config) for f in chunk}
    for seed in others:
        with Runner(sandbox, config, seed) as runner:
            for function in chunk:
                pair = found[function.row_id]
                if isinstance(pair, Pair) and (rule := confirm(function, pair, runner.ask)):
                    found[function.row_id] = rule
    return found


class Runner:
    """Asks one box after the other; a context manager. A box that ended is replaced for the next question."""

    def __init__(self, sandbox: Sandbox, config: PreferenceConfig, hash_seed: int) -> None:
        self._sandbox, self._config = sandbox, config
        variables = ("LANG=C.UTF-8", f"PYTHONHASHSEED={hash_seed}", *_ONE_THREAD)
        folders = [str(folder) for folder in package_folders()]
        self._command = ["/usr/bin/env", *variables, "python", "-s", "-S", "-P", "guest.py", *folders]
        self._limits = Limits(
            wall_seconds=_BOX_SECONDS,
            cpu_seconds=_BOX_SECONDS,
            memory_bytes=config.memory_bytes,
            processes=64,
            open_files=256,
        )
        self._open = ExitStack()
        self._box: Box | None = None

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def ask(self, function: DocumentedFunction, text: str) -> Run:
        """Runs a text in the place of a function. Raises RunError where the sandbox itself failed."""
        if self._box is None:
            files = {"guest.py": GUEST.read_bytes()}
            self._box = self._open.enter_context(self._sandbox.open(self._command, files, self._limits))
        request = {
            "module": function.module,
            "qualname": function.qualname,
            "text": text,
            "examples": [example.source for example in function.examples],
            "seconds": self._config.example_seconds,
        }
        answer = self._exchange(self._box, json.dumps(request).encode() + b"\n")
        if answer:
            return read_run(function, json.loads(answer))
        result = self._box.close()
        self._box = None
        self._open.close()
        if result.outcome == "sandbox":
            raise RunError(
                f"the sandbox did not run {function.qualname}: {result.reason}; run `winnow doctor`"
            )
        return Run("box", Outcome(False))

    def _exchange(self, box: Box, request: bytes) -> bytes:
        """The answer of the box, a whole line; empty where it ended before."""
        try:
            view = memoryview(request)
            while view:
                view = view[box.stdin.write(view) :]
        except BrokenPipeError:
            return b""
        answer = bytearray()
        while not answer.endswith(b"\n"):
            read = box.stdout.read(1 << 16)
            if not read:
                return b""
            answer += read
        return bytes(answer)
