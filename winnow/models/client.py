"""One way to call models, wherever they run: Anthropic, an OpenAI-compatible server, or a local checkpoint."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from winnow.core.config import load_model
from winnow.core.errors import ConfigError
from winnow.models.answer_cache import AnswerCache
from winnow.models.answer_store import AnswerStore, Ledger, NoLedger
from winnow.models.budget import Budget
from winnow.models.call_log import CallLog, Tally
from winnow.models.call_run import HostedRun
from winnow.models.client_config import ClientConfig
from winnow.models.hosted import require_hosted
from winnow.models.local_run import LocalRun, open_local
from winnow.models.reply import Outcome
from winnow.models.request import ModelRequest


class Completions(Iterator[Outcome]):
    """Outcomes in input order. Once it is used up, `summary` says what is done, what is not, and what to raise."""

    def __init__(self, outcomes: Iterator[Outcome], log: CallLog, budget: Budget) -> None:
        self._outcomes, self._log, self._budget = outcomes, log, budget

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Outcome:
        return next(self._outcomes)

    def close(self) -> None:
        """Starts no further call, lets those under way end, and keeps their answers."""
        self._outcomes.close()  # type: ignore[attr-defined]  # a generator

    @property
    def tally(self) -> Tally:
        return self._log.tally

    def summary(self) -> str:
        """One line for a person."""
        return summary(self.tally, self._budget)


class ModelClient:
    """Calls one model. Every answer is stored before it is handed on, so a rerun pays only for what is missing.

    A request that fails gives a CallFailure in its place and costs no other its reply. No call starts that could
    break the budget; calls under way end and are kept. Equal requests of one run are one call.

    Raises ConfigError for a key that is not set, a model without a known price, and a package that is missing.
    """

    def __init__(
        self,
        config: ClientConfig,
        store: AnswerStore,
        ledger: Ledger | None = None,
        budget: Budget | None = None,
    ) -> None:
        """`budget` is shared with other clients of the same run; by default this one has its own."""
        self.config, self.budget = config, budget or Budget(config.budget)
        self._price = config.priced()
        self._ledger = ledger or NoLedger()
        self._local = open_local(config) if config.spec.provider == "local" else None
        if self._local is None:
            require_hosted(config)
        self.model = self._local.label if self._local else config.spec.name
        asked = {
            "provider": config.spec.provider,
            "base_url": config.address,
            "model": self._local.identity if self._local else config.spec.name,
        }
        self._cache = AnswerCache(store, asked)

    @classmethod
    def from_yaml(cls, path: Path, store: AnswerStore, ledger: Ledger | None = None) -> Self:
        """A client as a file configures it. Raises ConfigError with all faults of the file at once."""
        return cls(load_model(ClientConfig, path), store, ledger)

    def complete_many(self, requests: Iterable[ModelRequest], purpose: str) -> Completions:
        """An outcome for each request, in order, as they come; `purpose` names the use in `model_calls`.

        Raises RunError, while it is iterated, when an answer cannot be stored.
        """
        if not purpose.strip():
            raise ConfigError("a call needs a purpose: name what it is for, such as `judge`")
        log = CallLog(self._ledger, self.config.spec.provider, self.model, purpose)
        if self._local is not None:
            run: HostedRun | LocalRun = LocalRun(self._local, self.config, self._cache, self.budget, log)
        else:
            run = HostedRun(self.config, self._price, self._cache, self.budget, log)
        return Completions(run.outcomes(requests), log, self.budget)

    def complete(self, request: ModelRequest, purpose: str) -> Outcome:
        """The outcome of one request."""
        (outcome,) = self.complete_many([request], purpose)
        return outcome


def summary(tally: Tally, budget: Budget) -> str:
    """What is done, what is not, and which setting to raise.

    >>> from winnow.models.client_config import BudgetConfig
    >>> summary(Tally(answered=2, from_cache=1, dollars=0.5), Budget(BudgetConfig()))
    '2 answered for $0.5000, 1 from the cache'
    """
    parts = [f"{tally.answered} answered for ${tally.dollars:.4f}", f"{tally.from_cache} from the cache"]
    parts += [f"{count} failed ({reason})" for reason, count in sorted(tally.failed.items())]
    if tally.dollars_at_risk:
        parts.append(f"attempts without an answer may have cost up to ${tally.dollars_at_risk:.4f} more")
    if tally.resent:
        parts.append(f"{tally.resent} sent again that an earlier run had sent without learning the answer")
    if not tally.not_run:
        return ", ".join(parts)
    parts.append(f"{sum(tally.not_run.values())} not run")
    return ", ".join(parts) + f". {_remedy(tally, budget)}"


def _remedy(tally: Tally, budget: Budget) -> str:
    if tally.not_run["dollars"]:
        return (
            "What is done is kept: run again with `budget.dollars` of at least "
            f"{tally.not_run_worst:.4f} to be sure of the rest."
        )
    if tally.not_run["minutes"]:
        left = sum(tally.not_run.values()) * budget.elapsed / max(tally.answered, 1) / 60
        return f"What is done is kept: run again with `budget.minutes` of about {left:.1f} for the rest."
    return "What is done is kept: run again for the rest."
