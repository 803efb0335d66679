"""Names under which languages go: tags of fenced blocks, ends of file names, whole names, shebangs."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import PurePosixPath

_TAGS = {
    "c": "h",
    "cpp": "c++ cc cxx hpp cplusplus cuda cu arduino ino",
    "csharp": "c# cs dotnet",
    "css": "scss sass less",
    "diff": "patch udiff",
    "dockerfile": "docker containerfile",
    "go": "golang",
    "html": "xml svg xhtml vue svelte jinja jinja2 django htm",
    "java": "",
    "javascript": "js jsx mjs cjs node nodejs ecmascript javascriptreact",
    "json": "jsonc json5 jsonl ndjson geojson ipynb",
    "kotlin": "kt kts",
    "lua": "",
    "makefile": "make mk",
    "markdown": "md mdx rmd",
    "perl": "pl",
    "php": "",
    "python": "py py3 python3 python2 cython pyx sage ipython3",
    "r": "rlang rscript",
    "restructuredtext": "rst",
    "ruby": "rb",
    "rust": "rs",
    "scala": "sbt",
    "shell": "bash sh zsh ksh fish shellscript dash",
    "sql": "mysql postgresql postgres psql sqlite sqlite3 plsql tsql pgsql plpgsql mssql bigquery ddl snowflake",
    "swift": "",
    "text": "txt plain plaintext plain-text output log csv tsv none raw",
    "toml": "ini cfg conf properties editorconfig",
    "typescript": "ts tsx mts cts typescriptreact",
    "yaml": "yml docker-compose compose k8s kubernetes ansible",
}
TAGS = {tag: language for language, more in _TAGS.items() for tag in (language, *more.split())}
"""Tag to language, both in lower case."""

SESSIONS = frozenset(
    (
        "console",
        "shell-session",
        "sh-session",
        "terminal",
        "pycon",
        "python-console",
        "python-repl",
        "pytb",
        "irb",
        "ipython",
        "repl",
        "cmd",
        "powershell",
        "ps1",
        "ps",
        "pwsh",
        "bat",
        "batch",
        "dos",
        "traceback",
        "stacktrace",
    )
)
"""Tags of what a terminal showed, and of its relatives: no grammar here reads them."""

_MORE_SUFFIXES = {
    ".bats": "shell",
    ".cjs": "javascript",
    ".cts": "typescript",
    ".cxx": "cpp",
    ".ddl": "sql",
    ".diff": "diff",
    ".hh": "cpp",
    ".htm": "html",
    ".hxx": "cpp",
    ".ino": "cpp",
    ".ipp": "cpp",
    ".jsonl": "json",
    ".ksh": "shell",
    ".kts": "kotlin",
    ".mjs": "javascript",
    ".mts": "typescript",
    ".patch": "diff",
    ".pm": "perl",
    ".pyw": "python",
    ".pyx": "python",
    ".svg": "html",
    ".xml": "html",
    ".zsh": "shell",
}
FILES = {
    ".bash_aliases": "shell",
    ".bash_profile": "shell",
    ".bashrc": "shell",
    ".clang-format": "yaml",
    ".profile": "shell",
    ".zshrc": "shell",
    "build.bazel": "python",
    "cmakelists.txt": "cmake",
    "configure": "shell",
    "dockerfile": "dockerfile",
    "gemfile": "ruby",
    "gnumakefile": "makefile",
    "makefile": "makefile",
    "rakefile": "ruby",
    "sconstruct": "python",
    "wscript": "python",
}
_INTERPRETERS = {
    "bun": "javascript",
    "deno": "typescript",
    "node": "javascript",
    "nodejs": "javascript",
    "perl": "perl",
    "php": "php",
    "pypy": "python",
    "python": "python",
    "ruby": "ruby",
    "Rscript": "r",
    "ts-node": "typescript",
} | dict.fromkeys(("ash", "bash", "dash", "ksh", "sh", "zsh", "bats"), "shell")
_SHEBANG = re.compile(r"\ufeff?#![ \t]*(?:\S*/)?(?P<program>[\w.+-]+)(?P<rest>[^\n]{0,200})")
_VERSION = re.compile(r"[\d.]+$")
_INFO = re.compile(r"\s*\{?\s*\.?(?P<tag>[^\s{}:,;=]+)")


@cache
def suffixes() -> Mapping[str, str]:
    """Suffix to language: those by which the normalize stage names the language of a row, and more."""
    # Loaded late: the package around it imports pyarrow, which the parsing process must do without
    from winnow.curation.normalize.language import BY_SUFFIX

    return BY_SUFFIX | _MORE_SUFFIXES


def canonical(language: str | None) -> str | None:
    """The name that `winnow.curation.normalize.language` uses, for that of a tag or column.

    >>> canonical("Bash"), canonical("C++"), canonical("Cobol"), canonical(None)
    ('shell', 'cpp', 'cobol', None)
    """
    if language is None:
        return None
    lowered = language.strip().lower()
    return TAGS.get(lowered, lowered) or None


def tag_of(info: str) -> str:
    """The language tag of an info string, in lower case, without a version; empty where it has none.

    >>> [tag_of(info) for info in ("python title=x", "{.py}", "JS:app.js", "python3.11", "src/a.rs", "")]
    ['python', 'py', 'js', 'python', '.rs', '']
    """
    match = _INFO.match(info)
    if match is None:
        return ""
    tag = match["tag"].lower()
    if "/" in tag or (tag not in TAGS and PurePosixPath(tag).suffix in suffixes()):
        return PurePosixPath(tag).suffix
    return tag if tag in TAGS else _VERSION.sub("", tag)


def by_name(name: str) -> str | None:
    """The language that a file's name tells, by its suffix or as a whole.

    >>> by_name("src/x.TSX"), by_name("docker/Dockerfile.dev"), by_name("README")
    ('typescript', 'dockerfile', None)
    """
    path = PurePosixPath(name)
    whole = path.name.lower()
    return FILES.get(whole) or suffixes().get(path.suffix.lower()) or FILES.get(path.stem.lower())


def by_shebang(text: str) -> str | None:
    r"""The language of the program that a first line `#!` names.

    >>> by_shebang("#!/usr/bin/env -S python3.11 -u\n"), by_shebang("#!/bin/sh"), by_shebang("x")
    ('python', 'shell', None)
    """
    match = _SHEBANG.match(text)
    if match is None:
        return None
    words = [match["program"]]
    if words[0] == "env":
        words = [w for w in match["rest"].split() if not w.startswith("-") and "=" not in w]
    program = words[0].rpartition("/")[2] if words else ""
    return _INTERPRETERS.get(program) or _INTERPRETERS.get(_VERSION.sub("", program))
