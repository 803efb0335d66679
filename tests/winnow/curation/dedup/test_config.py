import pytest

from winnow.core.config import load_model
from winnow.core.errors import ConfigError
from winnow.curation.dedup import DedupConfig


def test_bands_that_ask_for_more_permutations_than_there_are_name_both_ways_out() -> None:
    with pytest.raises(
        ConfigError, match=r"40 x 7 = 280, more than `permutations`, which is 256\. Set `perm"
    ):
        load_model(DedupConfig, {"bands": 40})


def test_the_other_published_setting_fits() -> None:
    config = load_model(DedupConfig, {"bands": 42, "rows_per_band": 6})
    assert config.effective_permutations == 252
    assert config.recall(0.7) == pytest.approx(0.995, abs=5e-4)
