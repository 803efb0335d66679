import pytest

from winnow.curation.sanitize.names.addresses.tail import sure_tail, town_tail, units


@pytest.mark.parametrize(
    "tail",
    [
        ", Chicago, IL 60625",
        "\nLeeds\nLS1 4AB",
        ",\n # Port Joshua, SK Y5E 5J2",
        "\nAdrianville, ACT, 2666",
        ", Chicago, IL 60625, USA",
    ],
)
def test_a_postcode_like_nothing_else_ends_the_address(tail):
    assert sure_tail(tail + ". Next", 0) == len(tail)


@pytest.mark.parametrize(
    "tail",
    [
        "\n12345 Berlin",
        ", 28001 Madrid",
        "\n02-931 Kwidzyn",
        "\nMadrid, 28001",
        "\nVenda Nova\n74833-788 Porto / BA",
        ", 958969",
    ],
)
def test_digits_beside_a_town_do_too(tail):
    assert town_tail(tail + ". Next", 0) == len(tail)


@pytest.mark.parametrize("text", [" and more", ", see below", "\nkey: 12345 Berlin", ", in 2020", ""])
def test_prose_is_no_tail(text):
    assert town_tail(text, 0) is None


def test_flats_and_floors_follow():
    assert units(" Apt. 12, Floor 3", 0) == len(" Apt. 12, Floor 3")
    assert units(" and so on", 0) == 0
