import base64

from winnow.curation.sanitize.secrets.docker_config import DOCKER_CONFIG


def test_a_login_is_found_by_what_it_decodes_to() -> None:
    login = base64.b64encode(b"ann:h0pk1ns~21s").decode()
    for text in (f'{{"auths": {{"https://index.docker.io/v1/": {{"auth": "{login}"}}}}}}', f"_auth={login}"):
        assert [text[start:end] for start, end in DOCKER_CONFIG.find(text)] == [login]


def test_other_values_stay() -> None:
    for value in ("basicbasic", base64.b64encode(b"user:password").decode(), "c29tZXRoaW5nIGVsc2U="):
        assert list(DOCKER_CONFIG.find(f'"auth": "{value}"')) == []
