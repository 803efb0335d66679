import ast
import textwrap

import orjson
from reading import ingest, normalize, source

from winnow.curation.sources.docstring_functions import Documented, documented_functions


def found(code: str) -> list[Documented]:
    code = textwrap.dedent(code)
    return list(documented_functions(ast.parse(code), code))


LONG = "Returns the sum of both numbers."


def test_the_prompt_ends_with_the_docstring_and_the_answer_is_the_whole_function():
    (function,) = found(
        f'''
        import os

        @cache
        def add(a, b):
            """{LONG}

            Indented more.
            """
            # why
            return a + b

        x = 1
        '''
    )
    assert function.qualname == "add"
    assert function.prompt.startswith("@cache\ndef add(a, b):\n")
    assert function.prompt.endswith('Indented more.\n    """')
    assert function.source.startswith(function.prompt)
    assert function.source.endswith("# why\n    return a + b")


def test_methods_are_dedented_and_numbered_among_all_of_their_name():
    functions = found(
        f'''
        class A:
            @property
            def x(self):
                """{LONG}"""
                return self._x

            @x.setter
            def x(self, value):
                self._x = value

            @x.deleter
            def x(self):
                """{LONG}"""
                del self._x
        '''
    )
    assert [(f.qualname, f.number) for f in functions] == [("A.x", 0), ("A.x", 2)]
    assert functions[0].source.startswith("@property\ndef x(self):")


def test_what_teaches_nothing_is_left_out():
    assert not found(
        f'''
        def short():
            """Too short."""
            return 1

        def undocumented():
            return 1

        def only():
            """{LONG}"""

        def stub():
            """{LONG}"""
            ...

        def abstract():
            """{LONG}"""
            raise NotImplementedError("later")

        def one_line(): "{LONG}"; return 1

        def outer():
            def inner():
                """{LONG}"""
                return 1
        '''
    )


def test_every_answer_of_a_real_package_parses_and_holds_its_prompt():
    result = ingest(source("docstring_functions", "networkx"))
    assert len(result.rows) > 1000
    for row in result.rows:
        user, assistant = orjson.loads(row["payload"])["messages"]
        fence, code = assistant["content"].split("python\n", 1)
        code = code.removesuffix("\n" + fence)
        (parsed,) = ast.parse(code).body
        assert parsed.name in user["content"].splitlines()[0]
        assert fence not in code
        prompt = user["content"].split(fence + "python\n", 1)[1].removesuffix("\n" + fence)
        assert code.startswith(prompt)
        assert row["key"].startswith("networkx/networkx/")
    assert len(set(result.column("key"))) == len(result.rows)


def test_normalize_makes_two_turns_of_them():
    result = normalize(source("docstring_functions", "typer"))
    assert result.rows
    assert not result.verdicts
    assert {tuple(m["role"] for m in row["messages"]) for row in result.rows} == {("user", "assistant")}
    assert set(result.column("kind")) == {"sft"}
