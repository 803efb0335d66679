"""A file name tells the state of its partition, and no other name passes for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.core.errors import ConfigError
from winnow.lake.contracts import contract_of
from winnow.lake.names import PartName, is_marker, marker_name, new_nonce, parse_part

HEX = st.text("0123456789abcdef", min_size=32, max_size=32)
NAMES = st.builds(
    PartName,
    HEX,
    HEX,
    st.none() | st.integers(0, 10**9),
    st.builds(new_nonce),
    st.integers(0, 99_999),
)


@given(NAMES)
def test_a_name_reads_back(name: PartName) -> None:
    assert parse_part(str(name)) == name
    assert parse_part(str(name.at(7))) == name.at(7)


@given(NAMES, st.integers(0, 80))
def test_a_cut_or_stretched_name_is_none(name: PartName, at: int) -> None:
    assert parse_part(str(name)[:at]) is None
    assert parse_part(str(name) + "x") is None
    assert parse_part("_incoming-" + str(name)) is None


def test_a_marker_is_no_part() -> None:
    assert is_marker(marker_name())
    assert parse_part(marker_name()) is None
    assert not is_marker("marker-1.parquet")


def test_a_table_is_found_by_name_and_a_near_miss_is_guessed() -> None:
    assert contract_of("raw").zone == "restricted"
    assert contract_of("verdicts_sanitize").table == "verdicts_sanitize"
    with pytest.raises(ConfigError, match="Did you mean `sanitized`"):
        contract_of("sanitised")
