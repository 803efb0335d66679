import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models.prices import Price, listed_price, price_lists

COUNT = st.integers(0, 300_000)
RATE = st.floats(0, 100)
LONG = Price.model_validate(
    {"input": 1.0, "output": 2.0, "long": {"over": 1000, "input": 3.0, "output": 4.0}}
)


@given(RATE, RATE, st.none() | RATE, COUNT, COUNT, st.floats(0, 1))
def test_no_call_costs_more_than_its_worst(
    paid_in: float, paid_out: float, cached: float | None, tokens_in: int, tokens_out: int, share: float
) -> None:
    """However many of the tokens that the bytes can hold it really has."""
    price = Price(
        input=paid_in, output=paid_out, cached_input=None if cached is None else min(cached, paid_in)
    )
    worst = price.worst(prompt_bytes=tokens_in, messages=1, max_tokens=tokens_out)
    cost = price.dollars(tokens_in, tokens_out, int(tokens_in * share))
    assert 0 <= cost <= worst + 1e-9
    assert LONG.dollars(tokens_in, tokens_out) <= LONG.worst(tokens_in, 1, tokens_out) + 1e-9


def test_no_call_costs_less_than_nothing_whatever_a_server_counts() -> None:
    price = Price(input=1.0, output=2.0, cached_input=0.1)
    assert price.dollars(5, 0, 10) == price.dollars(5, 0, 5) > 0


def test_a_long_prompt_pays_its_price_for_every_token() -> None:
    assert LONG.dollars(1000, 10) == pytest.approx((1000 * 1 + 10 * 2) / 1e6)
    assert LONG.dollars(1001, 10) == pytest.approx((1001 * 3 + 10 * 4) / 1e6)


def test_the_list_says_from_when_and_where_it_is() -> None:
    assert {listed.provider for listed in price_lists()} == {"anthropic", "openai"}
    for listed in price_lists():
        date.fromisoformat(listed.as_of)
        assert re.match(r"https://\S+pricing$", listed.source)
        assert listed.models
        for entry in listed.models:
            assert entry.cached_input is not None
            assert entry.cached_input < entry.input < entry.output


def test_each_pattern_is_reached() -> None:
    """A pattern behind a wider one would never be used."""
    for listed in price_lists():
        for entry in listed.models:
            found = listed_price(listed.provider, entry.model.replace("*", ""))
            assert found is not None
            assert found.model_dump() == entry.model_dump(exclude={"model"}), entry.model


@pytest.mark.parametrize(
    ("provider", "model", "dollars"),
    [
        ("anthropic", "claude-haiku-4-5-20251001", 6.0),
        ("anthropic", "claude-sonnet-5-5", 12.0),
        ("anthropic", "claude-sonnet-5", 12.0),
        ("anthropic", "claude-haiku-5-5", 3.0),
        ("openai", "gpt-5-mini-2025-08-07", 2.25),
        ("openai", "gpt-5", 11.25),
    ],
)
def test_a_million_tokens_in_and_out(provider: str, model: str, dollars: float) -> None:
    price = listed_price(provider, model)
    assert price is not None
    assert price.dollars(1_000_000, 1_000_000) == pytest.approx(dollars)


@pytest.mark.parametrize(
    "model", ["gpt-5-pro", "gpt-5.4", "gpt-4o-mini-audio-preview", "o9", "claude-haiku-4-5"]
)
def test_a_model_that_costs_something_else_is_not_guessed(model: str) -> None:
    assert listed_price("openai", model) is None
