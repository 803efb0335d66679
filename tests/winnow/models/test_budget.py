import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_clients import PRICE, ask, asks, calls, client, texts
from model_servers import Act, ModelServer

from winnow.models.budget import Budget
from winnow.models.client_config import BudgetConfig
from winnow.models.prices import Price
from winnow.models.reply import CallFailure
from winnow.models.request import ModelRequest

CENTS = st.integers(0, 60).map(lambda cents: cents / 100)
CALL = st.tuples(CENTS, st.floats(0, 1), st.booleans())


def worst(request: ModelRequest) -> float:
    return Price.model_validate(PRICE).worst(
        request.size(), len(request.messages), request.sampling.max_tokens
    )


@given(st.lists(CALL, max_size=30), st.integers(1, 5))
def test_no_order_of_calls_breaks_the_budget(asked: list[tuple[float, float, bool]], slots: int) -> None:
    """However calls overlap: what is paid, what may be and what is set aside never pass the limit together."""
    budget = Budget(BudgetConfig(dollars=1.0))
    under_way: list[tuple[float, float, bool]] = []
    paid = risk = 0.0
    ended = False

    def settle() -> None:
        nonlocal paid, risk
        dearest, share, lost = under_way.pop(0)
        budget.settle(dearest, paid=0.0 if lost else dearest * share, at_risk=dearest if lost else 0.0)
        paid += 0.0 if lost else dearest * share
        risk += dearest if lost else 0.0

    for call in asked:
        while len(under_way) >= slots:
            settle()
        while (verdict := budget.ask(call[0], 0.0)) == "wait":
            settle()
        if verdict == "go":
            under_way.append(call)
        assert paid + risk + sum(c[0] for c in under_way) <= 1.0 + 1e-6
        assert verdict == "go" or ended or paid + risk + call[0] > 1.0 - 1e-6, "it would have fitted"
        ended = ended or verdict != "go"
    while under_way:
        settle()
    assert (budget.paid, budget.at_risk) == (pytest.approx(paid), pytest.approx(risk))


def test_a_call_that_waits_for_dollars_is_not_sent_once_the_caller_stops(
    tmp_path: Path, protocol: str
) -> None:
    requests = asks(3)
    with ModelServer(lambda prompt, before: Act(seconds=0.3)) as server:
        budget = {"dollars": 1.9 * worst(requests[0]), "minutes": 60.0}
        run = client(server, protocol, tmp_path, concurrency=2, budget=budget).complete_many(requests, "test")
        next(run)
        while len(server.seen) < 2:
            time.sleep(0.01)
        time.sleep(0.1)  # the third waits for what the second gives back
        run.close()
    assert len(server.seen) == 2
    assert run.tally.not_run == {"stopped": 1}


def test_threads_at_once_do_not_break_it() -> None:
    budget = Budget(BudgetConfig(dollars=1.0))
    door = threading.Barrier(8)

    def work(_: int) -> int:
        door.wait()
        gone = 0
        for _ in range(50):
            if budget.ask(0.01, 0.0) == "go":
                budget.settle(0.01, paid=0.01)
                gone += 1
        return gone

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(work, range(8))) == 100
    assert budget.paid == pytest.approx(1.0)


def test_a_call_that_can_never_fit_stops_no_other() -> None:
    budget = Budget(BudgetConfig(dollars=1.0))
    assert [budget.ask(worst, 0.0) for worst in (2.0, 0.4, 0.4)] == ["dollars", "go", "go"]


def test_dollars_end_the_run_and_a_rerun_pays_for_the_rest_only(tmp_path: Path, protocol: str) -> None:
    requests = asks(20)
    # answers cost far less than the worst case, so many fit; the limit is what four may cost at most
    limit = 4 * worst(requests[-1])
    with ModelServer() as server:
        run = client(server, protocol, tmp_path, budget={"dollars": limit}).complete_many(requests, "test")
        first = texts(run)
    assert first == [f"you said question {n}" for n in range(20)]
    assert run.tally.dollars <= limit
    with ModelServer() as server:
        # an answer costs 4 dollars and may cost 10: two at a time fit, and after four none does
        dear = client(
            server, protocol, tmp_path / "dear", price={"input": 0.0, "output": 1e6}, budget={"dollars": 25.0}
        )
        run = dear.complete_many(requests, "test")
        done = texts(run)
        assert done == [f"you said question {n}" for n in range(4)] + ["<dollars>"] * 16
        assert (len(server.seen), run.tally.dollars, run.tally.not_run) == (4, 16.0, {"dollars": 16})
        assert "16 not run" in run.summary()
        assert "`budget.dollars` of at least 160.0000" in run.summary()
        again = client(
            server,
            protocol,
            tmp_path / "dear",
            price={"input": 0.0, "output": 1e6},
            budget={"dollars": 160.0},
        )
        assert texts(again.complete_many(requests, "test")) == first
        assert len(server.seen) == 20
        assert again.budget.paid == 64.0
    assert sum(row["dollars"] for row in calls(tmp_path / "dear")) == 80.0


def test_calls_under_way_end_and_are_kept(tmp_path: Path, protocol: str) -> None:
    with ModelServer(lambda prompt, before: Act(seconds=0.2)) as server:
        dear = client(
            server,
            protocol,
            tmp_path,
            price={"input": 0.0, "output": 1e6},
            budget={"dollars": 20.0},
            concurrency=4,
        )
        done = texts(dear.complete_many(asks(8), "test"))
    assert done == [f"you said question {n}" for n in range(3)] + ["<dollars>"] * 5
    assert server.most_in_flight == 2, "two may cost 20 dollars"


def test_a_call_too_dear_for_the_whole_budget_names_what_it_needs(tmp_path: Path, protocol: str) -> None:
    with ModelServer() as server:
        asked = client(
            server, protocol, tmp_path, price={"input": 0.0, "output": 1e6}, budget={"dollars": 10.0}
        )
        outcomes = list(asked.complete_many([ask("a", sampling={"max_tokens": 50}), ask("b")], "test"))
    assert texts(outcomes) == ["<dollars>", "you said b"]
    assert isinstance(outcomes[0], CallFailure)
    assert outcomes[0].not_run
    assert "lower `sampling.max_tokens`, or raise `budget.dollars` to 50.0" in outcomes[0].message


def test_a_lost_answer_counts_as_spent(tmp_path: Path, protocol: str) -> None:
    """A call that was cut may have been paid: its retry starts only if both fit."""
    with ModelServer(lambda prompt, before: Act("cut")) as server:
        asked = client(
            server, protocol, tmp_path, price={"input": 0.0, "output": 1e6}, budget={"dollars": 25.0}
        )
        failure = asked.complete(ask("hi"), "test")
    assert isinstance(failure, CallFailure)
    assert (failure.reason, failure.attempts, len(server.seen)) == ("dollars", 2, 2)
    assert (asked.budget.at_risk, asked.budget.paid) == (20.0, 0.0)
    assert [row["dollars_at_risk"] for row in calls(tmp_path)] == [20.0]


def test_an_error_that_is_not_billed_costs_nothing(tmp_path: Path, protocol: str) -> None:
    with ModelServer(lambda prompt, before: Act("server")) as server:
        asked = client(server, protocol, tmp_path)
        asked.complete(ask("hi"), "test")
    assert asked.budget.spent == 0


def test_minutes_end_the_run_before_a_call_could_pass_them(tmp_path: Path, protocol: str) -> None:
    with ModelServer(lambda prompt, before: Act(seconds=0.3)) as server:
        asked = client(
            server, protocol, tmp_path, timeout_seconds=1.0, budget={"minutes": 2.0 / 60}, concurrency=1
        )
        run = asked.complete_many(asks(20), "test")
        done = texts(run)
    answered = [text for text in done if text != "<minutes>"]
    assert done == answered + ["<minutes>"] * (20 - len(answered))
    assert 1 <= len(answered) <= 4, "the last may start after a second at most"
    assert "`budget.minutes`" in run.summary()


def test_a_wait_that_would_pass_the_minutes_is_not_waited(tmp_path: Path, protocol: str) -> None:
    with ModelServer(lambda prompt, before: Act("rate", {"retry-after": "30"})) as server:
        asked = client(server, protocol, tmp_path, timeout_seconds=1.0, budget={"minutes": 0.05})
        started = time.monotonic()
        assert texts(asked.complete_many(asks(20), "test")) == ["<minutes>"] * 20
    assert time.monotonic() - started < 3
    assert len(server.seen) <= 8, "nothing is sent while the server asks to wait"


def test_the_cache_answers_when_the_budget_is_gone(tmp_path: Path, protocol: str) -> None:
    with ModelServer() as server:
        first = texts(client(server, protocol, tmp_path).complete_many(asks(3), "test"))
        broke = client(server, protocol, tmp_path, budget={"dollars": 0.0})
        assert texts(broke.complete_many(asks(4), "test")) == [*first, "<dollars>"]


def test_two_clients_share_a_budget(tmp_path: Path) -> None:
    budget = Budget(BudgetConfig(dollars=25.0))
    with ModelServer() as server:
        for protocol in ("anthropic", "openai"):
            asked = client(server, protocol, tmp_path, price={"input": 0.0, "output": 1e6})
            asked.budget = budget
            list(asked.complete_many(asks(3), "test"))
    assert len(server.seen) == 4
    assert budget.paid == 16.0
