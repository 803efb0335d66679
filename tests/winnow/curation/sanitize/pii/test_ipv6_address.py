import dataclasses
import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.ip_policy import KINDS, kind_of, of_kinds
from winnow.curation.sanitize.pii.ipv6_address import IPV6_ADDRESS

ALL_KINDS = dataclasses.replace(IPV6_ADDRESS, accept=of_kinds(KINDS))


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in IPV6_ADDRESS.find(text)]


@given(
    st.integers(0x2A << 120, (0x2B << 120) - 1),
    st.booleans(),
    st.sampled_from(["from {}.", '"{}"', "[{}]:80", "{}: ok"]),
)
def test_a_public_address_is_found_long_or_short(number: int, long: bool, sentence: str) -> None:
    address = ipaddress.IPv6Address(number)
    written = address.exploded if long else address.compressed
    assert kind_of(written) == "public"
    assert found(sentence.format(written)) == [written]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("via 2a00:1450::200e/64 dev", "2a00:1450::200e/64"),
        ("::ffff:93.184.216.34", "::ffff:93.184.216.34"),
        ("AAAA 2A00:1450:4001:81B::200E", "2A00:1450:4001:81B::200E"),
    ],
)
def test_blocks_and_mixed_writing(text: str, value: str) -> None:
    assert found(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "std::cout << a::b << dead::beef",
        "x[::2] + y[1::2] + z[a::b]",
        "at 10:20:30 and 2024-01-01T10:20:30:400",
        "use core::fmt; ab1::cd2::new()",
        "::",
        "1:2:3:4:5:6:7:8",
        "sha1 01:23:45:67:89:ab:cd:ef",
        "::ffff:256.0.0.1",
        "Foo::Bar::0x1234",
        "2001:db8::1 and ::1 and fe80::1234",
        "a:b:c:d:e:f:a:b",
    ],
)
def test_code_times_and_what_nobody_has_stay(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("address", ["2001:db8::1", "fe80::1234:1", "fd12:3456:789a::1", "::ffff:10.0.0.1"])
def test_a_profile_may_ask_for_other_kinds(address: str) -> None:
    text = f"connect to {address} now"
    assert found(text) == []
    assert [text[start:end] for start, end in ALL_KINDS.find(text)] == [address]
