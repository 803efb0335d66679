from pathlib import Path

import pytest
from small_lake import grown

from winnow.core.errors import ConfigError, DataError
from winnow.lake.row_names import resolve_row_id


def test_a_prefix_is_enough_exactly_when_no_other_row_begins_with_it(tmp_path: Path):
    lake = grown(tmp_path)
    known = sorted(row for b in lake.scan("sanitized", columns=["row_id"]) for row in b["row_id"].to_pylist())
    for row in known[::4]:
        for length in (1, 2, 31):
            others = [other for other in known if other != row and other.startswith(row[:length])]
            if others:
                with pytest.raises(DataError, match=f"Several rows begin with `{row[:length]}`"):
                    resolve_row_id(lake, row[:length])
            else:
                assert resolve_row_id(lake, row[:length].upper()) == row


def test_what_begins_no_row_is_refused(tmp_path: Path):
    lake = grown(tmp_path)
    assert resolve_row_id(lake, "0" * 32) == "0" * 32
    with pytest.raises(DataError, match="begins with `00000000`"):
        resolve_row_id(lake, "00000000")
    for prefix in ("", "xyz", "0" * 33, "a' OR 1"):
        with pytest.raises(ConfigError, match="is no row id"):
            resolve_row_id(lake, prefix)
