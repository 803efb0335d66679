import dagster as dg
import pytest

from assets.demo import Demo
from winnow.core.errors import RunError


@dg.asset
def planted() -> None:
    raise ValueError("cannot take ann@site.org")


def test_a_failed_step_is_told_without_the_value_that_a_library_quotes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("assets.graph.asset_definitions", lambda: [planted])
    with dg.DagsterInstance.ephemeral() as instance, pytest.raises(RunError, match=r"^ValueError; ") as told:
        Demo(lambda _: None)._step(instance, ("planted",))
    assert "ann@" not in str(told.value)
