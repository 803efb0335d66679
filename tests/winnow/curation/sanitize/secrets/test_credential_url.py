import pytest

from winnow.curation.sanitize.secrets.credential_url import CREDENTIAL_URL


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in CREDENTIAL_URL.find(text)]


@pytest.mark.parametrize(
    ("text", "password"),
    [
        ("postgresql://app:Zx9kkq27@db:5432/x", "Zx9kkq27"),
        ("mongodb+srv://ann:whysolongapassword@cluster0.mongodb.net", "whysolongapassword"),
        ("redis://:p4ssW-7rd@cache:6379/0", "p4ssW-7rd"),
        ('"https://cafeb4b3:d3adb33f@example.com/"', "d3adb33f"),
        (r"https:\/\/ann:d3adb33f@example.com", "d3adb33f"),
        ("amqp://ann:x@y:z9@host/vhost", "x@y:z9"),
        ("ftp://ann:k%40t9x@[::1]/", "k%40t9x"),
        ("https://9f86d081884c7d659a2feaa0c55ad015@github.com/x", "9f86d081884c7d659a2feaa0c55ad015"),
    ],
)
def test_the_password_is_found_and_nothing_else(text: str, password: str) -> None:
    assert found(text) == [password]


@pytest.mark.parametrize(
    "text",
    [
        "https://user:password@host",
        "postgres://postgres:postgres@localhost/x",
        "amqp://guest:guest@rabbit",
        "https://ann:ann@host",
        "https://${USER}:${PASSWORD}@host",
        "https://user:<token>@host",
        "https://user:$TOKEN@host",
        "https://url:8000/ @something else",
        "https://host:8080/a@b",
        "'https://url:8000';@x",
        "https://packages.example-registry.dev/@scope/name",
        "http://localhost:5000/<%= @variable %>",
        "git@github.com:owner/name.git",
        "https://deadbeefdeadbeefdeadbeef01234567@o1.ingest.sentry.io/1",
    ],
)
def test_what_everyone_knows_and_what_is_no_password_stays(text: str) -> None:
    assert found(text) == []


def test_each_address_of_a_text_is_read() -> None:
    text = "a://x:Zx9kkq27@h b://y:Qw8llr36@i"
    assert found(text) == ["Zx9kkq27", "Qw8llr36"]
