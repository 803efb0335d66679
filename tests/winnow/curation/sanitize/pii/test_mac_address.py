import pytest
from faker import Faker
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.mac_address import MAC_ADDRESS

FAKE = Faker()


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in MAC_ADDRESS.find(text)]


@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_an_address_is_found_in_a_line_of_a_log(seed: int, upper: bool, dashes: bool) -> None:
    FAKE.seed_instance(seed)
    address = FAKE.mac_address().replace(":", "-" if dashes else ":")
    address = address.upper() if upper else address
    assert found(f"wlan0: link {address}, up") == [address]


def test_cisco_writes_three_groups() -> None:
    assert found("interface 001b.5443.2aef up") == ["001b.5443.2aef"]


@pytest.mark.parametrize(
    "text",
    [
        "Broadcast: FF:FF:FF:FF:FF:FF",
        "00:00:00:00:00:00",
        "00:00:5e:00:53:01",
        "SHA1 fingerprint 01:23:45:67:89:ab:cd:ef:01:23:45:67:89:ab:cd:ef:01:23:45:67",
        "01:23:45-67:89:ab",
        "at 10:20:30:40:50",
        "1234.5678.9012",
        "urn:uuid:12-34-56-78-90-ab-cd",
        "2001:db8::01:23:45:67:89:ab",
    ],
)
def test_what_names_no_device_stays(text: str) -> None:
    assert found(text) == []
