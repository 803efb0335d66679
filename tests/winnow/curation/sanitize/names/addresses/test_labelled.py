import pytest

from winnow.curation.sanitize.names.addresses.labelled import find


def found(text):
    return [text[start:end] for start, end, _ in find(text)]


@pytest.mark.parametrize(
    "label",
    ["Address: ", "address = ", "My address is ", "Anschrift: ", "shipping_address: ", "住所：", "адрес: "],
)
def test_the_value_of_an_address_label_is_found(label):
    assert found(f"{label}Maneeži 75, Saareküla\nnext") == ["Maneeži 75, Saareküla"]


@pytest.mark.parametrize(
    "text",
    [
        "IP address: 10.0.0.1 Port 80",
        "address: 0x7fff",
        "email address: x@y.example",
        "address: localhost:8080",
        "the address is not aligned to 8",
    ],
)
def test_addresses_of_machines_are_none(text):
    assert found(text) == []
