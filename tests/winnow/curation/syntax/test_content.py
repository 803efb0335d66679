import random
import re
import time

import pytest

from winnow.curation.syntax.content import _marks, by_content, is_session, scores

HOSTILE = {
    "spaces": " " * 24_000 + "x",
    "tabs": "\t" * 24_000,
    "one word": "a" * 24_000,
    "open brackets": "(" * 24_000,
    "open comments": "/*" * 12_000,
    "lines of open comments": "/*\n" * 8_000,
    "keys": "a:" * 12_000,
    "select": "select " * 3_500,
    "select on lines": "select\n" * 3_500,
    "quotes": '"' * 24_000,
    "words": "word " * 4_800,
    "sentences": "Word word word word word word " * 800,
    "public": "public static " * 1_700,
    "targets": "a.b c.d " * 3_000,
    "angle": '<a b="c" ' * 2_600,
    "dots": "a." * 12_000,
    "hashes": "# " * 12_000,
    "lines": "\n" * 24_000,
    "bangs": "((a" * 8_000,
    "selectors": ".a " * 8_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_takes_long(name: str) -> None:
    started = time.process_time()
    by_content(HOSTILE[name])
    assert time.process_time() - started < 1.0


def test_random_marks_take_no_longer() -> None:
    rng = random.Random(5)
    fragments = [
        mark.pattern.split("\\")[0].strip("^(?:") for marks in _marks().values() for _, mark in marks
    ]
    for _ in range(20):
        text = "".join(rng.choices(fragments, k=40)) * 60
        started = time.process_time()
        by_content(text)
        assert time.process_time() - started < 1.0


def test_every_mark_has_a_weight_and_matches_no_empty_text() -> None:
    for language, marks in _marks().items():
        assert re.fullmatch(r"[a-z]+", language)
        for weight, mark in marks:
            assert 0 < weight <= 8
            assert not mark.search("")


def test_comments_do_not_tell() -> None:
    code = "int main(void)\n{\n    return sizeof(int);\n}\n"
    comment = "/*\nThis is the text of a licence. It is long and has\nmany words, import x from y.\n*/\n// def f(self):\n"
    assert scores(comment + code) == scores(code)


def test_what_a_terminal_shows_is_a_session() -> None:
    assert is_session(">>> f(1)\n1\n>>> g(2)\n2\n")
    assert is_session('Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 1\n')
    assert not is_session("x = 1\nfor y in z:\n    print(y)\n")
