import dataclasses

import pytest
from faker import Faker
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.ip_policy import KINDS, kind_of, of_kinds
from winnow.curation.sanitize.pii.ipv4_address import IPV4_ADDRESS

FAKE = Faker()
ALL_KINDS = dataclasses.replace(IPV4_ADDRESS, accept=of_kinds(KINDS))


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in IPV4_ADDRESS.find(text)]


@given(
    st.integers(0, 2**32),
    st.sampled_from(
        [
            "my IP is {}.",
            "ssh root@{}",
            "http://{}:8080/x",
            'HOST = "{}"',
            "{}",
            "ping {}",
            "from {}: timeout",
        ]
    ),
)
def test_a_public_address_is_found(seed: int, sentence: str) -> None:
    FAKE.seed_instance(seed)
    address = FAKE.ipv4_public()
    known = kind_of(address) == "public" and ("from" not in sentence or sum(map(str.isdigit, address)) >= 8)
    assert found(sentence.format(address)) == ([address] if known else [])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("block 93.184.216.0/24 there", ["93.184.216.0/24"]),
        ("93.184.216.34 - - [01/Jan/2024] GET /", ["93.184.216.34"]),
        ("seen at 93.184.216.34, 81.2.69.160", ["93.184.216.34", "81.2.69.160"]),
        ("after the upgrade the server 93.184.216.34 is down", ["93.184.216.34"]),
    ],
)
def test_what_stands_around_an_address_is_left(text: str, values: list[str]) -> None:
    assert found(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "10.15.7.6 is the macOS build",
        "Section 4.3.2.1 describes the handshake",
        '[assembly: AssemblyVersion("4.0.0.0")]',
        "numpy==1.21.0.4 and foo>=93.184.21.34",
        "Chrome/93.0.184.34 Safari",
        "driver version 93.184.216.34",
        "v93.184.216.34",
        "OID 1.3.6.1",
        'ADDRESS = ObjectIdentifier("2.5.29.116")',
        "1.3.6.1.4.1.311",
        "93.184.216.34.5 and 93.184.216.340 and 093.184.216.34",
        "text93.184.216.34",
        "file-93.184.216.34-x.tar.gz",
        "93.184.216.34-beta.1",
        "tuple 1.5.2.3",
        "93.184.216.*",
    ],
)
def test_versions_sections_and_identifiers_stay(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "192.0.2.1", "0.0.0.0", "8.8.8.8"])
def test_a_profile_may_ask_for_other_kinds(address: str) -> None:
    text = f"connect to {address} now"
    assert found(text) == []
    assert [text[start:end] for start, end in ALL_KINDS.find(text)] == [address]


def test_an_arrow_leads_from_address_to_address() -> None:
    for text in ("93.184.216.34 -> 185.60.216.35", "93.184.216.34 > 185.60.216.35"):
        assert [text[s:e] for s, e in IPV4_ADDRESS.find(text)] == ["93.184.216.34", "185.60.216.35"]
