import base64

import pytest

from winnow.curation.sanitize.secrets.authorization import AUTHORIZATION, AUTHORIZATION_SCHEME

KEYS = ["5eb4223e-5008-46e5-be67-c7b8f2732305", "cfcabd11c7ed9a41b1a3e063c32d5114", "k3Xq9ZtR7vLm2WpB"]
BASIC = base64.b64encode(b"ann:h0pk1ns~21s").decode()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "template",
    [
        "Authorization: Bearer {}",
        "curl -H 'Authorization:  {}' https://host",
        '"Authorization": "Bearer {}",',
        'headers["Authorization"] = f"token {}"',
        'request.setHeader("Authorization", "ApiKey {}");',
        "Proxy-Authorization: Token token={}",
        "'authorization' => 'Bearer {}'",
    ],
)
def test_the_value_of_the_header_is_found(template: str, key: str) -> None:
    text = template.format(key)
    assert [text[start:end] for start, end in AUTHORIZATION.find(text)] == [key]


def test_basic_is_read_as_it_is_sent() -> None:
    text = f"Authorization: Basic {BASIC}"
    assert [text[start:end] for start, end in AUTHORIZATION.find(text)] == [BASIC]
    for pair in (b"user:password", b"admin:admin", b"ann:${PW}"):
        assert not list(AUTHORIZATION.find(f"Authorization: Basic {base64.b64encode(pair).decode()}"))


def test_a_scheme_alone_is_enough() -> None:
    text = f"use bearer {KEYS[1]}, or Basic {BASIC}"
    assert [text[start:end] for start, end in AUTHORIZATION_SCHEME.find(text)] == [KEYS[1], BASIC]


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer $API_KEY",
        "Authorization: Bearer <token>",
        "Authorization: Basic ...",
        "Authorization: Bearer YOUR_ACCESS_TOKEN_2",
        'headers["Authorization"] = f"Bearer {token}"',
        "authorization = get_authorization2()",
        "the authorization: see chapter2",
        "a bearer certificate2of the bank",
        "Basic authentication2 and Basic knowledge",
    ],
)
def test_placeholders_and_sentences_stay(text: str) -> None:
    assert [*AUTHORIZATION.find(text), *AUTHORIZATION_SCHEME.find(text)] == []
