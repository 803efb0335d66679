import pytest

from winnow.curation.sanitize.secrets.secret_name import kind_of


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (
            "password",
            "password DB_PASSWORD dbPasswd smtp.pass PGPASSWORD userPassphrase rootPwd password_prod PASSWORD_BASE64",
        ),
        (
            "secret",
            "token githubToken API_KEY apikey X-Api-Key client_secret secretAccessKey privateKey aws_secret_access_key authToken",
        ),
        ("key", "STRIPE_KEY fastlyKey secret_id auth salt"),
        ("weak", "key KEY"),
        (
            None,
            "public_key primaryKey cache_key key_id tokenUrl password_hash secretName monkey keyboard author accessor csrf_token next_page_token firstPass compiler tokens passed",
        ),
    ],
)
def test_the_last_words_decide(kind: str | None, names: str) -> None:
    assert {name: kind_of(name) for name in names.split()} == dict.fromkeys(names.split(), kind)
