import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.quality.fences import python_blocks
from winnow.curation.syntax.fences import body_of, fenced_blocks

marks = st.text(alphabet="`~ \nx>-1.\t", max_size=80)


def bodies(text: str) -> list[tuple[str, str]]:
    return [(block.info, body_of(text, block).text) for block in fenced_blocks(text)]


CASES = {
    "plain": ("a\n```py\nx\n```\nb", [("py", "x\n")]),
    "tildes hold backticks": ("~~~ js x=`1`\n```\n~~~\n", [("js x=`1`", "```\n")]),
    "longer closes shorter": ("````md\n```\ny\n`````\n", [("md", "```\ny\n")]),
    "never closed": ("```go\nx\n", [("go", "x\n")]),
    "in a list, its indentation gone": (
        "- ```py\n  def f():\n      x\n  ```\n- z",
        [("py", "def f():\n    x\n")],
    ),
    "numbered": ("1. do\n   ```sh\n   ls\n   ```\n", [("sh", "ls\n")]),
    "closed without the indentation": ("   ```sh\n   ls\n```\nmore", [("sh", "ls\n")]),
    "quoted": ("> ```c\n> x;\n>   y;\n> ```\nz", [("c", "x;\n  y;\n")]),
    "a block ends with its quote": ("> ```c\n> x;\nout\n```\nz\n```\n", [("c", "x;\n"), ("", "z\n")]),
    "quoted list": ("> - ```c\n>   x;\n>   ```\n", [("c", "x;\n")]),
    "tabs": ("\t```c\n\tx;\n\t\ty;\n\t```\n", [("c", "x;\n\ty;\n")]),
    "backtick in the info opens nothing": ("``` a`b\nx\n", []),
    "two marks open nothing": ("``\nx\n``\n", []),
    "in a sentence": ("say ```x``` and\n", []),
    "empty": ("```\n```\n```py\n", [("", ""), ("py", "")]),
}


@pytest.mark.parametrize("name", CASES)
def test_blocks(name: str) -> None:
    text, expected = CASES[name]
    assert bodies(text) == expected


@given(marks)
def test_blocks_are_disjoint_in_order_and_inside(text: str) -> None:
    edges = [e for b in fenced_blocks(text) for e in (b.start, b.body_start, b.body_end, b.end)]
    assert edges == sorted(edges)
    assert not edges or edges[-1] <= len(text)


@given(marks)
def test_every_character_of_a_body_goes_back_to_itself(text: str) -> None:
    for block in fenced_blocks(text):
        body = body_of(text, block)
        for place, character in enumerate(body.text):
            start, end = body.back(place, place + 1)
            assert text[start:end] == character
            assert block.body_start <= start < end <= block.body_end


@given(
    st.lists(st.sampled_from(["```python\n", "```\n", "x = 1\n", "say\n", "~~~py\n", "~~~\n"]), max_size=12)
)
def test_python_blocks_of_the_quality_stage_are_among_them(lines: list[str]) -> None:
    text = "".join(lines)
    ours = {(b.body_start, b.body_end) for b in fenced_blocks(text) if b.info.startswith("py")}
    assert set(python_blocks(text)) == ours


@pytest.mark.parametrize(
    "unit",
    [
        "```\n",
        "> ```\n",
        "> ```\n> x\n",
        "- ```\n",
        "`" * 3 + "x`\n",
        "> ",
        "- ",
        "~~~a\n~~~~~\n",
        "```\n\n> ",
    ],
)
def test_time_grows_with_the_text(unit: str) -> None:
    def seconds(times: int) -> float:
        text = unit * times
        started = time.process_time()
        for block in fenced_blocks(text):
            body_of(text, block)
        return time.process_time() - started

    seconds(100)
    assert seconds(40_000) < max(20 * seconds(10_000), 0.5)
