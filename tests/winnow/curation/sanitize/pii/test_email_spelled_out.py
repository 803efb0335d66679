import pytest

from winnow.curation.sanitize.pii.email_spelled_out import EMAIL_SPELLED_OUT


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in EMAIL_SPELLED_OUT.find(text)]


@pytest.mark.parametrize(
    "address",
    [
        "ann.lee (at) site (dot) org",
        "ann[at]site[dot]co[dot]uk",
        "ann_lee [at] mail.site.org",
        "ann(@)site.io",
        "ann <at> site <dot> org",
        "ann at site dot org",
        "ann.lee at gmail.com",
        "ANN AT SITE DOT ORG",
    ],
)
def test_an_address_is_found_whole(address: str) -> None:
    assert found(f"write to {address}, please") == [address]


@pytest.mark.parametrize(
    "text",
    [
        "ann (at) example (dot) com",
        "meet ann at site.org tomorrow",
        "look at python dot h and at foo dot bar",
        "x[at] = y[dot]",
        "the values (at) the end",
        "we are at gmail",
        "vector<at> x.y",
    ],
)
def test_sentences_and_code_stay(text: str) -> None:
    assert found(text) == []
