"""Checks of the places that a lake uses: both roots, the tokens that reach them, and Dagster's home."""

import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from winnow.cli.findings import Finding
from winnow.core.errors import WinnowError

if TYPE_CHECKING:
    from winnow.lake.settings import LakeSettings, ZoneSettings

DISK_NEEDED = 5 * 10**9
TOKENS = {
    "HF_TOKEN": "sources on the Hugging Face hub",
    "ANTHROPIC_API_KEY": "calls of Claude models",
    "OPENAI_API_KEY": "calls of OpenAI's models",
}


def place_findings(environment: Mapping[str, str] = os.environ) -> list[Finding]:
    from winnow.lake.settings import LakeSettings

    try:
        settings = LakeSettings.from_env(environment)
    except WinnowError as error:
        return [Finding("lake roots", "not usable", str(error)), *token_findings(environment)]
    zones = [settings.open, settings.restricted]
    return [
        *(disk_finding(zone) for zone in zones),
        *(reach_finding(zone, settings) for zone in zones),
        mode_finding(settings.restricted),
        *key_findings(settings),
        *token_findings(environment),
        home_finding(environment),
    ]


def disk_finding(zone: "ZoneSettings") -> Finding:
    name = f"{zone.name} root, disk"
    if zone.is_s3:
        return Finding(name, "on S3")
    free = shutil.disk_usage(nearest_directory(Path(zone.root))).free
    fix = f"free {DISK_NEEDED / 1e9:.0f} GB there, or set {_variable(zone)} to a larger disk"
    return Finding(name, f"{free / 1e9:.1f} GB free at {zone.root}", fix if free < DISK_NEEDED else None)


def nearest_directory(path: Path) -> Path:
    """The path, or the nearest parent of it that exists."""
    return next(place for place in (path, *path.parents) if place.exists())


def reach_finding(zone: "ZoneSettings", settings: "LakeSettings") -> Finding:
    """Whether the root can be written and, in the same breath, whether it honours put-if-absent.

    A directory that does not exist yet is not made; whether it could be is looked up at its nearest parent.
    """
    name = f"{zone.name} root"
    if not zone.is_s3 and not Path(zone.root).exists():
        parent = nearest_directory(Path(zone.root))
        if os.access(parent, os.W_OK | os.X_OK):
            return Finding(name, f"{zone.root} will be made on first use")
        return Finding(
            name, f"{parent} cannot be written", f"set {_variable(zone)} to a directory of your own"
        )
    from winnow.lake.lake import Lake
    from winnow.lake.probe import check_zone, put_if_absent

    opened = Lake(settings).zone(zone.name)
    try:
        check_zone(opened)
        exclusive = put_if_absent(opened)
    except WinnowError as error:
        return Finding(name, "cannot be used", str(error))
    if exclusive:
        return Finding(name, f"{zone.root} can be written and honours put-if-absent")
    if settings.single_writer:
        return Finding(name, f"{zone.root} does not honour put-if-absent; LAKE_SINGLE_WRITER=1 is set")
    fix = "use a store with conditional writes, or set LAKE_SINGLE_WRITER=1 and let nothing else write"
    return Finding(name, f"{zone.root} does not honour put-if-absent", fix)


def mode_finding(zone: "ZoneSettings") -> Finding:
    """Whether only its owner can look into the restricted root."""
    name, root = "restricted root, mode", Path(zone.root)
    if zone.is_s3:
        return Finding(name, "on S3: who may read it is up to the bucket's policy")
    if not root.exists():
        return Finding(name, "will be 0700")
    mode = stat.S_IMODE(root.stat().st_mode)
    return Finding(name, f"{mode:04o}", None if mode == 0o700 else f"chmod 700 {root}")


def key_findings(settings: "LakeSettings") -> list[Finding]:
    """Whether the S3 credentials of each root are set; nothing for a lake on disk."""
    findings = []
    for zone in (settings.open, settings.restricted):
        if not zone.is_s3:
            continue
        wanted = {"access_key": zone.access_key, "secret_key": zone.secret_key}
        names = {field: zone.env.get(field, field) for field in wanted}
        missing = [names[field] for field, value in wanted.items() if not value]
        seen = f"{', '.join(missing)} not set" if missing else f"{', '.join(names.values())} set"
        fix = f"set {' and '.join(missing)} in .env" if missing else None
        findings.append(Finding(f"{zone.name} root, credentials", seen, fix))
    return findings


def token_findings(environment: Mapping[str, str]) -> list[Finding]:
    """Whether each optional token is set. Its value is never looked at."""
    return [
        Finding(name, "set" if environment.get(name) else f"not set; only needed for {purpose}")
        for name, purpose in TOKENS.items()
    ]


def home_finding(environment: Mapping[str, str]) -> Finding:
    """Dagster refuses a relative home, and without a dagster.yaml in it sends telemetry."""
    value = environment.get("DAGSTER_HOME")
    if not value:
        return Finding("DAGSTER_HOME", "not set; ./data/dagster is used")
    home = Path(value)
    if not home.is_absolute():
        return Finding("DAGSTER_HOME", value, f"write the whole path: DAGSTER_HOME={home.absolute()}")
    if home.exists() and not (home / "dagster.yaml").exists():
        return Finding("DAGSTER_HOME", f"{home} has no dagster.yaml", f"cp dagster.yaml {home}/")
    return Finding("DAGSTER_HOME", str(home))


def _variable(zone: "ZoneSettings") -> str:
    return zone.setting.partition("=")[0]
