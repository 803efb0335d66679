import random
import re
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from drawn_shapes import draw
from encodings_of_text import PACKED, SPELLED, SPLIT

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets import SECRETS
from winnow.curation.sanitize.views import views

SHAPED = [d for d in SECRETS if d.category == "token" and (d.search.__doc__ or "").startswith("(?a)")]
WHOLE = {**SPELLED, **PACKED}
ENCODINGS = {**WHOLE, **SPLIT}


def spans(text: str, detectors: list[Detector]) -> list[tuple[int, int]]:
    """What the detectors see in a text and behind its encodings, as spans of the text."""
    found = {span for detector in detectors for span in detector.find(text)}
    for view in views(text):
        found |= {view.back(*span) for detector in detectors for span in detector.find(view.text)}
    return sorted(found)


def without(text: str, found: list[tuple[int, int]]) -> str:
    out, at = "", 0
    for start, end in found:
        if start >= at:
            out += text[at:start] + "<TOKEN>"
        at = max(at, end)
    return out + text[at:]


def says(text: str, value: str) -> bool:
    return value in text or any(value in view.text for view in views(text))


def drawn(detector: Detector, rng: random.Random) -> tuple[str, str, str]:
    """A text that the detector hits: what is before the value, the value, what is after."""
    for _ in range(100):
        text = draw(detector.search.__doc__ or "", rng)
        for start, end in detector.find(text):
            return text[:start], text[start:end], text[end:]
    raise AssertionError(f"{detector.rule} hits nothing of its own shape")


def hidden(name: str, detector: Detector, rng: random.Random) -> tuple[str, str]:
    """A text encoded as `name` says, and the value in it; only the value is split in parts."""
    before, value, after = drawn(detector, rng)
    while set(before) & set("\"'\\\n"):  # quotes that a detector allows for are no quotes of the text
        before, value, after = drawn(detector, rng)
    if name in SPLIT:
        return before + SPLIT[name](value) + after, value
    return WHOLE[name](before + value + after), value


def disappears(detector: Detector, planted: str, value: str) -> bool:
    assert says(planted, value)
    return not says(without(planted, spans(planted, [detector])), value)


@pytest.mark.parametrize("name", [*WHOLE, *SPLIT])
def test_every_token_is_found_in_every_encoding_and_goes(name: str) -> None:
    rng = random.Random(name)
    for detector in SHAPED:
        encoded, value = hidden(name, detector, rng)
        if "wrap" in name and re.search(r"[=:][^=]", value):
            continue  # on a line of its own that reads as an assignment
        assert disappears(detector, f'first = 1\nvalue = "{encoded}"\nlast = 2\n', value), (
            detector.rule,
            encoded,
        )


SOLID = [name for name in WHOLE if name not in ("hex-spaced", "base64-mime", "base64-64")]
PAIRS = [(a, b) for a in ENCODINGS for b in WHOLE] + [
    (a, b) for a in SOLID for b in ("plus-line", "backslash")
]


@settings(max_examples=400)
@given(st.sampled_from(PAIRS), st.sampled_from(SHAPED), st.integers())
def test_two_encodings_hide_nothing(names: tuple[str, str], detector: Detector, seed: int) -> None:
    inner, outer = names
    encoded, value = hidden(inner, detector, random.Random(seed))
    assume(not ("wrap" in inner + outer and re.search(r"[=:][^=]", value)))
    assert disappears(detector, f'x = "{ENCODINGS[outer](encoded)}"\n', value)


LINES = [
    "MIIEowIBAAKCAQEA7bq3Vw9yZ1mJ4k2s8dQxTtR5uFfPzLhGcYvNnXoBaEeWiKjM",
    "qUe8rY2tqUe8rY2tqUe8rY2t+/Ab12==",
]
PEM = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *LINES, "-----END RSA PRIVATE KEY-----"])
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.k5HibI_uLn_RTuPcaCNkaVaQH2y5q6GvJg8GP"
PLACES = {
    PEM: LINES[0],
    f"cookie: {JWT}": JWT,
    "url = postgres://ann:h0pk1ns~21s@db/x": "h0pk1ns~21s",
    'password = "h0pk1ns~21s"': "h0pk1ns~21s",
    '{"db": {"password": "h0pk1ns~21s", "port": 1}}': "h0pk1ns~21s",
    "curl -u 'ann:h0pk1ns~21s' https://host": "h0pk1ns~21s",
    "Authorization: Bearer cfcabd11c7ed9a41b1a3e063c32d5114": "cfcabd11c7ed9a41b1a3e063c32d5114",
    "machine host login ann password h0pk1ns~21s": "h0pk1ns~21s",
    "post https://hooks.slack.com/services/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 ": "a1B2c3D4e5F6g7H8i9J0k1L2",
    "id AKIAP3562GTSV3EKLLMT\nkey fvMYrB52K/OYb3Yg6APZg225uX3NUF0RSrW/h2br\n": "fvMYrB52K/OYb3Yg6APZg225uX3NUF0RSrW/h2br",
}


@pytest.mark.parametrize("inner", WHOLE)
@pytest.mark.parametrize("text", PLACES, ids=lambda text: text[:12])
def test_what_is_known_by_its_name_or_place_goes_under_two_encodings(text: str, inner: str) -> None:
    value = PLACES[text]
    for outer in WHOLE.values():
        for planted in (f'x = "{WHOLE[inner](text)}"\n', f'x = "{outer(WHOLE[inner](text))}"\n'):
            assert says(planted, value)
            assert not says(without(planted, spans(planted, list(SECRETS))), value)


@given(st.text(alphabet="ab\\u0062x%41\"'+ \n=", max_size=60))
def test_a_view_is_no_longer_than_the_text_and_leads_back_into_it(text: str) -> None:
    for view in views(text):
        assert len(view.text) <= len(text)
        for at in range(len(view.text)):
            start, end = view.back(at, at + 1)
            assert 0 <= start <= end <= len(text)
        assert view.back(0, len(view.text))[1] <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "plain = 1",
        'a = ["x", "y"]\n',
        "sha256-wQxQzxYeJqHcfppzBDnm1yAY0jSRkUXR2z8RePZYrKw=",
        "x" * 500,
        '"""doc"""',
        "f('')",
    ],
)
def test_a_text_without_an_encoding_has_no_view(text: str) -> None:
    assert list(views(text)) == []


def test_a_view_of_joined_lines_leaves_far_lines_out() -> None:
    text = "\n".join(f"x{n} = {n}" for n in range(100)) + '\ntoken = "ab" \\\n  "cd"\n' + "y = 2\n" * 100
    (view,) = views(text)
    assert 'token = "abcd"' in view.text
    assert len(view.text) < 100
    start = view.text.index("abcd")
    begin, end = view.back(start, start + 4)
    assert text[begin:end] == 'ab" \\\n  "cd'


def test_what_is_packed_goes_as_a_whole() -> None:
    packed = "ZGF0YTogcGFzc3dvcmQgb2YgYW5uCg=="
    (view,) = views(f"x: {packed} y")
    at = view.text.index("ann")
    start, end = view.back(at, at + 3)
    assert f"x: {packed} y"[start:end] == packed


@pytest.mark.parametrize(
    "piece",
    [
        '"a" + ',
        '"',
        "\\",
        "\\\n",
        "%41",
        "&#97;",
        "\\u0041",
        "QUJDREVGR0hJSktM\n",
        "4142434445464748 ",
        "a\n",
        "'+\n",
        "# \n",
        '" //',
    ],
)
def test_the_work_grows_with_the_text(piece: str) -> None:
    counts = [sum(len(v.text) for v in views(piece * n)) for n in (400, 800)]
    assert counts[1] <= 2.2 * counts[0] + 200
    assert len(list(views(piece * 800))) <= 30


@pytest.mark.parametrize(
    "text",
    [
        "DB_PASSWORD=g7Kp-2mQz\nMAIL_HOST=smtp.acme.io\nPORT=25",
        "db:\n  password: g7Kp-2mQz\n  port: 5432",
        "secret: 8fj2Kq93mXzP\nname: x",
        'password = "g7Kp-2mQz"\n"other" = "b"',
        "export PGPASSWORD=g7Kp-2mQz\npsql -h db",
        "-password: n8fT.r4Wq\n+password: g7Kp-2mQz\n port: 1",
        "- POSTGRES_PASSWORD=n8fT.r4Wq\n  - X=1",
        "PWD=/home/build/project1\nOLDPWD=/tmp/x9",
        "A=n8fT.r4Wq\r\nB=g7Kp-2mQz\r\n",
    ],
)
def test_a_line_that_names_something_itself_is_no_continuation(text: str) -> None:
    secret = next(
        line for line in text.splitlines() if "Kp" in line or "T." in line or "Kq" in line or "=/" in line
    )
    assert [view.text for view in views(text) if secret not in view.text.splitlines()] == []
