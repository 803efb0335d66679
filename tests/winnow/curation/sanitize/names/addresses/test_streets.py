import pytest

from winnow.curation.sanitize.names.addresses.streets import find


def found(text):
    return [text[start:end] for start, end, _ in find(text)]


@pytest.mark.parametrize(
    "address",
    ["Lindenstraße 5", "Oda-Preiß-Straße 1\n90404 Sangerhausen", "Calle de Verónica Calvet 59, 28001 Madrid", "Via Garibaldi, 12\n20036, Dairago (MI)", "ul. Kołłątaja 79/19\n02-931 Kwidzyn",
     "Rua Gomes, 2\nConjunto Celso Machado\n40479-666 Porto / AM", "ул. Ленина, д. 5, кв. 7", "г. Тавда, наб. Спартака, д. 7, 958969", "Keizersgracht 123, 1015 CJ Amsterdam", "Aspstigen 91\n47483 Landskrona"],
)  # fmt: skip
def test_an_address_is_found_from_street_to_town(address):
    assert any(address in hit for hit in found(f"Sent to {address}."))


@pytest.mark.parametrize(
    "text",
    ["via HTTP 2", "Via Port 80", "Plaza mode 3", "the ring 5", "weg 4", "String 5", "Parque 3", "Vale 7"],
)
def test_words_that_are_streets_elsewhere_are_none(text):
    assert found(text) == []
