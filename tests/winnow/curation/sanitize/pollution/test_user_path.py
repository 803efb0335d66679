import pytest

from winnow.curation.sanitize.pollution.user_path import POSIX_HOME, WINDOWS_HOME


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/home/alice/project", "alice"),
        ('open("/Users/jürgen.k/x.txt")', "jürgen.k"),
        ("HOME=/home/alice", "alice"),
        ("file:///home/bob_2/x", "bob_2"),
        ("see /home/alice.", "alice"),
        ("cc -I/home/alice/include", "alice"),
        (r"C:\Users\Ann Lee\Desktop", "Ann Lee"),
        (r'"C:\\Users\\ann\\x"', "ann"),
        ("C:/Users/ann/x", "ann"),
    ],
)
def test_only_the_name_is_found(text: str, name: str) -> None:
    assert {text[s:e] for d in (POSIX_HOME, WINDOWS_HOME) for s, e in d.find(text)} == {name}


@pytest.mark.parametrize(
    "text",
    [
        "/home/runner/work",
        "/Users/username/x",
        "https://site.io/home/about",
        '@app.route("/home/<name>")',
        'get("/home/index.html")',
        "/home/{user}/x",
        r"C:\Users\Public\x",
        "/Users/2819c223",
    ],
)
def test_accounts_of_nobody_and_routes_stay(text: str) -> None:
    assert [text[s:e] for d in (POSIX_HOME, WINDOWS_HOME) for s, e in d.find(text)] == []
