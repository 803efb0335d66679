import pytest

from winnow.curation.decontaminate.benchmarks import Item
from winnow.curation.decontaminate.index import BenchmarkIndex
from winnow.curation.decontaminate.short_items import is_backed

QUESTION = "What is the capital of Brazil?"
SOLUTION = "    return [x for x in strings if substring in x]\n"
ITEM = Item("b", "1", QUESTION, SOLUTION, names=("geo.capital", "filter_by_substring"))


@pytest.mark.parametrize(
    ("row", "backed"),
    [
        (QUESTION, []),
        (f'{QUESTION} <tool_call>{{"name": "geo.capital"}}', ["prompt"]),
        (f"{QUESTION} see mygeo.capital and geo.capitals", []),
        (SOLUTION, []),
        (f"def filter_by_substring(strings, substring):\n{SOLUTION}", ["solution"]),
        ("def filter_by_substring(): ..." + "\nother = 1" * 60 + SOLUTION, []),
    ],
)
def test_a_short_text_needs_the_name_of_its_function(row: str, backed: list[str]) -> None:
    index = BenchmarkIndex([ITEM])
    matches = [m for m in index.match(index.ids([row])) if m.coverage == 1.0]
    assert [m.field.name for m in matches if is_backed(ITEM, m, row)] == backed


def test_a_question_of_twelve_tokens_tells_by_itself() -> None:
    question = "Calculate the derivative of the function 3x^2 + 2x - 1."
    item = Item("b", "1", question)
    index = BenchmarkIndex([item])
    (match,) = index.match(index.ids([question]))
    assert is_backed(item, match, question)
