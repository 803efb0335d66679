"""A program that pays for calls: `python paying_run.py ADDRESS PROTOCOL COUNT`, its lake and key from the environment."""

from __future__ import annotations

import sys

from model_clients import KEY_ENV, PRICE, asks

from winnow.lake.answers import CallLedger, StoredAnswers
from winnow.lake.lake import Lake
from winnow.models.client import ModelClient
from winnow.models.client_config import ClientConfig


def main(address: str, protocol: str, count: str) -> None:
    lake = Lake.open()
    config = ClientConfig.model_validate(
        {"model": f"{protocol}/m-1", "base_url": address, "api_key_env": KEY_ENV, "price": PRICE}
    )
    run = ModelClient(config, StoredAnswers(lake), CallLedger(lake)).complete_many(asks(int(count)), "kill")
    for outcome in run:
        sys.stdout.write(f"{outcome.request_hash}\n")
        sys.stdout.flush()
    sys.stdout.write(run.summary() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
