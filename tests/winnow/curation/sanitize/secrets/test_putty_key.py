from winnow.curation.sanitize.secrets.putty_key import PUTTY_KEY

PUBLIC = "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAAB3NzaC1yc2EAAAABJQ==\n"
PRIVATE = "Private-Lines: 2\nMIIEowIBAAKCAQEA7bq3Vw9yZ1mJ4k2s8dQxTtR5uFfPzLhGcYvNnXoBaEeWiKjM\nqUe8rY2t\n"
MAC = "Private-MAC: " + "9f" * 20


def test_the_whole_file_is_found_also_without_its_end_and_escaped() -> None:
    for key in (
        PUBLIC + PRIVATE + MAC,
        (PUBLIC + PRIVATE).rstrip(),
        (PUBLIC + PRIVATE + MAC).replace("\n", r"\n"),
    ):
        text = f"key = '''{key}'''"
        assert [text[start:end] for start, end in PUTTY_KEY.find(text)] == [key]


def test_the_public_half_stays() -> None:
    assert list(PUTTY_KEY.find(PUBLIC)) == []
