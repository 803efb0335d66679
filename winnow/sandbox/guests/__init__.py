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
    code = compile(
        ast.fix_missing_locations(_Bare().visit(whole)), name, "exec", dont_inherit=True, optimize=2
    )
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


class _Bare(ast.NodeTransformer):
    """Takes out types, since importing `typing` costs as much as starting Python, and imports from this package."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | None:
        return None if node.module == "typing" or str(node.module).startswith("winnow.") else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign | None:
        return ast.Assign([node.target], node.value) if node.value else None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node
