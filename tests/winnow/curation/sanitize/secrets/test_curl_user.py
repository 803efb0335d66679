import pytest

from winnow.curation.sanitize.secrets.curl_user import CURL_USER


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in CURL_USER.find(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("curl -u ann:h0pk1ns~21s https://host", "h0pk1ns~21s"),
        ("curl --user 'ann:h0pk1ns 21s' https://host", "h0pk1ns 21s"),
        ('curl -sX POST "https://host" \\\n  --user="ann:it\'s9" ', "it's9"),
        ('curl -u "k3Xq9ZtR7vLm:" https://host', "k3Xq9ZtR7vLm"),
        ('curl -u ":h0pk1ns~21s" https://host', "h0pk1ns~21s"),
        ("curl --proxy-user ann@x.org:pQ9wTxu4Fg https://host", "pQ9wTxu4Fg"),
        ("run(['curl', '-u', 'ann:h0pk1ns~21s'])", "h0pk1ns~21s"),
        ("curl -uann:h0pk1ns~21s host", "h0pk1ns~21s"),
    ],
)
def test_the_password_or_the_key_in_its_place_is_found(text: str, value: str) -> None:
    assert found(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "curl -u username:token",
        "curl -u user:pass host",
        "curl -u admin:admin host",
        'curl -u "${USER}:${PW}" host',
        'curl --user "$1:$2" host',
        "curl -u <user>:<password> host",
        "curl -u {{ user }}:{{ pw }} host",
        "curl https://host\ngit push -u ann:x9main2",
        "sort -u a:b9c8d7",
        "curl -user-agent Mozilla:h0pk1ns~21s",
    ],
)
def test_placeholders_and_other_commands_stay(text: str) -> None:
    assert found(text) == []
