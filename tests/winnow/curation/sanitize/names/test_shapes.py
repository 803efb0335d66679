import pytest

from winnow.curation.sanitize.names.shapes import candidates


def found(text):
    return [text[c.start : c.end] for c in candidates(text, 0, len(text))]


@pytest.mark.parametrize(
    "name",
    ["Siobhan Kovalenko", "Jean-Luc Ferrandis", "Ludwig van Oosterhuis", "Liam O'Doherty", "J. R. Kowalczyk", "Müge Öztürk",
     "Gustavo da Silveira", "Angus McTavish", "Emily Carter", "Hans-J. Oberhuber"],
)  # fmt: skip
def test_the_words_around_a_name_are_cut_off(name):
    assert found(f"Please Ask {name} about Redis.") == [name]


@pytest.mark.parametrize(
    "text",
    ["Raise UnsupportedOperation here", "Call Zorblatt() now", "foo.Zorblatt", "@Zorblatt", "Zorblatt::new", "The Apache Kafka Broker", "See Visual Studio Code",
     "Use Zorblatt_Id", "HTTP Request Body", "$Zorblatt", "a/Zorblatt/b"],
)  # fmt: skip
def test_code_and_products_are_no_candidates(text):
    assert found(text) == []


def test_capitals_count_only_with_a_given_name():
    assert found("MADE BY SIOBHAN KOVALENKO") == []
    assert found("by: SIOBHAN KOVALENKO.") == ["SIOBHAN KOVALENKO"]
    assert found("INVALID STATE ERROR") == []
