import pytest

from winnow.curation.sanitize.secrets.command_line import COMMAND_LINE


@pytest.mark.parametrize(
    "text",
    [
        "mysql -u root -ph0pk1ns~21s db",
        "mysqldump -h db -u ann -p'h0pk1ns~21s' x",
        "sshpass -p h0pk1ns~21s ssh ann@host",
        'docker login -u ann -p "h0pk1ns~21s" registry',
        "redis-cli -h cache -a h0pk1ns~21s ping",
        "ldapsearch -D cn=admin -w h0pk1ns~21s",
    ],
)
def test_the_value_of_the_flag_is_found(text: str) -> None:
    assert [text[start:end] for start, end in COMMAND_LINE.find(text)] == ["h0pk1ns~21s"]


@pytest.mark.parametrize(
    "text",
    [
        "mysql -u root -p db",
        "mysql -u root -p$PW",
        "sshpass -p <password> ssh x",
        "docker run -p 8080:80 login",
        "mkdir -ph0pk1ns~21s",
    ],
)
def test_placeholders_and_other_flags_stay(text: str) -> None:
    assert [text[start:end] for start, end in COMMAND_LINE.find(text)] == []
