"""Laws of every detector of a known shape, on values drawn from its own expression."""

import importlib
import pkgutil
import random
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from drawn_shapes import draw

from winnow.curation.sanitize import secrets
from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets import SECRETS
from winnow.curation.sanitize.secrets.known_shape import drawn, unlike_words, varied_body, with_digits

SHAPED = [d for d in SECRETS if d.category == "token" and (d.search.__doc__ or "").startswith("(?a)")]
EACH = pytest.mark.parametrize("detector", SHAPED, ids=lambda d: d.detector)


def draws(detector: Detector, count: int = 30) -> list[str]:
    rng = random.Random(detector.detector)
    return [draw(detector.search.__doc__ or "", rng) for _ in range(count)]


def found(detector: Detector, text: str) -> list[str]:
    return [text[start:end] for start, end in detector.find(text)]


def test_there_are_many_and_every_module_is_asked() -> None:
    assert len(SHAPED) > 150
    assert len({d.rule for d in SECRETS}) == len(SECRETS)
    defined = {
        found.rule
        for module in pkgutil.iter_modules(secrets.__path__)
        for found in vars(importlib.import_module(f"{secrets.__name__}.{module.name}")).values()
        if isinstance(found, Detector)
    }
    assert defined == {d.rule for d in SECRETS}


@EACH
def test_nearly_all_of_its_shape_is_found_and_found_whole(detector: Detector) -> None:
    hits = [(text, found(detector, text)) for text in draws(detector)]
    assert sum(bool(values) for _, values in hits) >= 27
    assert all(values[0] in text and len(values) == 1 for text, values in hits if values)
    if not re.compile(detector.search.__doc__ or "").groups:
        assert all(values == [text] for text, values in hits if values)


@EACH
def test_all_of_its_shape_pulls_the_trigger(detector: Detector) -> None:
    assert all(re.search(detector.trigger_pattern, text) for text in draws(detector))


@EACH
def test_it_is_found_twice_in_code_and_in_prose(detector: Detector) -> None:
    text = next(text for text in draws(detector) if found(detector, text))
    (value,) = found(detector, text)
    for around in (
        f'a = ["{text}"]\nb = "{text}"',
        f"<a>{text}</a> and <b>{text}</b>",
        f"Use {text}, or\n{text}\n",
    ):
        assert found(detector, around) == [value, value]


@EACH
def test_one_letter_repeated_is_no_value(detector: Detector) -> None:
    text = next(text for text in draws(detector) if found(detector, text))
    (value,) = found(detector, text)
    kept = max((m.end() for m in re.finditer(r"[-_.:]", value[:12])), default=0)
    filled = value[:kept] + re.sub(r"[A-Za-z0-9]", "x", value[kept:])
    assert found(detector, text.replace(value, filled)) == []


def test_what_the_checks_refuse() -> None:
    assert [varied_body(4)(v) for v in ("abcd", "aabb", "ab-EXAMPLE")] == [True, False, False]
    assert [with_digits(v) for v in ("API-ABCDEFGH1", "API-ABCDEFGHI")] == [True, False]
    assert [drawn(v) for v in ("vcp_x8Kq2mP9vL2zW4", "vcp_permission_changed")] == [True, False]
    assert [
        unlike_words(v) for v in ("KATYCoHeyVfRfNVchmwNXSjGtKuRllpFdn", "requiredCharacteristicTypesForDispl")
    ] == [
        True,
        False,
    ]
