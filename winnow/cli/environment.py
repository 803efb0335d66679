"""What every command finds in its environment: .env read, telemetry off, places resolved."""

import os
from pathlib import Path

from winnow.core.errors import ConfigError

TELEMETRY_OFF = {"HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}


def prepare_environment(directory: Path | None = None) -> None:
    """Fills `os.environ` from `.env` in `directory` (default: here); what is set already wins.

    Telemetry of the libraries is switched off for this process and its children; Dagster's is off in
    dagster.yaml.
    """
    path = (directory or Path.cwd()) / ".env"
    if path.is_file():
        from dotenv import dotenv_values

        for name, value in dotenv_values(path, interpolate=False).items():
            if value is not None:
                os.environ.setdefault(name, value)
    os.environ.update(TELEMETRY_OFF)


def cache_dir() -> Path:
    """`WINNOW_CACHE`, or ~/.cache/winnow; made for its owner only where it does not exist."""
    path = Path(os.environ.get("WINNOW_CACHE") or "~/.cache/winnow").expanduser()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def dagster_home() -> Path:
    """`DAGSTER_HOME`, or ./data/dagster: absolute, existing, with a dagster.yaml, and in the environment.

    The dagster.yaml is the one of this directory, else the one that is shipped, so that telemetry is off wherever the
    command runs. One that is in place already stays. Raises ConfigError when the folder cannot be made.
    """
    home = Path(os.environ.get("DAGSTER_HOME") or "data/dagster").expanduser().absolute()
    settings = home / "dagster.yaml"
    try:
        home.mkdir(parents=True, exist_ok=True)
        if not settings.exists():
            settings.write_text(_dagster_yaml().read_text(encoding="utf-8"), encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            f"DAGSTER_HOME={home} cannot be used ({error.strerror}). Set DAGSTER_HOME to a folder of your own"
        ) from None
    os.environ["DAGSTER_HOME"] = str(home)
    return home


def _dagster_yaml() -> Path:
    """The settings of this directory, else those shipped beside this module or at the root of its checkout."""
    if Path("dagster.yaml").is_file():
        return Path("dagster.yaml")
    shipped = Path(__file__).with_name("dagster.yaml")
    return shipped if shipped.is_file() else Path(__file__).parents[2] / "dagster.yaml"
