from winnow.curation.sanitize.secrets.jwt import JWT

HEAD, BODY, SIGNATURE = (
    "eyJhbGciOiJIUzI1NiJ9",
    "eyJzdWIiOiIxMjM0In0",
    "k5HibI_uLn_RTuPcaCNkaVaQH2y5q6GvJg8GP-pGMRwQ",
)


def test_a_token_is_found_with_and_without_signature_and_after_an_escape() -> None:
    for token in (f"{HEAD}.{BODY}.{SIGNATURE}", f"{HEAD}.{BODY}.", f"{HEAD}.{BODY}"):
        for text in (f"Bearer {token}", rf"\n{token} "):
            assert [text[s:e] for s, e in JWT.find(text)] == [token]


def test_base64_json_alone_is_no_token() -> None:
    for text in (HEAD, f"{HEAD}.x", f"x{HEAD}.{BODY}", "eyJ." + BODY):
        assert list(JWT.find(text)) == []
