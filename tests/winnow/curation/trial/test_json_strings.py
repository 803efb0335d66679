import json
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.trial.json_strings import escaped, string_places, unit_offsets

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ["a/b", "~1", '"', "\\"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def leaves(value: Any, pointer: str = "") -> dict[str, str]:
    if isinstance(value, str):
        return {pointer: value}
    inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return {p: s for key, v in inner for p, s in leaves(v, f"{pointer}/{escaped(key)}").items()}


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_every_string_value_is_found_where_it_stands(value: Any, ascii_only: bool, indent: int | None):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    found = {p: json.loads(f'"{text[start:end]}"') for p, (start, end) in string_places(text).items()}
    assert found == leaves(value)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_each_character_begins_where_its_writing_does(text: str, ascii_only: bool):
    body = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
    offsets = unit_offsets(body)
    assert offsets[-1] == len(body)
    pieces = [json.loads(f'"{body[s:e]}"') for s, e in pairwise(offsets)]
    assert pieces == list(text)
