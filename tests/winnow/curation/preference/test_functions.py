"""Which rows hold a documented function, and which rule the others fall under."""

import json
from typing import Any

import pytest
from documented_rows import DISTRIBUTION, row
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.preference.functions import (
    NO_DOCTEST,
    NO_FUNCTION,
    DocumentedFunction,
    documented_function,
)

TEXT = 'def f(a):\n    """Adds one to it.\n\n    >>> f(1)\n    2\n    """\n    return a + 1'
META = {"distribution": "d", "version": "1", "path": "a/b.py", "qualname": "f"}


def said(content: str | None, **more: Any) -> dict[str, Any]:
    made = row(TEXT, **more)
    made["messages"][-1]["content"] = content
    return made


def test_a_documented_function_knows_where_it_is_installed():
    found = documented_function(row(TEXT, "package/part/__init__.py"))
    assert isinstance(found, DocumentedFunction)
    assert (found.module, found.qualname, found.distribution) == ("package.part", "f", DISTRIBUTION)
    assert found.text == TEXT
    assert [e.source for e in found.examples] == ["f(1)\n"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("```python\n", "\n```"),
        ("```python\n", "\n```\n\n"),
        ("```python\n", "\n\n\n```"),
        ("````python\n", "\n````"),
        ("`````````python\n", "\n`````````\n"),
    ],
)
def test_the_answer_around_another_text_is_the_same(before: str, after: str):
    found = documented_function(said(before + TEXT + after))
    assert isinstance(found, DocumentedFunction)
    assert (found.before, found.text, found.after) == (before, TEXT, after)
    assert found.answer(TEXT) == before + TEXT + after
    assert found.answer("x") == before + "x" + after


@given(st.text("`\n python", max_size=12), st.text("`\n ", max_size=8))
def test_whatever_stands_around_a_function_the_answer_is_put_together_again(before: str, after: str):
    made = said(before + TEXT + after)
    found = documented_function(made)
    if isinstance(found, DocumentedFunction):
        assert found.answer(found.text) == made["messages"][-1]["content"]
        assert found.text.strip("\n") == found.text == TEXT or found.text.startswith("def f")


FENCED = f"```python\n{TEXT}\n```"


@pytest.mark.parametrize(
    "content",
    [
        None,
        "",
        TEXT,
        FENCED + "\nDone.",
        "Here:\n" + FENCED,
        FENCED + "\n\n" + FENCED,
        f"````python\n{TEXT}\n```",
        f"```python\n{TEXT}\n````",
        f"```python\n{TEXT}```",
        f"```py\n{TEXT}\n```",
        f"``` python\n{TEXT}\n```",
        f"```python\r\n{TEXT}\r\n```",
        FENCED.replace("return", "\r    return"),
        f"```python\n{TEXT}\n\n{TEXT}\n```",
        f"```python\nimport os\n{TEXT}\n```",
        f"```python\nasync {TEXT}\n```",
        FENCED.replace("def f", "def g"),
        FENCED.replace("return", "return ("),
        FENCED.replace("a + 1", "'\0'"),
        FENCED.replace("a + 1", "+".join(["a"] * 5000)),
        FENCED.replace("a + 1", "(" * 300 + "a" + ")" * 300),
        FENCED.replace("def f", "\ufeffdef f"),
        FENCED.replace("def f(a)", "def f(<EMAIL_ADDRESS>)"),
        "```python\n```",
        "```python\n\n```",
        "```python\n" + "\n" * 2_000_000 + "x",
        "`" * 2_000_000,
        "```python\n" * 200_000,
    ],
    ids=range(28),
)
def test_what_is_not_one_fenced_function_is_none(content: str | None):
    assert documented_function(said(content)) == NO_FUNCTION


@pytest.mark.parametrize(
    "meta",
    [
        None,
        "",
        'no JSON but "qualname"',
        '{"qualname": "f", ',
        '{"qualname": "\\ud800"}',
        '["qualname"]',
        '"qualname"',
        "null",
        "[" * 2000 + "]" * 2000,
        *(json.dumps({**META, name: other}) for name in META for other in (None, 1, [], {})),
        *(json.dumps({k: v for k, v in META.items() if k != name}) for name in META),
        json.dumps({**META, "qualname": "C.g"}),
        json.dumps({**META, "qualname": "f.g"}),
        json.dumps({**META, "qualname": "f."}),
        json.dumps({**META, "qualname": ""}),
    ],
)
def test_a_row_that_does_not_say_where_its_function_is_has_none(meta: str | None):
    assert documented_function(row(TEXT, meta=meta)) == NO_FUNCTION


@pytest.mark.parametrize("change", ["no prompt", "role", "tool call"])
def test_an_answer_is_the_last_of_two_messages_or_more_and_calls_no_tool(change: str):
    made = row(TEXT)
    if change == "no prompt":
        made["messages"] = made["messages"][1:]
    elif change == "role":
        made["messages"][-1]["role"] = "user"
    else:
        made["messages"][-1]["tool_calls"] = [{"id": "1", "name": "f", "arguments": "{}"}]
    assert documented_function(made) == NO_FUNCTION


@pytest.mark.parametrize(
    "docstring", ["Adds.", ">>> x = f(1)", ">>> f(1)  # doctest: +SKIP\n    2", ">>>f(1)\n    2"]
)
def test_a_function_without_an_example_that_says_what_comes_out_has_no_doctest(docstring: str):
    assert documented_function(row(f'def f(a):\n    """{docstring}\n    """\n    return a')) == NO_DOCTEST


def test_a_method_is_named_by_its_class():
    found = documented_function(row(TEXT, qualname="C.f"))
    assert isinstance(found, DocumentedFunction)
    assert found.qualname == "C.f"
