"""From a parse tree to regions, with a cursor: no recursion, whatever the depth."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from winnow.curation.syntax.grammars import (
    BODY,
    COMMENT,
    HOLE,
    LITERAL,
    MACRO,
    PAIR,
    SCALAR,
    STRING,
    load,
)

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

Piece = tuple[int, int, int]
"""Start and end in bytes, and the index of the kind in `regions.KINDS`; the next index is for what is unreadable."""

_COMMENT, _DOCSTRING, _STRING, _UNREAD = 1, 2, 3, 4
_LITERAL_START = re.compile(rb"(?:[A-Za-z]{0,2}&?['\"]|\$\w*\$)")
_PLAIN_QUOTE = re.compile(rb"[rRuU]?['\"]")
_IN_MACRO = re.compile(rb"""(?P<string>"(?:[^"\\]|\\.)*+")|//[^\n]*+|/\*.*?(?:\*/|\Z)""", re.DOTALL)
_ERROR = 65_535
"""The kind of nodes that the parser made up for what it could not read."""
_TAG = re.compile(rb"</|/>")


class TooDeep(Exception):
    """The tree is deeper than the limit."""


def read(source: bytes, language: str, max_depth: int) -> tuple[list[Piece], list[Piece]]:
    """The comments, docstrings and strings of UTF-8 text, and what the parser could not make sense of.

    Both ascending and disjoint. Raises TooDeep where one lies deeper than `max_depth` in the tree.
    """
    tree, name = _parse(source, language)
    pieces = merge_comments(source, _pieces(tree, source, name, max_depth))
    return pieces, list(_errors(tree, max_depth)) if tree.root_node.has_error else []


def _parse(source: bytes, language: str) -> "tuple[Tree, str]":
    """The tree and the grammar that made it; TypeScript with tags in it has a grammar of its own."""
    from tree_sitter import Parser

    if language == "typescript" and _TAG.search(source):
        tree = Parser(load("tsx").language).parse(source)
        if not tree.root_node.has_error:
            return tree, "tsx"
    return Parser(load(language).language).parse(source), language


def _pieces(tree: "Tree", source: bytes, language: str, max_depth: int) -> Iterator[Piece]:
    """A walk that goes from sign to sign, and inside a string to every node, as its holes bear none."""
    _, roles, signs, hole_signs = load(language)
    cursor = tree.walk()
    marks = _Marks(source, hole_signs)
    ends: list[int] = []  # of the nodes above the cursor
    sign = 0  # where the next one is, at or after what was walked
    while True:
        node = cursor.node
        assert node is not None
        if marks.open and len(ends) <= marks.open[-1][0]:
            yield from marks.close(len(ends))
        start, end, kind = node.start_byte, node.end_byte, node.kind_id
        role = roles[kind] if kind < _ERROR else 0
        inside = True
        if role:
            inside = role != COMMENT and not (role == STRING and marks.is_whole(start, end))
            yield from marks.meet(node, role, len(ends), inside)
        if inside and (signs is None or marks.open):
            inside = cursor.goto_first_child()
        elif inside and signs is not None:
            if sign < start:
                sign = _next(signs, source, start)
            inside = sign < end and cursor.goto_first_child_for_byte(sign) is not None
        if inside:
            ends.append(end)
            if len(ends) > max_depth:
                raise TooDeep
            continue
        if signs is not None and sign < end:
            sign = _next(signs, source, end)
        while (
            ends and sign >= ends[-1] and signs is not None and not marks.open
        ) or not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                yield from marks.close(0)
                return
            ends.pop()


def _next(signs: re.Pattern[bytes], source: bytes, at: int) -> int:
    found = signs.search(source, at)
    return found.start() if found else len(source)


def _errors(tree: "Tree", max_depth: int) -> Iterator[Piece]:
    """The outermost nodes that the parser made of what it could not read."""
    cursor = tree.walk()
    depth = 0
    while True:
        node = cursor.node
        assert node is not None
        if node.is_error and node.start_byte < node.end_byte:
            yield node.start_byte, node.end_byte, _UNREAD
        elif node.has_error and cursor.goto_first_child():
            depth += 1
            if depth > max_depth:
                raise TooDeep
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            depth -= 1


class _Marks:
    """What the walk has met so far: open strings, keys that are code, strings that are docstrings."""

    def __init__(self, source: bytes, hole_signs: re.Pattern[bytes] | None) -> None:
        self.open: list[list[int]] = []  # depth, start of the piece, end of the literal, kind
        self._source, self._hole_signs = source, hole_signs
        self._keys: set[int] = set()
        self._docs: set[int] = set()

    def is_whole(self, start: int, end: int) -> bool:
        """Whether a string has no hole to look for."""
        return self._hole_signs is None or self._hole_signs.search(self._source, start, end) is None

    def close(self, depth: int) -> Iterator[Piece]:
        """The last pieces of the strings that end before a node at `depth`."""
        while self.open and depth <= self.open[-1][0]:
            _, start, end, kind = self.open.pop()
            yield from self._piece(start, end, kind)

    def meet(self, node: "Node", role: int, depth: int, inside: bool) -> Iterator[Piece]:
        """The pieces that are known once a node is reached; `inside`: its children will be walked."""
        start, end = node.start_byte, node.end_byte
        if role == COMMENT:
            yield start, end, _COMMENT
        elif role in (STRING, SCALAR) or (role == LITERAL and _LITERAL_START.match(self._source, start, end)):
            kind = _DOCSTRING if start in self._docs else _STRING
            if start in self._keys:
                return
            if inside:
                self.open.append([depth, start, end, kind])
            else:
                yield from self._piece(start, end, kind)
        elif role == HOLE:
            yield from self._cut(start, end, depth)
        elif role == PAIR:
            if key := node.child_by_field_name("key"):
                self._keys.add(key.start_byte)
        elif role == BODY:
            self._docs.update(_docstring(node, self._source))
        elif role == MACRO:
            for match in _IN_MACRO.finditer(self._source, start, end):
                yield *match.span(), _STRING if match["string"] else _COMMENT

    def _cut(self, start: int, end: int, depth: int) -> Iterator[Piece]:
        """The piece of the innermost string before a hole that is its child."""
        if self.open and self.open[-1][0] == depth - 1:
            literal = self.open[-1]
            yield from self._piece(literal[1], start, literal[3])
            literal[1] = end

    def _piece(self, start: int, end: int, kind: int) -> Iterator[Piece]:
        """A piece that holds more than white space, as lines between tags and between holes do not."""
        if not self._source[start:end].isspace() and start < end:
            yield start, end, kind


def _docstring(node: "Node", source: bytes) -> list[int]:
    """Where the literals of the docstring of a module, class or function start; none where it has none."""
    body = node if node.type == "module" else node.child_by_field_name("body")
    if body is None:
        return []
    cursor = body.walk()
    if not cursor.goto_first_child():
        return []
    while cursor.node is not None and cursor.node.type == "comment":
        if not cursor.goto_next_sibling():
            return []
    statement = cursor.node
    if statement is None or statement.type != "expression_statement" or statement.named_child_count != 1:
        return []
    value = statement.named_child(0)
    assert value is not None
    literals = [value]
    if value.type == "concatenated_string":
        literals = [part for part in value.named_children if part.type != "comment"]
    if all(part.type == "string" and _PLAIN_QUOTE.match(source, part.start_byte) for part in literals):
        return [part.start_byte for part in literals]
    return []


def merge_comments(source: bytes, pieces: Iterator[Piece]) -> list[Piece]:
    """Line comments on consecutive lines as one piece, without the line end that some grammars count in."""
    merged: list[Piece] = []
    for start, end, kind in pieces:
        if kind != _COMMENT:
            merged.append((start, end, kind))
            continue
        while end > start and source[end - 1] in b"\r\n":
            end -= 1
        if merged and merged[-1][2] == _COMMENT:
            gap = source[merged[-1][1] : start]
            if gap.count(b"\n") <= 1 and not gap.strip():
                start = merged.pop()[0]
        merged.append((start, end, kind))
    return merged
