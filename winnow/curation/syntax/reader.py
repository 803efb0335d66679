"""Where a text speaks to people: comments, docstrings and strings of code, prose around fenced code."""

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from winnow.curation.syntax.fences import body_of, fenced_blocks
from winnow.curation.syntax.grammars import GRAMMARS
from winnow.curation.syntax.guess import language_of_fence
from winnow.curation.syntax.inline_code import inline_code
from winnow.curation.syntax.names import canonical
from winnow.curation.syntax.process import GrammarProcess
from winnow.curation.syntax.regions import KINDS, Problem, Region, Regions, all_prose
from winnow.curation.syntax.speech import speaks, with_speech

_SENTENCES = frozenset({"shell", "sql"})
"""Languages whose own statements are words in a row."""
_OLD_MAC_END = re.compile(r"\r(?!\n)")


@dataclass(frozen=True)
class Limits:
    """What one text may cost. A text beyond a limit is read as prose."""

    seconds: float = 1.0
    """CPU time of the parser for any text; the blocks of a chat share theirs."""
    seconds_per_megabyte: float = 2.0
    """And for each megabyte of UTF-8; on real files the slowest grammar took 0.35."""
    max_bytes: int = 4 << 20
    """UTF-8 bytes of a file or block."""
    max_depth: int = 10_000
    """Levels of the parse tree."""
    max_blocks: int = 2_000
    """Fenced blocks of a chat; what follows the last of them is prose."""
    memory_bytes: int = 1 << 30
    """Address space of the parsing process."""


class SyntaxReader:
    """Reads texts through one child process of its own, which may die without harm.

    It is pickled and forked as its limits alone: every process starts a child of its own, at its first text.
    Threads take turns. Close it, or use it as a context manager; the child also ends with this process.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._process = GrammarProcess(self.limits.memory_bytes, self.limits.max_depth)

    def __reduce__(self) -> tuple[type["SyntaxReader"], tuple[Limits]]:
        return SyntaxReader, (self.limits,)

    def __enter__(self) -> "SyntaxReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the child; a later text starts another."""
        self._process.close()

    @property
    def child_pid(self) -> int | None:
        """The process that parses, once there is one."""
        return self._process.pid

    def regions(self, text: str, language: str | None, form: Literal["chat", "file"] = "file") -> Regions:
        """The regions of a text of one language, or of a chat message with fenced blocks.

        A language without a grammar is all prose, with the problem `no-grammar`; so is a text that the parser
        could not take. In a chat `language` is not looked at: each block has its own, by its tag or its looks. There a
        block that no grammar reads is prose where it speaks (`speech.speaks`) and code elsewhere, which is
        no problem; one that the parser could not take is prose and names the first problem of the message.
        In what a grammar could not read, lines of words are prose too, whatever the tag says, and quoted text
        within a line is a string.
        Raises RunError where the child cannot be started.
        """
        if form == "chat":
            return self._chat(text)
        name = canonical(language)
        if name not in GRAMMARS:
            return all_prose(text, "no-grammar")
        return self._code(text, name, _Budget())

    def _code(self, text: str, language: str, budget: "_Budget") -> Regions:
        """The regions of a text in a language with a grammar, within what its message has not spent."""
        if not text:
            return Regions(())
        source = _encoded(text) if len(text) <= self.limits.max_bytes else b""
        if not source or len(source) > self.limits.max_bytes:
            return all_prose(text, "too-large")
        budget.allow(self.limits, len(source))
        if budget.left <= 0:
            return all_prose(text, "timeout")
        with self._lock:
            answer = self._process.ask(source, language, budget.left)
        budget.spent += answer.seconds
        if answer.problem is not None:
            return all_prose(text, answer.problem)
        numbers = iter(answer.found)
        triples = list(zip(numbers, numbers, numbers, strict=True))
        spans = [Region(start, end, KINDS[kind]) for start, end, kind in triples if kind < len(KINDS)]
        if len(spans) < len(triples):
            unread = [(start, end) for start, end, _ in triples[len(spans) :]]
            spans = with_speech(text, spans, unread, words=language not in _SENTENCES)
        return Regions(tuple(spans))

    def _chat(self, text: str) -> Regions:
        spans: list[Region] = []
        problem: Problem | None = None
        at, budget = 0, _Budget()
        for number, block in enumerate(fenced_blocks(text)):
            spans += _spoken(text, at, block.start)
            at = block.end
            if number == self.limits.max_blocks:
                at, problem = block.start, problem or "too-large"
                break
            body = body_of(text, block)
            inner = self._block(body.text, block.info, budget)
            problem = problem or inner.problem
            spans += (Region(*body.back(s.start, s.end), s.kind) for s in inner.spans)
        spans += _spoken(text, at, len(text))
        return Regions(tuple(spans), problem)

    def _block(self, body: str, info: str, budget: "_Budget") -> Regions:
        language = language_of_fence(info, body).language
        if language in GRAMMARS:
            return self._code(body, language, budget)
        return all_prose(body) if speaks(body) else Regions(())


@dataclass
class _Budget:
    """CPU seconds that the parser may take for one message, and has taken."""

    allowed: float = 0.0
    spent: float = 0.0

    @property
    def left(self) -> float:
        return self.allowed - self.spent

    def allow(self, limits: Limits, size: int) -> None:
        self.allowed = self.allowed or limits.seconds
        self.allowed += limits.seconds_per_megabyte * size / 1e6


def _encoded(text: str) -> bytes:
    """UTF-8 with a code point for each of the text's, in the form that the grammars know.

    A lone surrogate becomes a question mark, NUL a space, the line end of old Macs a line feed.
    """
    if "\0" in text:
        text = text.replace("\0", " ")
    if "\r" in text:
        text = _OLD_MAC_END.sub("\n", text)
    return text.encode("utf-8", "replace")


def _spoken(text: str, start: int, end: int) -> Iterator[Region]:
    """The prose between two blocks, without inline code; white space alone is no prose."""
    at = start
    for first, last in inline_code(text, start, end):
        if text[at:first].strip():
            yield Region(at, first, "prose")
        at = last
    if text[at:end].strip():
        yield Region(at, end, "prose")
