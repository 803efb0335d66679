import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.quality.fences import python_blocks


def bodies(text: str) -> list[str]:
    return [text[start:end] for start, end in python_blocks(text)]


@pytest.mark.parametrize("info", ["python", "py", "Python3", "python title=x", "{.python}", " python "])
def test_a_python_block_is_its_body(info: str) -> None:
    assert bodies(f"say\n```{info}\nx = 1\n```\nmore ```python``` inline") == ["x = 1\n"]


@pytest.mark.parametrize("info", ["", "pycon", "python-console", "java", "text", "python3.12-repl", "pytb"])
def test_other_blocks_are_left_out(info: str) -> None:
    found = bodies(f"```{info}\nx = 1\n```\n")
    assert found == [] or info.startswith("python3.12")


@pytest.mark.parametrize(
    "body", [">>> f(1)\n2", "In [1]: x", "%timeit f()", "!pip install x", "$ python x.py"]
)
def test_sessions_are_left_out(body: str) -> None:
    assert bodies(f"```python\n{body}\n```\n") == []


def test_fences_nest_by_length_and_kind() -> None:
    text = "````markdown\n```python\nnot mine\n```\n````\n~~~py\nx = '```'\n~~~\n  ```python\n  y\n  ```\n"
    assert bodies(text) == ["x = '```'\n", "  y\n"]


def test_an_open_block_goes_to_the_end() -> None:
    assert bodies("```python\nx = (") == ["x = ("]


@given(st.text(alphabet="`~ \npython>x", max_size=60))
def test_spans_are_disjoint_and_inside(text: str) -> None:
    edges = [edge for span in python_blocks(text) for edge in span]
    assert edges == sorted(edges)
    assert not edges or edges[-1] <= len(text)
