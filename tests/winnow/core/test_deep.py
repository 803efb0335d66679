import ast
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from winnow.core.deep import on_empty_stack
from winnow.curation.dedup.conversation import normal_json
from winnow.curation.quality.python_syntax import python_fault
from winnow.curation.sanitize.registry import DETECTORS
from winnow.curation.sanitize.scan import looking_for, scan

FRAMES = 300


def called_deep(call: Callable[[], Any], frames: int = FRAMES) -> Any:
    return call() if frames == 0 else called_deep(call, frames - 1)


def test_what_an_empty_stack_cannot_take_is_refused():
    with pytest.raises(RecursionError):
        on_empty_stack(lambda: json.loads("[" * 100_000))


def test_a_long_sum_parses_from_any_depth():
    text = "x = " + "+".join(["a"] * 2500)
    with pytest.raises(RecursionError):
        called_deep(lambda: ast.parse(text))
    assert called_deep(lambda: python_fault(text, 1_000_000)) is None


def test_deep_json_is_compared_and_scanned_alike_from_any_depth():
    deep = "[" * 800 + ' "\\u0061nn@site.org"' + "]" * 800
    with pytest.raises(RecursionError):
        called_deep(lambda: json.loads(deep))
    for judged in (partial(normal_json, deep), partial(scan, deep, looking_for(DETECTORS), is_json=True)):
        assert called_deep(judged) == judged()
    assert len(called_deep(partial(scan, deep, looking_for(DETECTORS), is_json=True))) == 1
