"""What a configuration of preference pairs may say."""

import pytest

from winnow.core.config import load_model
from winnow.core.errors import ConfigError
from winnow.curation.preference import PreferenceConfig


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hash_seeds", []),
        ("hash_seeds", [-1]),
        ("hash_seeds", [2**32]),
        ("mutants_tried", 0),
        ("example_seconds", 0),
        ("heldout_fraction", 1),
        ("functions_per_group", 0),
        ("memory_bytes", 1),
        ("seeds", 1),
    ],
)
def test_what_could_not_work_is_refused(key: str, value: object):
    with pytest.raises(ConfigError, match=f"`{key}"):
        load_model(PreferenceConfig, {key: value})


def test_a_seed_that_python_takes_is_taken():
    assert load_model(PreferenceConfig, {"hash_seeds": [0, 2**32 - 1]}).hash_seeds == (0, 2**32 - 1)
