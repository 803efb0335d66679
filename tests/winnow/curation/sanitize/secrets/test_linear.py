"""No detector's work outgrows its text, also on what almost matches."""

import time

import pytest

from winnow.curation.sanitize.secrets import SECRETS

PIECES = [
    "a",
    "eyJ",
    "eyJhbGciOiJub25lIn0.",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq3Vw9y\n",
    "https://a:",
    "a://b:c@",
    "curl -u ",
    "curl -u a:b\\\n",
    "machine a login b ",
    "AKIAP3562GTSV3EKLLMT ",
    '"kty":',
    '{"kty":"d":"',
    "PuTTY-User-Key-File-2: Private-Lines: 1\n",
    "mysql -u ",
    "Authorization: Basic ",
    "xoxb-1-",
    "sk-",
    "hooks.slack.com/services/",
    "a.b/hooks/",
    "AQVN",
    "t1.a",
    "AAAAAAAAAAAAAAAAAAAAA",
    "password",
    "\\n",
    "=",
    "0",
    " ",
]


@pytest.mark.parametrize("piece", PIECES)
def test_twice_the_text_takes_about_twice_the_time(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        begin = time.process_time()
        for detector in SECRETS:
            list(detector.find(text))
        return time.process_time() - begin

    small = max(0.02, min(seconds(20_000) for _ in range(2)))
    assert min(seconds(160_000) for _ in range(2)) < 8 * 4 * small
