"""History is what the published layers stand for, not what a run in progress has committed."""

from pathlib import Path

from small_lake import grown, lake_in, publish_layer, sample, version_of

from schemas.rows import SANITIZED
from winnow.core.firing import Fired
from winnow.core.stage import Span, Verdict
from winnow.lake.firing import fired_history


def test_a_source_has_its_own_history_and_a_new_one_that_of_the_others(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    own = fired_history(lake, "alpha")
    assert {name: (f.rows, list(f.categories.values())) for name, f in own.items()} == {"alpha": (8, [1])}
    others = fired_history(lake, "gamma")
    assert {name: f.rows for name, f in others.items()} == {"alpha": 8, "beta": 6}
    assert others["alpha"] == own["alpha"]


def test_an_empty_lake_has_none(tmp_path: Path) -> None:
    assert fired_history(lake_in(tmp_path), "alpha") == {}


def test_a_new_publication_is_the_next_history(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    rows = sample()["alpha"]
    found = [
        Verdict(
            r["row_id"],
            "alpha",
            "redact",
            "token/x",
            spans=(Span("token", "x", "/messages/0/content", 0, 1),),
        )
        for r in rows[:3]
    ]
    inputs = version_of(lake, "conversations", "alpha")
    publish_layer(lake, "sanitize", SANITIZED, "alpha", 8, rows, found, inputs, config={"newer": True})
    assert fired_history(lake, "alpha") == {"alpha": Fired(8, {"token": 3})}
