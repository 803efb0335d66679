import pytest

from winnow.curation.sanitize.secrets.private_key import PRIVATE_KEY

LINES = ["MIIEowIBAAKCAQEA7bq3Vw9yZ1mJ4k2s8dQxTtR5uFfPzLhGcYvNnXoBaEeWiKjM", "qUe8rY2t+/Ab12=="]


def key(kind: str, line_end: str = "\n") -> str:
    return line_end.join([f"-----BEGIN {kind}-----", *LINES, f"-----END {kind}-----"])


@pytest.mark.parametrize(
    "block",
    [
        key("RSA PRIVATE KEY"),
        key("PRIVATE KEY", "\r\n"),
        key("OPENSSH PRIVATE KEY", r"\n"),
        key("ENCRYPTED PRIVATE KEY", '\\n"\n    "'),
        key("PGP PRIVATE KEY BLOCK"),
        key("EC PRIVATE KEY").replace("\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0F3A\n\n", 1),
    ],
)
def test_the_whole_block_is_found(block: str) -> None:
    text = f"KEY = '''{block}'''\nprint(1)"
    assert [text[s:e] for s, e in PRIVATE_KEY.find(text)] == [block]


def test_a_block_without_its_end_goes_through_the_last_base64() -> None:
    cut = key("RSA PRIVATE KEY").rpartition("\n")[0]
    text = f"{cut}\n\n# a comment with words"
    assert [text[s:e] for s, e in PRIVATE_KEY.find(text)] == [cut]


def test_code_that_parses_keys_stays() -> None:
    text = 'if a == "-----BEGIN PRIVATE KEY-----":\n    read(b)\nif a == "-----END PRIVATE KEY-----":\n    stop()'
    assert list(PRIVATE_KEY.find(text)) == []


def test_two_keys_are_two_hits() -> None:
    text = key("RSA PRIVATE KEY") + "\n\n" + key("PRIVATE KEY")
    assert [text[s:e] for s, e in PRIVATE_KEY.find(text)] == text.split("\n\n")
