"""Which installed distributions a run of a function may import, so that an upgrade of one runs it again."""

import ast
import importlib.metadata
import re
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.mutations.function_text import parsed
from winnow.curation.sources.distributions import normalized

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Environment:
    """What is installed, by normalized name."""

    versions: Mapping[str, str]
    modules: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The distributions that bring each top-level module."""
    requirements: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What each distribution requires without extras."""
    folders: tuple[Path, ...] = ()
    """Where the files of modules are looked for."""

    @classmethod
    def installed(cls) -> "Environment":
        """That of this interpreter."""
        versions: dict[str, str] = {}
        requirements: dict[str, frozenset[str]] = {}
        for found in importlib.metadata.distributions():
            name = normalized(found.metadata["Name"] or "")
            if name and name not in versions:
                versions[name] = found.version
                requirements[name] = frozenset(_required(found.requires or ()))
        brought = importlib.metadata.packages_distributions()
        modules = {module: frozenset(map(normalized, names)) for module, names in brought.items()}
        folders = tuple(dict.fromkeys(Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")))
        return cls(versions, modules, requirements, folders)

    def needed_by(self, functions: Iterable[DocumentedFunction]) -> dict[str, str]:
        """Version by name of the distributions that runs of these functions may import.

        They are the functions' own, those whose modules a function, its examples or the file that it is in name
        in an import, and whatever one of these requires. What only another file of a package imports, and no
        requirement names, is not seen.
        """
        functions = list(functions)
        named = {function.distribution for function in functions}
        texts = [text for f in functions for text in (f.text, *(example.source for example in f.examples))]
        texts += [self._text_of(module) for module in sorted({f.module for f in functions})]
        for text in texts:
            named |= self._bringing(imported_modules(text))
        return {name: self.versions[name] for name in sorted(self._closure(named))}

    def _bringing(self, modules: Iterable[str]) -> set[str]:
        return {name for module in modules for name in self.modules.get(module, ())}

    def _closure(self, names: Iterable[str]) -> set[str]:
        found: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name in self.versions and name not in found:
                found.add(name)
                pending += self.requirements.get(name, ())
        return found

    def _text_of(self, module: str) -> str:
        place = Path(*module.split("."))
        for folder in self.folders:
            for file in (folder / place.with_suffix(".py"), folder / place / "__init__.py"):
                if file.is_file():
                    return file.read_text(encoding="utf-8", errors="replace")
        return ""


def imported_modules(text: str) -> set[str]:
    """Top-level names of the modules that Python source imports absolutely; none where it does not parse.

    >>> sorted(imported_modules("import a.b, c; from d.e import f; from . import g"))
    ['a', 'c', 'd']
    """
    if "import" not in text:
        return set()
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return found


def _required(requirements: Iterable[str]) -> Iterable[str]:
    """Names in `Requires-Dist`; what an extra asks for is nothing that the distribution needs."""
    for requirement in requirements:
        what, _, marker = requirement.partition(";")
        name = _NAME.match(what)
        if name and not re.search(r"\bextra\b", marker):
            yield normalized(name[0])
