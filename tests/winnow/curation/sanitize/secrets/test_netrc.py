import pytest

from winnow.curation.sanitize.secrets.netrc import NETRC


@pytest.mark.parametrize(
    "text",
    [
        "machine host.org login ann password h0pk1ns~21s",
        "machine host.org\n  login ann\n  password h0pk1ns~21s\n",
        "default login ann password h0pk1ns~21s",
        "machine host.org login ann account x password h0pk1ns~21s",
        "machine host.org password h0pk1ns~21s login ann",
    ],
)
def test_the_password_of_an_entry_is_found(text: str) -> None:
    assert [text[start:end] for start, end in NETRC.find(text)] == ["h0pk1ns~21s"]


@pytest.mark.parametrize(
    "text",
    [
        "machine host.org login ann password <password>",
        "machine host login ann password ${PW}",
        "the machine accepts a login and a password h0pk1ns~21s",
        "default password h0pk1ns~21s",
    ],
)
def test_placeholders_and_sentences_stay(text: str) -> None:
    assert list(NETRC.find(text)) == []
