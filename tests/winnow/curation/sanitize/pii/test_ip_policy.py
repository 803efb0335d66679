import pytest

from winnow.curation.sanitize.pii.ip_policy import KINDS, kind_of, of_kinds


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("93.184.216.34", "public"),
        ("93.184.216.0/24", "public"),
        ("2a00:1450:4001:81b::200e", "public"),
        ("::ffff:93.184.216.34", "public"),
        ("6e40:4041:c617:e898:c11:40d2:c669:2eb4", "public"),
        ("10.0.0.1", "private"),
        ("192.168.1.1/32", "private"),
        ("100.64.3.4", "private"),
        ("fd12:3456:789a::1", "private"),
        ("::ffff:10.0.0.1", "private"),
        ("127.0.0.1", "loopback"),
        ("::1", "loopback"),
        ("192.0.2.7", "documentation"),
        ("203.0.113.9", "documentation"),
        ("2001:db8::/32", "documentation"),
        ("64:ff9b::192.0.2.0/96", "documentation"),
        ("0.0.0.0", "special"),
        ("::/0", "special"),
        ("255.255.255.0", "special"),
        ("224.0.0.1", "special"),
        ("169.254.1.1", "special"),
        ("fe80::1%eth0", "special"),
        ("8.8.8.8", "special"),
        ("1.2.3.4", "special"),
        ("93.0.0.0/4", "special"),
    ],
)
def test_every_address_has_one_kind_that_alone_lets_it_pass(value: str, kind: str) -> None:
    assert kind_of(value) == kind
    assert [k for k in KINDS if of_kinds([k])(value)] == [kind]
