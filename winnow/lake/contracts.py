"""The contract of a table by its name, found among all that `schemas` declares."""

import importlib
import pkgutil
from functools import cache

import schemas
from schemas.contract import Contract
from schemas.verdicts import verdicts_contract
from winnow.core.errors import ConfigError, near_miss

_VERDICTS = "verdicts_"


@cache
def declared() -> dict[str, Contract]:
    """Every contract declared in a module of `schemas`, by table name."""
    found: dict[str, Contract] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(schemas.__path__, "schemas.")):
        for value in vars(importlib.import_module(module)).values():
            if isinstance(value, Contract):
                found[value.table] = value
    return found


def contract_of(table: str) -> Contract:
    """The contract of a table, `verdicts_<stage>` included. Raises ConfigError when none is declared."""
    if table in declared():
        return declared()[table]
    if table.startswith(_VERDICTS) and table.removeprefix(_VERDICTS).isidentifier():
        return verdicts_contract(table.removeprefix(_VERDICTS))
    raise ConfigError(f"No table `{table}` is declared in schemas/.{near_miss(table, declared())}")
