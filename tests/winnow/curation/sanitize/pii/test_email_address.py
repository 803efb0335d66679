import pytest

from winnow.curation.sanitize.pii.email_address import EMAIL_ADDRESS


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in EMAIL_ADDRESS.find(text)]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("write to ann.lee+x@mail.kernel.org, please", "ann.lee+x@mail.kernel.org"),
        ("<ann@site.io>", "ann@site.io"),
        ("ann@site.org.Then we", "ann@site.org"),
        ("user@xn--80ak6aa92e.com", "user@xn--80ak6aa92e.com"),
        ("a@xn--d1acufc.xn--p1ai", "a@xn--d1acufc.xn--p1ai"),
        ("邮箱ann@site.cn。", "ann@site.cn"),
        (r'print("\nann@site.io")', "ann@site.io"),
        (r"\u003cann@site.io\u003e", "ann@site.io"),
        ("mailto:ann@site.co.uk?subject=x", "ann@site.co.uk"),
        ("HELLO@SITE.COM", "HELLO@SITE.COM"),
        ("...ann@site.io...", "ann@site.io"),
    ],
)
def test_an_address_is_found_whole(text: str, address: str) -> None:
    assert found(text) == [address]


@pytest.mark.parametrize(
    "text",
    [
        "ann@example.com, bob@mail.example.org, x@host.test",
        "git@github.com:a/b.git",
        "noreply@site.io",
        "https://user@site.io/x and https://u:pw@site.io",
        "attention = (q @ k).mean() + q@k.to(device) + a@b.T + w@x.mT",
        "icon@2x.png and npm i @types/node@18.11.9",
        "@pytest.mark.parametrize",
        "Co-authored-by: dependabot[bot] <1+dependabot[bot]@users.noreply.github.com>",
        "ciphers: aes256-gcm@openssh.com",
        "a" * 65 + "@site.io",
        "ann.@site.io",
        "@",
    ],
)
def test_what_is_no_person_stays(text: str) -> None:
    assert found(text) == []


def test_sample_accounts_of_open_providers_are_nobodys_and_the_same_names_elsewhere_are_somebodys() -> None:
    for text in ("from src@gmail.com to dst@gmail.com", "login user@yahoo.com"):
        assert list(EMAIL_ADDRESS.find(text)) == []
    for text in ("john@gmail.com", "me@brackwater-systems.io"):
        assert [text[s:e] for s, e in EMAIL_ADDRESS.find(text)] == [text]


def test_a_country_is_no_file_ending() -> None:
    for address in ("ula@wp.pl", "j.kowalski@poczta-szybka.pl", "hans@web.rs", "rui@sapo.pt", "x@nic.md"):
        assert [f"<{address}>"[s:e] for s, e in EMAIL_ADDRESS.find(f"<{address}>")] == [address]
    for text in ("icon@2x.png", "style@media.css", "q@k.to(device)"):
        assert list(EMAIL_ADDRESS.find(text)) == []
