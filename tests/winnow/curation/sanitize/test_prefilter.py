import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from planted_texts import VALUES, rich_texts

from winnow.curation.sanitize.prefilter import Prefilter
from winnow.curation.sanitize.registry import DETECTORS

FAST, PLAIN = Prefilter(DETECTORS, "hyperscan"), Prefilter(DETECTORS, "polars")


@given(st.one_of(rich_texts, st.text(st.characters(codec=None), max_size=40)))
def test_both_engines_answer_alike(text: str) -> None:
    assert FAST.candidates(text) == PLAIN.candidates(text)


@given(rich_texts)
def test_a_detector_that_hits_is_always_a_candidate(text: str) -> None:
    hitting = [i for i, detector in enumerate(DETECTORS) if next(iter(detector.search(text)), None)]
    assert set(hitting) <= set(FAST.candidates(text))


@pytest.mark.parametrize("engine", ["hyperscan", "polars"])
def test_a_trigger_is_found_across_lines_and_after_any_character(engine: str) -> None:
    some = Prefilter(DETECTORS, engine)  # type: ignore[arg-type]
    for value in VALUES:
        alone = some.candidates(value)
        assert set(alone) <= set(some.candidates(f"\U0001f600\n{value}\nx"))


def test_no_detector_is_a_candidate_in_plain_prose() -> None:
    assert FAST.candidates("The quick brown fox jumps over the lazy dog.") == []


def test_without_detectors_nothing_is_a_candidate() -> None:
    assert Prefilter(()).candidates("ann@site.io") == []
