"""Runs code that nobody trusts: `Sandbox.run` gives a `Result`, `unavailable` says why no box starts here."""

from winnow.sandbox.box import Box, Sandbox, unavailable
from winnow.sandbox.machine import SandboxUnavailable
from winnow.sandbox.result import Job, Limits, Result

__all__ = ["Box", "Job", "Limits", "Result", "Sandbox", "SandboxUnavailable", "unavailable"]
