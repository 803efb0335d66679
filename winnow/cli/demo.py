"""`winnow demo`: the main job from sources to registry, in this process."""

import sys
import time
from typing import Annotated

import typer

from winnow.cli.environment import dagster_home


def demo(
    profile: Annotated[
        str,
        typer.Option(help="`default`: real data and SmolLM2-135M; `tiny`: the whole loop within a minute."),
    ] = "default",
    train: Annotated[bool, typer.Option(help="Train, evaluate and register, or stop at the release.")] = True,
) -> None:
    """Run the whole loop: sources, curated release, checkpoint, evaluation, gate, registry.

    Steps that are done already are skipped, so a run that was stopped goes on. A lake that no demo made is
    left alone.

    \b
    Example:
      winnow demo --profile tiny
    """
    from assets.demo import Demo, claim, enter
    from assets.demo import profile as chosen
    from winnow.cli.screen import last_screen
    from winnow.lake.lake import Lake

    enter(chosen(profile))
    dagster_home()
    lake = Lake.open()
    claim(lake, profile)
    began = time.monotonic()
    Demo(typer.echo, train).run()
    sys.stdout.flush()
    typer.echo(last_screen(lake, time.monotonic() - began))
