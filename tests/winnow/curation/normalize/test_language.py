import pytest

from winnow.curation.normalize.language import language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("A.PY", "python"),
        ("x.tar.gz", None),
        (".py", None),
        ("py", None),
        ("", None),
        (None, None),
    ],
)
def test_the_last_suffix_tells(path: str | None, language: str | None):
    assert language_of(path) == language
