import pytest

from winnow.curation.sanitize.names.addresses.numbered import find


def found(text):
    return [text[start:end] for start, end, _ in find(text)]


@pytest.mark.parametrize(
    "address",
    ["12 Acacia Avenue", "4711 N Kedzie Blvd Apt. 3, Chicago, IL 60625", "7 Marsh Walk\nEmilyhaven\nOX58 9JP", "Flat 3\n7 Hove Road\nLeeds\nLS1 4AB", "669 Maynard Dale Suite 102\nRobinston, WI 82637",
     "12 bis, rue de la Paix, 75002 Paris", "98, avenue Lucie Fernandes\n29750 Barbe", "Studio 25\nAbbie Forest\nGlenville\nW7 5DS", "468 Andrews Place\nPort Joshua, SK Y5E 5J2", "P.O. Box 123, 12345 Springfield",
     "27 2279 President St\nGleniti\n, nan\n Canada 32586"],
)  # fmt: skip
def test_an_address_is_found_from_number_to_postcode(address):
    assert any(address in hit for hit in found(f"Sent to {address}."))


@pytest.mark.parametrize(
    "text",
    [
        "12 March 2020, London",
        "3 Event Loop",
        "2 Kafka Brokers",
        "1. First Row",
        "version 3 Release Candidate",
        "HTTP 404 Not Found",
        "10 Million Rows, 12345",
    ],
)
def test_counts_dates_and_terms_are_none(text):
    assert found(text) == []
