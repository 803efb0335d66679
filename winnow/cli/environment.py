"""What every command finds in its environment: .env read, telemetry off, places resolved."""

import os
from pathlib import Path

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

    The dagster.yaml comes from the current directory; one that is in place already stays.
    """
    home = Path(os.environ.get("DAGSTER_HOME") or "data/dagster").expanduser().absolute()
    home.mkdir(parents=True, exist_ok=True)
    settings, template = home / "dagster.yaml", Path("dagster.yaml")
    if not settings.exists() and template.is_file():
        settings.write_text(template.read_text(encoding="utf-8"), encoding="utf-8")
    os.environ["DAGSTER_HOME"] = str(home)
    return home
