import pytest

from winnow.curation.sanitize.names.table import find


def found(text):
    return [text[h.start : h.end] for h in find(text)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_column_of_persons_is_found_under_any_separator(separator):
    rows = [
        ["id", "full name", "city"],
        ["1", "Siobhan Kovalenko", "Bonn"],
        ["2", '"Pavel Hrubesch"', "Rome"],
    ]
    text = "\n".join(separator.join(row) for row in rows)
    assert found(text) == ["Siobhan Kovalenko", "Pavel Hrubesch"]


def test_a_header_ends_where_the_number_of_fields_changes():
    assert found("name,age\nSiobhan Kovalenko,3\n\nPavel Hrubesch,4") == ["Siobhan Kovalenko"]


@pytest.mark.parametrize(
    "text",
    [
        "id,product,version\n1,Visual Basic,6.0",
        "name,version\nVisual Basic,6.0",
        "hostname,ip\nweb1,10.0.0.1",
        "name,size\nfoo.txt,4",
    ],
)
def test_columns_of_things_are_not(text):
    assert found(text) == []
