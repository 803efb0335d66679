"""Compares each stage's source with the code version that it declares; run as a script it records both.

A stage's output is keyed by its declared code version, so source that changed under an unchanged version would
leave stale partitions in place. Comments, docstrings and formatting do not count as a change.

    python tests/support/stage_versions.py                     after a stage's version was raised
    python tests/support/stage_versions.py --same-output STAGE  after a change that cannot change what it returns
"""

import argparse
import ast
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests" / "stage_versions.json"
COMMAND = "python tests/support/stage_versions.py"
SHARED = ("winnow/curation/text.py", "winnow/core/identity.py")
STAGES: dict[str, tuple[str, ...]] = {
    "ingest": ("winnow/curation/sources", "winnow/core/identity.py"),
    "normalize": ("winnow/curation/normalize", *SHARED),
    "sanitize": (
        "winnow/curation/sanitize",
        "winnow/curation/syntax",
        "winnow/curation/normalize/language.py",
        "winnow/curation/quality/fences.py",
        "winnow/curation/quality/python_syntax.py",
        *SHARED,
    ),
    "dedup": ("winnow/curation/dedup", *SHARED),
    "decontaminate": ("winnow/curation/decontaminate", *SHARED),
    "quality": ("winnow/curation/quality", *SHARED),
    "split": ("winnow/curation/split", *SHARED),
    "preference": ("winnow/curation/preference", "winnow/curation/dedup/shingles.py", *SHARED),
}
"""Stage to the packages and modules that its output depends on; the first is its own and declares the version."""


@dataclass(frozen=True)
class StageSource:
    code_version: str
    source: str


def present_stages(root: Path = ROOT) -> dict[str, StageSource]:
    """What each stage that exists declares and is made of."""
    return {
        stage: StageSource(declared_version(root, paths[0]), source_hash(root, paths))
        for stage, paths in STAGES.items()
        if (root / paths[0]).exists()
    }


def source_hash(root: Path, paths: Sequence[str]) -> str:
    """A hash of the syntax trees of all modules under `paths`, without docstrings, and of the word lists there."""
    content = {
        module.relative_to(root).as_posix(): normalised(module.read_text(encoding="utf-8"))
        for path in paths
        for module in _modules(root / path)
    }
    for path in paths:
        # Lists of words and marks are read by the code beside them
        content |= {
            p.relative_to(root).as_posix(): p.read_text("utf-8") for p in (root / path).rglob("*.txt")
        }
    return hashlib.blake2b(json.dumps(sorted(content.items())).encode(), digest_size=16).hexdigest()


def normalised(source: str) -> str:
    """The syntax tree as text: no comments, no formatting, no docstrings.

    >>> normalised("x = 1  # one") == normalised("x  =  1")
    True
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [child for child in node.body if not _is_text(child)]
    return ast.dump(tree)


def declared_version(root: Path, path: str) -> str:
    """The one literal that the stage's package assigns to `code_version` or `CODE_VERSION`."""
    found = {v for module in _modules(root / path) for v in _versions(module.read_text(encoding="utf-8"))}
    if len(found) != 1:
        raise SystemExit(
            f"{path} must assign one literal to code_version or CODE_VERSION; found {sorted(found)}"
        )
    return found.pop()


def complaints(recorded: Mapping[str, StageSource], now: Mapping[str, StageSource]) -> list[str]:
    """What is wrong, one line a stage, each with the edit."""
    lines = [
        f"{stage}: recorded, but {STAGES[stage][0]} is gone. Run: {COMMAND}"
        for stage in recorded
        if stage not in now
    ]
    for stage, current in now.items():
        before = recorded.get(stage)
        if before is None:
            lines.append(f"{stage}: not recorded. Run: {COMMAND}")
        elif current.code_version != before.code_version:
            lines.append(f"{stage}: version {current.code_version} is not recorded. Run: {COMMAND}")
        elif current.source != before.source:
            lines.append(
                f"{stage}: its source changed, its code version is still {before.code_version}. Raise the version in "
                f"{STAGES[stage][0]} and run: {COMMAND}; or, if no output can differ: {COMMAND} --same-output {stage}"
            )
    return lines


def read_record(path: Path = RECORD) -> dict[str, StageSource]:
    if not path.exists():
        return {}
    return {stage: StageSource(**entry) for stage, entry in json.loads(path.read_text()).items()}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Record each stage's code version and source.")
    parser.add_argument("--same-output", metavar="STAGE", action="append", default=[], choices=list(STAGES))
    allowed = parser.parse_args(arguments).same_output
    recorded, now = read_record(), present_stages()
    unraised = [
        stage
        for stage, current in now.items()
        if stage in recorded
        and current.code_version == recorded[stage].code_version
        and current.source != recorded[stage].source
        and stage not in allowed
    ]
    if unraised:
        print(
            "\n".join(line for line in complaints(recorded, now) if line.split(":")[0] in unraised),
            file=sys.stderr,
        )
        return 1
    RECORD.write_text(json.dumps({stage: asdict(entry) for stage, entry in now.items()}, indent=2) + "\n")
    return 0


def _modules(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _versions(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        if names & {"code_version", "CODE_VERSION"} and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


if __name__ == "__main__":
    sys.exit(main())
