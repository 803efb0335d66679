"""Scripts that run inside of boxes. Each is joined to `wire.py` and compiled once: see `script`."""

import ast
import importlib.util
import marshal
from functools import cache
from pathlib import Path

from winnow.sandbox import wire


@cache
def script(name: str) -> bytes:
    """A compiled script, as the content of a .pyc file, for any Python of our own minor version."""
    parts = [Path(wire.__file__), Path(__file__).with_name(f"{name}.py")]
    whole = ast.parse("\n".join(part.read_text(encoding="utf-8") for part in parts))
    whole.body = [node for node in whole.body if not _is_ours(node)]
    code = compile(whole, name, "exec", dont_inherit=True, optimize=2)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


def _is_ours(node: ast.stmt) -> bool:
    """Whether a statement imports from this package, which no box has."""
    return isinstance(node, ast.ImportFrom) and str(node.module).startswith("winnow.")
