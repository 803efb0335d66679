"""The program in what a model wrote: a completion cut where it ends, or the code in an answer."""

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator

from evaluation.humaneval.problems import Problem

STOPS = ("\nclass", "\ndef", "\n#", "\nif", "\nprint")
"""What cannot belong to the body of a function: HumanEval cuts a completion there."""

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<mark>```+|~~~+)(?P<language>[^\n`]*)$", re.MULTILINE)
_CODE_STARTS = re.compile(r"^(?:def |async def |class |import |from \w[\w.]* import |@\w)", re.MULTILINE)
_FUTURE = re.compile(r"^from __future__ import .*\n?", re.MULTILINE)


def cut(completion: str) -> str:
    r"""The completion up to the first text that cannot belong to the function.

    >>> cut("    return 1\n\nprint(f())\n")
    '    return 1\n'
    """
    return completion[: min((at for s in STOPS if (at := completion.find(s)) >= 0), default=len(completion))]


def completed_program(problem: Problem, completion: str) -> str:
    """The prompt with the completion after it; white space at the prompt's end is the completion's to write."""
    return problem.prompt.rstrip() + cut(completion) + "\n"


def answered_program(problem: Problem, answer: str) -> str:
    """The code in the answer behind the prompt's imports and helpers, or in the prompt where it is a mere body.

    Calls, asserts and `if __name__` blocks beside the function are left out: the tests alone run it.
    """
    code = extract_code(answer, problem.entry_point)
    if not _defines(code, problem.entry_point) and _is_body(code):
        return f"{problem.prompt.rstrip()}\n{textwrap.indent(textwrap.dedent(code), '    ')}\n"
    future = "".join(_FUTURE.findall(code))
    return future + problem.preamble + _FUTURE.sub("", _definitions(code)) + "\n"


def extract_code(answer: str, entry_point: str) -> str:
    r"""The code in an answer: the first fenced block that defines `entry_point`, else the first block.

    An answer without a fence is code from the first line that looks so, as far as it parses, else as a whole.

    >>> extract_code("Sure:\n```python\ndef f():\n    return 1\n```\nDone.", "f")
    'def f():\n    return 1\n'
    """
    answer = re.sub("\r\n?", "\n", answer)
    blocks = fenced_blocks(answer)
    if blocks:
        level = [block for b in blocks for block in (b, textwrap.dedent(b))]
        return next((b for b in level if _defines(b, entry_point)), blocks[0])
    start = _CODE_STARTS.search(answer)
    return answer if start is None else _parsing_part(answer[start.start() :])


def fenced_blocks(answer: str) -> list[str]:
    """What stands between fences, in order, without the indentation of its fence; empty blocks are left out.

    A fence that nothing closes runs to the next one that names a language, or to the end.
    """
    blocks: list[str] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(answer):
        if opened is not None and fence["mark"] != opened["mark"]:
            continue
        if opened is not None:
            blocks.append(_outdented(answer[opened.end() + 1 : fence.start()], opened["indent"]))
        opened = fence if opened is None or fence["language"].strip() else None
    if opened is not None:
        blocks.append(_outdented(answer[opened.end() + 1 :], opened["indent"]))
    return [block for block in blocks if block.strip()]


def _outdented(block: str, indent: str) -> str:
    return re.sub(rf"^[ \t]{{1,{len(indent)}}}", "", block, flags=re.MULTILINE) if indent else block


def _defines(code: str, name: str) -> bool:
    return re.search(rf"^(?:async )?def {re.escape(name)}\b", code, re.MULTILINE) is not None


def _is_body(code: str) -> bool:
    """Whether the code returns something outside of any function of its own."""
    tree = _parsed(textwrap.dedent(code))
    return tree is not None and any(isinstance(node, ast.Return) for node in _outside_functions(tree))


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr):
            yield from _outside_functions(child)


def _parsing_part(text: str) -> str:
    lines = _lines(text)
    for end in range(len(lines), 0, -1):
        part = "".join(lines[:end])
        if _parsed(part) is not None:
            return part
    return text


def _definitions(code: str) -> str:
    """The code without the statements that only use what it defines; as it is where it does not parse."""
    tree = _parsed(code)
    if tree is None:
        return code
    lines = _lines(code)
    kept = {line for node in tree.body if not _only_uses(node) for line in _span(node)}
    for node in filter(_only_uses, tree.body):
        for line in _span(node):
            lines[line] = lines[line] if line in kept else "\n"
    return "".join(lines)


def _only_uses(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test))
    return isinstance(node, ast.Expr | ast.Assert)


def _span(node: ast.stmt) -> range:
    return range(node.lineno - 1, node.end_lineno or node.lineno)


def _lines(text: str) -> list[str]:
    """Lines as the parser counts them: `str.splitlines` ends one at a form feed too."""
    return re.findall(r"[^\n]*\n|[^\n]+$", text)


def _parsed(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
