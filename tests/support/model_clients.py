"""Clients, requests and figures of calls for tests, with waits of milliseconds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from model_servers import ModelServer
from small_lake import lake_in

from winnow.lake.answers import CallLedger, StoredAnswers
from winnow.lake.lake import Lake
from winnow.lake.views import connect
from winnow.models.client import ModelClient
from winnow.models.client_config import ClientConfig
from winnow.models.reply import ModelReply, Outcome
from winnow.models.request import ModelRequest

KEY_ENV = "WINNOW_TEST_MODEL_KEY"
KEY = "sk-planted-0a1b2c3d4e5f6789"
PRICE = {"input": 1.0, "cached_input": 0.5, "output": 2.0}


def config(server: ModelServer, protocol: str, **settings: Any) -> ClientConfig:
    quick = {"backoff_seconds": 0.01, "timeout_seconds": 20.0, "attempts": 3}
    return ClientConfig.model_validate(
        {
            "model": f"{protocol}/m-1",
            "base_url": server.base_url(protocol),
            "api_key_env": KEY_ENV,
            "price": PRICE,
            **quick,
            **settings,
        }
    )


def client(server: ModelServer, protocol: str, lake: Lake | Path, **settings: Any) -> ModelClient:
    """A client that keeps its answers and records in a lake, or in a new one in a folder."""
    where = lake_in(lake) if isinstance(lake, Path) else lake
    return ModelClient(config(server, protocol, **settings), StoredAnswers(where), CallLedger(where))


def ask(prompt: str, **settings: Any) -> ModelRequest:
    sampling = settings.pop("sampling", {"max_tokens": 10})
    return ModelRequest(
        messages=[{"role": "user", "content": prompt}],  # type: ignore[arg-type]
        sampling=sampling,
        **settings,
    )


def asks(count: int, **settings: Any) -> list[ModelRequest]:
    return [ask(f"question {n}", **settings) for n in range(count)]


def texts(outcomes: Iterable[Outcome]) -> list[str]:
    """The text of each reply; the reason of each failure."""
    return [o.text if isinstance(o, ModelReply) else f"<{o.reason}>" for o in outcomes]


def calls(lake: Lake | Path) -> list[dict[str, Any]]:
    """The table model_calls as a reader sees it."""
    with connect(lake_in(lake) if isinstance(lake, Path) else lake) as sql:
        found = sql.execute("FROM model_calls ORDER BY called_at, call_id")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
