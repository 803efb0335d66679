from collections.abc import Callable
from dataclasses import replace

import pytest

from winnow.curation.syntax import Limits, Region, SyntaxReader

Shown = list[tuple[str, str]]
Show = Callable[..., Shown]

CASES: dict[str, tuple[str, Shown]] = {
    "prose around code": (
        "Hi Ann, try `f.x`:\n```python\nx = 1  # of Bob\n```\nBye\n",
        [("prose", "Hi Ann, try "), ("prose", ":\n"), ("comment", "# of Bob"), ("prose", "Bye\n")],
    ),
    "quoted code": (
        "> ```js\n> f('a'); // x\n> // y\n> ```\n",
        [("string", "'a'"), ("comment", "// x\n> // y")],
    ),
    "code in a list": (
        '1. Do\n   ```go\n   // c\n   x := "s"\n   ```\n',
        [("prose", "1. Do\n"), ("comment", "// c"), ("string", '"s"')],
    ),
    "never closed": ("See\n```rust\nfn f() {} // c", [("prose", "See\n"), ("comment", "// c")]),
    "untagged code": (
        "```\nimport os\n\n\ndef f(self):\n    # c\n    return self.x\n```\n",
        [("comment", "# c")],
    ),
    "untagged words": (
        "```\nDear Ms Lee,\nplease call me.\n```\n",
        [("prose", "Dear Ms Lee,\nplease call me.\n")],
    ),
    "untagged table": ("```csv\nid,name\n1,Ann Lee\n```\n", [("prose", "id,name\n1,Ann Lee\n")]),
    "code of no known language": ("```pony\nx.f(1);\ny.g(2);\n```\n", []),
    "words under a tag of code": (
        "```python\nThe user Ann Lee lives in Springfield and\nx = 1\n```\n",
        [("prose", "The user Ann Lee lives in Springfield and")],
    ),
    "what a terminal showed, filed as code": (
        '```python\n>>> import x\nTraceback (most recent call last):\n  File "/home/ann/x.py", line 1\nValueError: no\n```\n',
        [
            (
                "prose",
                '>>> import x\nTraceback (most recent call last):\n  File "/home/ann/x.py", line 1\nValueError: no\n',
            )
        ],
    ),
    "nothing but white space": (" \n\n", []),
}


@pytest.mark.parametrize("name", CASES)
def test_a_chat(shown: Show, name: str) -> None:
    text, expected = CASES[name]
    assert shown(text) == expected


def test_a_block_that_cannot_be_read_is_prose_and_the_rest_is_as_ever() -> None:
    long_block = "```python\nx = 1  # a long one\n```\n"
    text = f"Hi\n{long_block}```c\n// c\n```\n"
    with SyntaxReader(Limits(max_bytes=10)) as reader:
        regions = reader.regions(text, None, "chat")
    assert regions.problem == "too-large"
    assert [(r.kind, text[r.start : r.end]) for r in regions.spans] == [
        ("prose", "Hi\n"),
        ("prose", "x = 1  # a long one\n"),
        ("comment", "// c"),
    ]


def test_blocks_without_end_are_read_up_to_a_limit_and_the_rest_is_prose() -> None:
    with SyntaxReader(replace(Limits(), max_blocks=3)) as reader:
        regions = reader.regions("```c\n//\n```\n" * 9, None, "chat")
    assert regions.problem == "too-large"
    assert [region.kind for region in regions.spans] == ["comment"] * 3 + ["prose"]
    assert regions.spans[-1] == Region(36, 108, "prose")


def test_the_blocks_of_a_chat_share_their_time() -> None:
    slow = "```python\n" + "x = [1, {'a': f(b)}]\n" * 4_000 + "```\n"
    with SyntaxReader(Limits(seconds=0.01, seconds_per_megabyte=0.02)) as reader:
        regions = reader.regions(slow * 3, None, "chat")
        assert regions.problem == "timeout"
        assert [region.kind for region in regions.spans] == ["prose"] * 3
