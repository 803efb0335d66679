"""A checkpoint on this machine as a model that can be asked: loaded once, batches in input order."""

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from winnow.core.errors import ConfigError, DataError
from winnow.core.identity import digest
from winnow.models.answer_cache import AnswerCache, Kept
from winnow.models.budget import Budget
from winnow.models.call_log import CallLog
from winnow.models.chat import ChatEncoder
from winnow.models.client_config import ClientConfig
from winnow.models.faults import Fault
from winnow.models.generate import Generated, Prompt, generate
from winnow.models.reply import CallFailure, ModelReply, Outcome
from winnow.models.request import ModelRequest

_CHUNK = 4 << 20
_NEEDS = ("torch", "transformers", "tokenizers")
_TEMPLATE = "chat_template.jinja"


class LocalModel:
    """A checkpoint directory, and an adapter on it where there is one. Loads on first use.

    `identity` is a hash of weights, tokenizer, template and adapter: a checkpoint that changed is another model.
    `label` names it without a path.
    """

    def __init__(self, directory: Path, adapter: Path | None, template: Path) -> None:
        self._directory, self._adapter, self._template = directory, adapter, template
        files = [*_files(directory), template, *(_files(adapter) if adapter else ())]
        self.identity = digest([_sha256(file) for file in files])
        self.label = f"{(adapter or directory).resolve().name}@{self.identity[:12]}"
        self._model: Any = None

    def _load(self) -> None:
        from tokenizers import Tokenizer

        from winnow.models.local import load_adapter, load_causal_lm

        model = load_causal_lm(self._directory)
        self._model = load_adapter(model, self._adapter) if self._adapter else model
        self._tokenizer = Tokenizer.from_file(str(self._directory / "tokenizer.json"))
        self._encoder = ChatEncoder.from_files(self._directory / "tokenizer.json", self._template)
        ends = model.generation_config.eos_token_id
        self._ends = frozenset([ends] if isinstance(ends, int) else ends or ())
        self._room: int = getattr(model.config, "max_position_embeddings", 1 << 30)

    def prompt(self, request: ModelRequest) -> Prompt | Fault:
        """The request in tokens; a fault where it does not fit into the template, or with its reply into the model."""
        if self._model is None:
            self._load()
        messages = [message.model_dump() for message in request.messages]
        try:
            ids = self._encoder.encode_prompt(messages, request.tools)
        except DataError as error:
            return Fault("request", str(error))
        wanted = len(ids) + request.sampling.max_tokens
        if wanted > self._room:
            return Fault(
                "context",
                f"{wanted} tokens with the reply, and the model holds {self._room}; shorten the request, or lower "
                "`sampling.max_tokens`",
            )
        return Prompt(ids, request.sampling, int(digest(request.encoded(), 8), 16), request.logprobs)

    def answer(self, prompts: Sequence[Prompt]) -> list[Generated]:
        return generate(self._model, prompts, self._decode, self._ends)

    def _decode(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True))


def open_local(config: ClientConfig) -> LocalModel:
    """The local model of a configuration. Raises ConfigError for a wrong path and for what is not installed."""
    if missing := [name for name in _NEEDS if find_spec(name) is None]:
        raise ConfigError(f"{config.model}: {', '.join(missing)} not installed. Run `make setup`.")
    directory = Path(config.spec.name)
    adapter = Path(config.adapter) if config.adapter else None
    template = Path(config.template) if config.template else directory / _TEMPLATE
    for path, what in ((directory / "config.json", "model"), (directory / "tokenizer.json", "model")):
        if not path.is_file():
            raise ConfigError(
                f"`{what}: {config.model}`: no {path.name} in it. Give a checkpoint's directory."
            )
    if adapter and not (adapter / "adapter_config.json").is_file():
        raise ConfigError(
            f"`adapter: {config.adapter}`: no adapter_config.json in it. Give an adapter's directory."
        )
    if not template.is_file():
        raise ConfigError(f"`template: {template}`: no such file. Give the chat template of the model.")
    return LocalModel(directory, adapter, template)


class LocalRun:
    """Answers requests in batches, in input order; see ModelClient for what holds."""

    def __init__(
        self, model: LocalModel, config: ClientConfig, cache: AnswerCache, budget: Budget, log: CallLog
    ) -> None:
        self._model, self._config, self._cache = model, config, cache
        self._budget, self._log = budget, log

    def outcomes(self, requests: Iterable[ModelRequest]) -> Iterator[Outcome]:
        """One outcome a request, in order; a batch is stored before its first reply is handed on."""
        waiting = iter(requests)
        try:
            while batch := list(islice(waiting, self._config.batch_size)):
                yield from self._batch(batch)
                self._log.flush_if_many()
        finally:
            self._log.flush()

    def _batch(self, batch: Sequence[ModelRequest]) -> list[Outcome]:
        names = [self._cache.name(request) for request in batch]
        done: dict[str, Outcome] = {}
        asked: dict[str, Prompt] = {}
        for name, request in zip(names, batch, strict=True):
            if name in asked or name in done:
                continue
            if (kept := self._cache.find(name)) is not None:
                done[name] = self._log.hit(kept)
                continue
            verdict = self._budget.ask(0.0, 0.0)
            if verdict in ("minutes", "dollars"):
                done[name] = self._failed(Fault(verdict, self._budget.why(verdict, 0.0, 0.0)), name)
                continue
            prompt = self._model.prompt(request)
            if isinstance(prompt, Fault):
                done[name] = self._failed(prompt, name)
            else:
                asked[name] = prompt
        if asked:
            done |= self._answered(asked)
        return [done[name] for name in names]

    def _answered(self, asked: dict[str, Prompt]) -> dict[str, Outcome]:
        called_at, started = datetime.now(UTC), time.monotonic()
        rows = self._model.answer(list(asked.values()))
        seconds = time.monotonic() - started
        replies: dict[str, Outcome] = {}
        for (name, prompt), row in zip(asked.items(), rows, strict=True):
            reply = ModelReply(
                text=row.text,
                finish_reason=row.finish_reason,
                model=self._model.label,
                tokens_in=len(prompt.ids),
                tokens_out=len(row.ids),
                tokens_cached=0,
                logprobs=None if prompt.logprobs is None else tuple(row.logprobs),
                latency_seconds=seconds,
                dollars=0.0,
                request_hash=name,
            )
            record = self._log.paid(reply, called_at)
            replies[name] = self._cache.keep(Kept(reply=reply, call=record)).reply
            self._log.answered(record)
        return replies

    def _failed(self, fault: Fault, name: str) -> CallFailure:
        failure = CallFailure(fault.reason, fault.message, name)
        self._log.failed(failure, 0.0)
        return failure


def _files(directory: Path) -> list[Path]:
    kinds = (".json", ".safetensors", ".gguf", ".bin", ".jinja")
    return sorted(path for path in directory.iterdir() if path.suffix in kinds)


def _sha256(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            found.update(piece)
    return found.hexdigest()
