import pytest

from winnow.curation.sanitize.secrets.aws import AWS_ACCESS_KEY, AWS_SECRET_BY_NAME, AWS_SECRET_NEAR_ID

SECRET = "fvMYrB52K/OYb3Yg6APZg225uX3NUF0RSrW/h2br"


@pytest.mark.parametrize(
    "template",
    [
        "aws_secret_access_key = {}",
        'AWS_SECRET_ACCESS_KEY="{}"',
        '{{"SecretAccessKey": "{}"}}',
        '{{\\"awsSecretKey\\": \\"{}\\"}}',
        "<SecretAccessKey>{}</SecretAccessKey>",
    ],
)
def test_a_secret_key_is_known_by_the_name_it_is_assigned_to(template: str) -> None:
    text = template.format(SECRET)
    assert [text[s:e] for s, e in AWS_SECRET_BY_NAME.find(text)] == [SECRET]


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        "aws_secret_access_key=" + SECRET + "0",
        "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "aws_secret_access_key=os.environ['AWS_SECRET']",
    ],
)
def test_forty_characters_elsewhere_are_no_secret_key(text: str) -> None:
    assert list(AWS_SECRET_BY_NAME.find(text)) == []


def test_an_access_key_is_known_by_its_form() -> None:
    text = "id: AKIAP3562GTSV3EKLLMT."
    assert [text[s:e] for s, e in AWS_ACCESS_KEY.find(text)] == ["AKIAP3562GTSV3EKLLMT"]
    for other in ("AKIAXXXXXXXXXXXXXXXX", "AKIAIOSFODNN7EXAMPLE", "AKIAshort"):
        assert list(AWS_ACCESS_KEY.find(other)) == []


def test_a_secret_key_is_known_by_an_id_nearby() -> None:
    for text in (f"AKIAP3562GTSV3EKLLMT:{SECRET}", f"{SECRET},\nid,AKIAP3562GTSV3EKLLMT"):
        assert [text[s:e] for s, e in AWS_SECRET_NEAR_ID.find(text)] == [SECRET]
    for other in (f"AKIAP3562GTSV3EKLLMT{' ' * 500}{SECRET}", "AKIAP3562GTSV3EKLLMT " + "3f2a" * 10):
        assert list(AWS_SECRET_NEAR_ID.find(other)) == []
