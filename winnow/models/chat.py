"""A conversation as the tokens that a model is trained on, and which of them it has to write itself."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from jinja2.ext import Extension
from jinja2.nodes import CallBlock, Node
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from winnow.core.errors import ConfigError, DataError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Unicode noncharacters: no text interchanged holds them, and an input that does has them replaced.
_WRITTEN, _WRITTEN_END, _LITERAL, _LITERAL_END = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
_MARKS = re.compile(f"[{_WRITTEN}-{_LITERAL_END}]")
_PIECES = re.compile(f"([{_WRITTEN}{_WRITTEN_END}]|{_LITERAL}[^{_LITERAL_END}]*{_LITERAL_END})")


@dataclass(frozen=True)
class Encoded:
    """Token ids of a conversation, cut to the limit. `trained[i]`: the model has to write token i."""

    ids: tuple[int, ...]
    trained: tuple[bool, ...]
    length: int
    """Tokens before the cut."""
    trainable: int
    """Tokens to be written by the model before the cut."""

    @property
    def truncated(self) -> bool:
        return self.length > len(self.ids)

    @property
    def scored(self) -> int:
        """Tokens that count in a loss: to be written by the model, with something before them."""
        return sum(self.trained[1:])

    def labels(self) -> list[int]:
        """The ids with -100 where no loss is taken."""
        return [token if trained else -100 for token, trained in zip(self.ids, self.trained, strict=True)]


class _Generation(Extension):
    """The `{% generation %}` tag of Hugging Face chat templates: its body is what the model writes."""

    tags = {"generation"}  # noqa: RUF012 jinja2's own interface

    def parse(self, parser: Parser) -> Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return CallBlock(self.call_method("_mark"), [], [], body).set_lineno(line)

    def _mark(self, caller: Callable[[], str]) -> str:
        return f"{_WRITTEN}{caller()}{_WRITTEN_END}"


class ChatEncoder:
    """Renders conversations by a chat template and encodes them, marking what the model has to write.

    A turn of the model is encoded apart from the prompt before it, as it is when the model generates; the
    text of a message that spells a control token (`<|im_end|>`) is encoded as plain text and ends no turn.
    Raises ConfigError for a template without a `{% generation %}` block and for a tokenizer that puts
    something before each text that it encodes.
    """

    def __init__(self, tokenizer: "Tokenizer", template: str) -> None:
        if "{%- generation" not in template and "{% generation" not in template:
            raise ConfigError(
                "the chat template has no {% generation %} block, so nothing says which tokens to train on. "
                "Put one around each turn of the assistant."
            )
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, "jinja2.ext.loopcontrols"]
        )
        environment.filters["tojson"] = _tojson
        environment.globals["raise_exception"] = _raise
        try:
            self._template = environment.from_string(template)
        except jinja2.TemplateSyntaxError as error:
            raise ConfigError(
                f"the chat template, line {error.lineno}: {error.message}. Correct it."
            ) from None
        self._tokenizer = tokenizer
        words = [t.content for t in tokenizer.get_added_tokens_decoder().values() if t.special]
        self._control = re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)")
        if self._plain("a\n") + self._plain("b") != self._plain("a\nb"):
            raise ConfigError(
                "the tokenizer adds something before each text. Use a model with byte-level BPE."
            )

    @classmethod
    def from_files(cls, tokenizer: Path, template: Path) -> "ChatEncoder":
        """The encoder of a `tokenizer.json` and a template file."""
        from tokenizers import Tokenizer

        return cls(Tokenizer.from_file(str(tokenizer)), template.read_text(encoding="utf-8"))

    def render(
        self, messages: Sequence[Mapping[str, Any]], tools: str | None = None, prompt: bool = False
    ) -> str:
        """The conversation as text; with `prompt`, the start of the assistant's next turn too."""
        return _PIECES.sub(_unmarked, self._marked(messages, tools, prompt))

    def encode(
        self, messages: Sequence[Mapping[str, Any]], tools: str | None = None, limit: int | None = None
    ) -> Encoded:
        """The first `limit` tokens. Raises DataError for tools that are no JSON list."""
        ids: list[int] = []
        trained: list[bool] = []
        writes = False
        for piece in _PIECES.split(self._marked(messages, tools, prompt=False)):
            if piece in (_WRITTEN, _WRITTEN_END):
                writes = piece == _WRITTEN
                continue
            tokens = self._plain(piece[1:-1]) if piece.startswith(_LITERAL) else self._coded(piece)
            ids += tokens
            trained += [writes] * len(tokens)
        return Encoded(tuple(ids[:limit]), tuple(trained[:limit]), len(ids), sum(trained))

    def encode_prompt(self, messages: Sequence[Mapping[str, Any]], tools: str | None = None) -> list[int]:
        """Token ids of the conversation and of the start of the assistant's next turn, as `encode` makes them."""
        ids: list[int] = []
        for piece in _PIECES.split(self._marked(messages, tools, prompt=True)):
            if piece not in (_WRITTEN, _WRITTEN_END):
                ids += self._plain(piece[1:-1]) if piece.startswith(_LITERAL) else self._coded(piece)
        return ids

    def _marked(self, messages: Sequence[Mapping[str, Any]], tools: str | None, prompt: bool) -> str:
        try:
            return self._template.render(
                messages=[self._literal(m) for m in messages],
                tools=self._literal(_tools(tools)),
                add_generation_prompt=prompt,
            )
        except jinja2.TemplateError as error:
            raise DataError(f"the chat template refuses a conversation: {error.message}") from None

    def _literal(self, value: Any) -> Any:
        """`value` with the control tokens in its texts marked as plain text."""
        if isinstance(value, str):
            clean = _MARKS.sub("\ufffd", value.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
            return self._control.sub(f"{_LITERAL}\\g<0>{_LITERAL_END}", clean)
        if isinstance(value, Mapping):
            return {self._literal(k): self._literal(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self._literal(v) for v in value]
        return value

    def _coded(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids) if text else []

    def _plain(self, text: str) -> list[int]:
        self._tokenizer.encode_special_tokens = True
        try:
            return self._coded(text)
        finally:
            self._tokenizer.encode_special_tokens = False


def _unmarked(match: re.Match[str]) -> str:
    return match[0].strip(f"{_WRITTEN}{_WRITTEN_END}{_LITERAL}{_LITERAL_END}")


def _tools(text: str | None) -> list[Any] | None:
    if not text:
        return None
    try:
        tools = json.loads(text)
    except ValueError:
        tools = None
    if not isinstance(tools, list):
        raise DataError("`tools` is no JSON list. Write the tool schemas as the text of a JSON list.")
    return tools


def _tojson(value: Any, indent: int | None = None) -> str:
    # jinja2's own filter escapes < and > for HTML
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _raise(message: str) -> None:
    raise jinja2.TemplateError(message)
