from winnow.curation.sanitize.secrets.json_web_key import JSON_WEB_KEY

N, D = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4", "X4cTteJY_gn4FYPsXB8rdXix5vwsg1FLN5E3EaG6RJoVH"


def test_the_private_parts_are_found_on_both_sides_of_the_type() -> None:
    for text in (
        f'{{"kty": "RSA", "n": "{N}", "d": "{D}"}}',
        f'{{"d": "{D}", "kty":"RSA", "n": "{N}"}}',
        f"{{'kty': 'oct', 'k': '{D}'}}",
    ):
        assert [text[start:end] for start, end in JSON_WEB_KEY.find(text)] == [D]


def test_public_keys_and_other_objects_stay() -> None:
    for text in (
        f'{{"kty": "RSA", "n": "{N}", "e": "AQAB"}}',
        f'{{"d": "{D}"}}',
        f'{{"d": "{D}"}}, {{"kty": "RSA"}}',
    ):
        assert list(JSON_WEB_KEY.find(text)) == []
