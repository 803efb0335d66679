"""`winnow doctor`: is this machine ready, and if not, what to do."""

import json
from typing import Annotated

import typer

from winnow.cli.config_checks import config_findings
from winnow.cli.findings import Finding
from winnow.cli.machine_checks import machine_findings
from winnow.cli.place_checks import place_findings


def examine() -> list[Finding]:
    """All findings, in the order in which a person would fix them."""
    return [*machine_findings(), *place_findings(), *config_findings()]


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Check this machine: one line each, [ok] or [fix: what to do].

    Looks at Python, disk, cores, memory, both lake roots (S3: credentials and put-if-absent too), tokens
    (whether they are set; they are never printed), the port of the UI, the training extras, the sandbox, and
    the configuration that every run reads.
    Nothing is changed; a probe object written to an S3 root is deleted again.

    \b
    Exit code: 0 when nothing needs a fix, else 1.
    Example:
      winnow doctor
      winnow doctor --json | jq '.findings[] | select(.ok | not)'
    """
    findings = examine()
    ready = all(finding.ok for finding in findings)
    if as_json:
        typer.echo(json.dumps({"ready": ready, "findings": [f.as_dict() for f in findings]}))
    else:
        for finding in findings:
            typer.echo(finding.line())
    raise typer.Exit(0 if ready else 1)
