import pytest

from winnow.curation.sanitize.names.labels import trust, trust_ending


@pytest.mark.parametrize(
    "title",
    [
        "author",
        "Full Name",
        "customer_name",
        "reviewedBy",
        "Signed-off-by",
        "Vorname",
        "姓名",
        "имя",
        "الاسم",
    ],
)
def test_labels_of_persons_are_sure_in_any_spelling(title):
    assert trust(title) == 2


@pytest.mark.parametrize(
    ("title", "expected"),
    [("user", 1), ("owner", 1), ("name", 0), ("from", 0), ("hostname", None), ("file_name", None)],
)
def test_other_labels_are_believed_less(title, expected):
    assert trust(title) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("INFO customer name", 2),
        ("the class name", None),
        ("see the author", 2),
        ("set name", 0),
        ("host", 0),
        ("", None),
    ],
)
def test_a_label_is_read_from_its_last_words(before, expected):
    assert trust_ending(before) == expected
