"""Who opened the restricted zone, when and why: one small object a use, kept in that zone."""

import getpass
import json
from datetime import UTC, datetime

from winnow.core.errors import ConfigError
from winnow.lake.lake import Lake
from winnow.lake.names import new_nonce

FOLDER = "access"


def record_access(lake: Lake, what: str, why: str | None, who: str | None = None) -> str:
    """Writes down one use of the restricted zone before it happens; returns the path of the record.

    `who` defaults to the user of this process. A record is one line of JSON in an object of its own, because
    a bucket cannot append. Raises ConfigError without a reason.
    """
    if not why or not why.strip():
        raise ConfigError("Text that is not sanitized is opened only for a reason. Give one: --reason TEXT.")
    now = datetime.now(UTC)
    line = {"at": now.isoformat(), "who": who or getpass.getuser(), "what": what, "why": why.strip()}
    path = f"{FOLDER}/{now:%Y%m%dT%H%M%S}-{new_nonce()}.access.jsonl"
    lake.zone("restricted").put(path, json.dumps(line, ensure_ascii=False).encode() + b"\n")
    return path


def access_records(lake: Lake) -> list[dict[str, str]]:
    """Every recorded use, oldest first."""
    zone = lake.zone("restricted")
    found = [json.loads(line) for e in zone.list(FOLDER) for line in zone.read_bytes(e.path).splitlines()]
    return sorted(found, key=lambda record: str(record["at"]))
