"""The grammars, and which of their nodes are comments, strings and holes in strings."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Language

COMMENT, STRING, HOLE, PAIR, BODY, MACRO, LITERAL, SCALAR = range(1, 9)
"""Roles of nodes: HOLE cuts a string, PAIR has a key that is code, BODY may open with a docstring, MACRO is C's
unparsed text, LITERAL is a string where it starts with a quote, SCALAR is YAML's bare word."""


@dataclass(frozen=True)
class Grammar:
    """A wheel, the function in it that returns the language, and the nodes that matter, by role."""

    module: str
    comments: tuple[str, ...]
    strings: tuple[str, ...] = ()
    holes: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    scalars: tuple[str, ...] = ()
    function: str = "language"
    hole_signs: bytes | None = None
    """A regular expression that every string with a hole holds."""
    signs: bytes | None = None
    """A regular expression that every node with a role holds, or text that lies between two nodes that do; None
    where there is no such. What it does not find the walk does not visit."""

    def roles(self, language: "Language") -> bytes:
        """The role of each kind of node, by its number; 0 where it has none.

        A token and its node may share a name (`string` in type annotations), so only named kinds count.
        """
        by_name = {}
        groups = (
            self.comments,
            self.strings,
            self.holes,
            self.pairs,
            self.bodies,
            self.macros,
            self.literals,
            self.scalars,
        )
        for role, names in enumerate(groups, 1):
            by_name.update(dict.fromkeys(names, role))
        return bytes(
            by_name.get(language.node_kind_for_id(number) or "", 0)
            if language.node_kind_is_named(number)
            else 0
            for number in range(language.node_kind_count)
        )


_JAVASCRIPT: dict[str, Any] = {
    "comments": ("comment", "html_comment", "hash_bang_line"),
    "signs": rb"['\"`/<]",
    # Text between JSX tags is what users of the program read
    "strings": ("string", "template_string", "jsx_text"),
    "holes": ("template_substitution",),
    "hole_signs": rb"\$\{",
}

GRAMMARS: dict[str, Grammar] = {
    "c": Grammar(
        "tree_sitter_c",
        ("comment",),
        ("string_literal",),
        macros=("preproc_arg",),
        signs=rb"[\"/]",
    ),
    "cpp": Grammar(
        "tree_sitter_cpp",
        ("comment",),
        ("string_literal", "raw_string_literal"),
        macros=("preproc_arg",),
        signs=rb"[\"/]",
    ),
    "go": Grammar(
        "tree_sitter_go",
        ("comment",),
        ("interpreted_string_literal", "raw_string_literal"),
        signs=rb"[\"`/]",
    ),
    "java": Grammar(
        "tree_sitter_java",
        ("line_comment", "block_comment"),
        ("string_literal",),
        ("string_interpolation",),
        hole_signs=rb"\\\{",
        signs=rb"[\"/]",
    ),
    "javascript": Grammar("tree_sitter_javascript", **_JAVASCRIPT),
    "python": Grammar(
        "tree_sitter_python",
        ("comment",),
        ("string",),
        ("interpolation",),
        hole_signs=rb"\{",
        bodies=("module", "class_definition", "function_definition"),
        signs=rb"['\"#]",
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        ("line_comment", "block_comment"),
        ("string_literal", "raw_string_literal"),
        signs=rb"[\"/]",
    ),
    "shell": Grammar(
        "tree_sitter_bash",
        ("comment",),
        ("string", "raw_string", "ansi_c_string", "heredoc_body"),
        ("simple_expansion", "expansion", "command_substitution", "arithmetic_expansion"),
        hole_signs=rb"[$`]",
    ),
    "sql": Grammar("tree_sitter_sql", ("comment", "marginalia"), literals=("literal",), signs=rb"['\"$/]|--"),
    "tsx": Grammar("tree_sitter_typescript", **_JAVASCRIPT, function="language_tsx"),
    "typescript": Grammar("tree_sitter_typescript", **_JAVASCRIPT, function="language_typescript"),
    "yaml": Grammar(
        "tree_sitter_yaml",
        ("comment",),
        ("double_quote_scalar", "single_quote_scalar", "block_scalar"),
        pairs=("block_mapping_pair", "flow_pair"),
        scalars=("string_scalar",),
    ),
}
"""By the names of `winnow.curation.normalize.language`; `tsx` is TypeScript with tags in it."""

ORDER: tuple[str, ...] = tuple(GRAMMARS)
"""What a number on the wire means."""


class Loaded(NamedTuple):
    """A language for the parser, the roles of its nodes, and the signs of those and of holes."""

    language: "Language"
    roles: bytes
    signs: re.Pattern[bytes] | None
    hole_signs: re.Pattern[bytes] | None


@cache
def load(name: str) -> Loaded:
    """A grammar, ready for use."""
    from tree_sitter import Language

    grammar = GRAMMARS[name]
    language = Language(getattr(import_module(grammar.module), grammar.function)())
    signs, hole_signs = (re.compile(p) if p else None for p in (grammar.signs, grammar.hole_signs))
    return Loaded(language, grammar.roles(language), signs, hole_signs)
