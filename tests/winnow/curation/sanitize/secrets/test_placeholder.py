import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.secrets.placeholder import is_filler, is_placeholder, is_reference


@pytest.mark.parametrize(
    "value",
    [
        "$TOKEN",
        "${TOKEN:-x}",
        "$(pass)",
        "$1",
        "{{token}}",
        "%s",
        "%(password)s",
        "<your-key>",
        "<key",
        "@VAR@",
        "***",
        "...",
        "${{secrets.X}}",
        "#{pw}",
        "your-api-key",
        "my_secret_key_1",
        "changeme123",
        "REPLACE_ME",
        "xxxxxxxx",
        "XXXX-XXXX",
        "00000000",
        "abcdef123456",
        "AKIAIOSFODNN7EXAMPLE",
        "test123",
        "P@ssw0rd!",
        "pa55w0rd",
        "admin1234",
        "foo-bar-2",
        "!Ref",
        "{token}",
        "!vault",
        "abcdefghijklmnop0",
        "dummy-key-17",
    ],
)
def test_what_stands_for_a_secret_is_none(value: str) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    ["v7Tq-2mZ", "h0pk1ns~21s", "Tr0ub4dor&3", "correct-h0rse", "S3cr3t!zebra", "$x9!kq#2", "d3adb33f"],
)
def test_what_a_person_or_a_machine_chose_is_no_placeholder(value: str) -> None:
    assert not is_placeholder(value)


@given(st.integers(), st.integers(20, 400))
def test_drawn_values_are_hardly_ever_taken_for_one(seed: int, length: int) -> None:
    rng = random.Random(seed)
    values = ["".join(rng.choices(string.ascii_letters + string.digits, k=length)) for _ in range(20)]
    assert sum(map(is_placeholder, values)) <= 1


def test_a_reference_is_a_whole_value_and_a_filler_may_be_a_part() -> None:
    assert is_reference("$TOKEN")
    assert not is_reference("a$TOKEN9!")
    assert is_filler("sk_live_xxxxxxxxab12")
