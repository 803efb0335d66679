import pytest

from evaluation.leaks import leaks_in
from winnow.core.config import load_model
from winnow.curation.sanitize import SanitizeConfig
from winnow.curation.sanitize.leaks import leak_check

CHECK = leak_check(load_model(SanitizeConfig, {"fingerprint_key": "k"}))
CLEAN = ["def add(a, b):\n    return a + b", "return sorted(values)"]


def test_answers_that_hold_something_private_are_counted_by_category_and_not_quoted() -> None:
    report = leaks_in([*CLEAN, "# ask ann.lee@site.io or bob@site.io"], CHECK)
    assert (report.samples, report.leaking, report.categories) == (3, 1, {"email_address": 2})
    assert str(report) == "1 of 3 answers: email_address 2"
    assert "ann" not in str(report)


def test_clean_answers_leak_nothing_and_the_interval_says_how_sure_that_is() -> None:
    report = leaks_in(CLEAN * 50, CHECK)
    assert str(report) == "0 of 100 answers"
    low, high = report.interval
    assert low == pytest.approx(0, abs=1e-12)
    assert high == pytest.approx(0.0370, abs=1e-4)  # Wilson 1927, 0 of 100 at 95 %


def test_no_answer_is_not_no_leak() -> None:
    with pytest.raises(ValueError, match="no answer"):
        leaks_in([], CHECK)
