from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from schemas.rows import MESSAGE
from winnow.curation.text import batch_texts
from winnow.curation.tokens import RowTokens
from winnow.models.tokenizer import TokenCounter, load_tokenizer


class Watched(TokenCounter):
    """Counts characters, and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__("bytes", load_tokenizer("bytes").hash, None)
        self.asked: list[str] = []

    def count(self, texts: Any) -> list[int]:
        self.asked += texts
        return super().count(texts)


def as_batch(texts: list[str]) -> pa.RecordBatch:
    rows = [{"source": "s", "content_hash": f"h{t}", "messages": [{"content": t}]} for t in texts]
    names: dict[str, Any] = {
        "source": pa.string(),
        "content_hash": pa.string(),
        "messages": pa.list_(MESSAGE),
    }
    return pa.RecordBatch.from_pylist(rows, schema=pa.schema(names))


@given(st.lists(st.lists(st.text(alphabet="abcd", max_size=2), max_size=6), max_size=4), st.integers(0, 3))
def test_counts_are_right_however_small_the_cache(batches: list[list[str]], cached: int) -> None:
    tokens = RowTokens(load_tokenizer("bytes"), cached)
    for texts in batches:
        assert tokens.count(as_batch(texts)) == [len(t) for t in texts]
        assert len(tokens._cache) <= cached


def test_a_content_is_counted_once() -> None:
    counter = Watched()
    tokens = RowTokens(counter)
    tokens.count(as_batch(["a", "bb", "a"]))
    tokens.count(as_batch(["bb", "ccc"]))
    assert counter.asked == ["a", "bb", "ccc"]


def test_the_table_holds_each_content_once() -> None:
    batch = as_batch(["a", "bb", "a"])
    tokens = RowTokens(load_tokenizer("bytes"))
    table = tokens.table(batch, tokens.count(batch))
    assert [(r["content_hash"], r["tokens"]) for r in table.to_pylist()] == [("ha", 1), ("hbb", 2)]
    assert len(batch_texts(batch)) == 3
