"""What a call costs: the list that is shipped, or the price that the configuration gives."""

from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from pydantic import Field

from winnow.core.config import ConfigModel, load_model

PRICES = Path(__file__).with_name("prices.yaml")
_OVERHEAD = 2048
"""Tokens that a chat template and a server's own words on tools may add to what was sent."""
_PER_MESSAGE = 16


class LongPrice(ConfigModel):
    """Dollars per million tokens of a request whose prompt has more than `over` tokens."""

    over: int = Field(ge=1)
    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)


class Price(ConfigModel):
    """Dollars per million tokens; cached input costs as much as other input where no price is given for it."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)
    long: LongPrice | None = None

    def dollars(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        """The cost of a call; `tokens_cached` are part of `tokens_in`, whatever a server says.

        >>> Price(input=3.0, output=15.0, cached_input=0.3).dollars(1_000_000, 1_000_000, 500_000)
        16.65
        """
        at = self.long if self.long is not None and tokens_in > self.long.over else self
        cached_at = at.input if at.cached_input is None else at.cached_input
        cached = min(tokens_cached, tokens_in)
        whole = (tokens_in - cached) * at.input + cached * cached_at + tokens_out * at.output
        return round(whole / 1e6, 12)

    def worst(self, prompt_bytes: int, messages: int, max_tokens: int) -> float:
        """The most that a call can cost: a token a byte of the prompt, none cached, as long as allowed.

        It holds for byte-level tokenizers, of which none makes more tokens than there are bytes.
        """
        tokens_in = prompt_bytes + _PER_MESSAGE * messages + _OVERHEAD
        long = Price(input=self.long.input, output=self.long.output) if self.long else self
        return max(Price(input=p.input, output=p.output).dollars(tokens_in, max_tokens) for p in (self, long))


class _Listed(Price):
    model: str


class _List(ConfigModel):
    provider: str
    as_of: str
    source: str
    models: tuple[_Listed, ...]


class _Lists(ConfigModel):
    lists: tuple[_List, ...]


@cache
def price_lists() -> tuple[_List, ...]:
    """The lists that are shipped, a provider each, with the page and the day that they were taken from."""
    return load_model(_Lists, PRICES).lists


def listed_price(provider: str, model: str) -> Price | None:
    """The price of a model at its provider's own address, or None where no list has it."""
    for listed in price_lists():
        for entry in listed.models:
            if listed.provider == provider and fnmatchcase(model, entry.model):
                return Price.model_validate(entry.model_dump(exclude={"model"}))
    return None
