import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.normalize.file_text import decoded
from winnow.curation.normalize.rules import ParkError


@given(st.text().filter(lambda t: "\0" not in t and not t.startswith("\ufeff")))
def test_utf8_comes_out_exactly(text: str):
    assert decoded(text.encode(), None) == (text, ())


@given(st.binary(max_size=60), st.sampled_from(["python", None]))
def test_any_bytes_are_decoded_or_parked(payload: bytes, language: str | None):
    try:
        text, flags = decoded(payload, language)
    except ParkError:
        return
    if not flags:
        assert text.encode() == payload


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n", "\u2028", "\x0c", ""])
def test_line_ends_stay(ending: str):
    assert decoded(f"a = 1{ending}b".encode(), "python").text == f"a = 1{ending}b"


def test_only_the_leading_mark_goes_and_is_flagged():
    assert decoded(codecs.BOM_UTF8 + "x\ufeff".encode(), "python") == ("x\ufeff", ("bom-removed",))


@pytest.mark.parametrize(
    ("first", "encoding"),
    [
        ("# -*- coding: latin-1 -*-", "latin-1"),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :", "cp1252"),
    ],
)
def test_python_is_decoded_as_it_declares(first: str, encoding: str):
    text = f"{first}\n# café\n"
    assert decoded(text.encode(encoding), "python") == (text, ("declared-encoding",))


@pytest.mark.parametrize(
    ("payload", "language", "rule"),
    [
        (b"# -*- coding: latin-1 -*-\n# \xe9", None, "invalid-utf8"),
        (b"# caf\xe9", "python", "invalid-utf8"),
        (b"# \xc0\xaf", "python", "invalid-utf8"),
        (b"ok \xed\xa0\x80", None, "invalid-utf8"),
        (b"x\n# \xe6\x97", "python", "invalid-utf8"),
        (b"# coding: nonsense\n# \xe9", "python", "invalid-encoding"),
        (b"# coding: utf-8\n# \xe9", "python", "invalid-utf8"),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n# \xe9", "python", "invalid-encoding"),
        (b"# coding: ascii\n# \xe9", "python", "invalid-encoding"),
        (b"# coding: rot13\n# \xe9", "python", "invalid-encoding"),
        (b"# coding: unicode_escape\n# \xe9 \\u0041", "python", "invalid-encoding"),
        (b"a\0b", "python", "nul-byte"),
        ("a".encode("utf-16"), "python", "nul-byte"),
    ],
)
def test_what_cannot_be_decoded_is_parked_under_its_rule(payload: bytes, language: str | None, rule: str):
    with pytest.raises(ParkError) as error:
        decoded(payload, language)
    assert error.value.rule == rule
