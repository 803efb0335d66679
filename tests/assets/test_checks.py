"""How a failure of an asset reaches Dagster."""

import dagster as dg
import pytest

from assets.checks import explained
from winnow.core.errors import AuditError, ConfigError

SECRET = "planted-secret"


def run_of(error: Exception) -> tuple[list[dg.AssetCheckEvaluation], dg.DagsterEvent]:
    """The checks and the failure that Dagster recorded of an asset whose work raises."""

    def work() -> None:
        raise error

    @dg.asset(check_specs=[dg.AssetCheckSpec("audit", asset="layer", blocking=True)])
    def layer():
        yield from explained(work, "layer")

    result = dg.materialize([layer], raise_on_error=False, instance=dg.DagsterInstance.ephemeral())
    assert not result.success
    (failed,) = [event for event in result.all_events if event.is_step_failure]
    return list(result.get_asset_check_evaluations()), failed


def test_an_error_that_names_its_remedy_is_one_line_without_frames():
    checks, failed = run_of(ConfigError("LAKE_ROOT is empty. Set it."))
    assert failed.step_failure_data.user_failure_data.description == "LAKE_ROOT is empty. Set it."
    assert failed.step_failure_data.error.stack == []
    assert failed.step_failure_data.error.cause is None
    assert checks == []


def test_a_failed_audit_leaves_its_failed_check():
    checks, failed = run_of(AuditError("layer failed its audit", "rejected/layer/a", ("key is not unique",)))
    (check,) = checks
    assert not check.passed
    assert check.metadata["failures"].value == ["key is not unique"]
    assert failed.step_failure_data.user_failure_data.description == "layer failed its audit"


def test_of_an_error_that_nobody_foresaw_no_value_reaches_dagster(monkeypatch):
    monkeypatch.delenv("WINNOW_DEBUG", raising=False)
    _, failed = run_of(ValueError(SECRET))
    data = failed.step_failure_data
    assert data.user_failure_data.description.startswith("internal error: ValueError at test_checks.py:")
    assert "in work" in data.user_failure_data.metadata["call_stack"].value
    assert SECRET not in str(failed)


def test_debugging_lets_it_through(monkeypatch):
    monkeypatch.setenv("WINNOW_DEBUG", "1")
    _, failed = run_of(ValueError(SECRET))
    assert SECRET in str(failed.step_failure_data.error)


def test_work_that_succeeds_is_handed_on():
    handed = explained(lambda: 3, "layer")
    with pytest.raises(StopIteration) as stop:
        next(handed)
    assert stop.value.value == 3
