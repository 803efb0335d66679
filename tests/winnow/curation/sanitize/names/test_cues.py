import pytest

from winnow.curation.sanitize.names.cues import denies_person, hints_person, says_person

NAME = "Zorblatt"


def place(text):
    start = text.index(NAME)
    return text, start, start + len(NAME)


@pytest.mark.parametrize(
    "text",
    ["Written by Zorblatt", "please ask Zorblatt", "Hi Zorblatt", "my colleague Zorblatt", "Zorblatt says no", "Zorblatt, who left", "Zorblatt: hello",
     "1,Zorblatt,z@mail.example", "Zorblatt and I went", "the letter from Zorblatt"],
)  # fmt: skip
def test_words_beside_persons_say_so(text):
    assert says_person(*place(text))


@pytest.mark.parametrize(
    "text", ["the Zorblatt cache", "Zorblatt returns a list", "set Zorblatt to 3", "import Zorblatt"]
)
def test_other_words_do_not(text):
    assert not says_person(*place(text))


@pytest.mark.parametrize(
    "text",
    [
        "Zorblatt's algorithm",
        "the Zorblatt theorem",
        "Zorblatt Foundation",
        "Zorblatt, Inc.",
        "Zorblatt-Kowal distance",
        "the Zorblatt Prize",
        "Zorblatt  ..Tetu",
        "Tetu..Zorblatt",
    ],
)
def test_a_thing_or_organisation_is_no_person(text):
    assert denies_person(*place(text))


def test_a_preposition_only_hints():
    assert hints_person(*place("from Zorblatt"))
    assert not hints_person(*place("the Zorblatt"))
