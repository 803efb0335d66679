"""What the sanitizer looks for and what it does with it: `sanitize.yaml`."""

from dataclasses import replace
from ipaddress import ip_network

from pydantic import Field, SecretStr, field_validator

from winnow.core.config import ConfigModel
from winnow.core.errors import near_miss
from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.history import FiringConfig
from winnow.curation.sanitize.organisation import Organisation
from winnow.curation.sanitize.pii.ip_policy import Kind, of_kinds
from winnow.curation.sanitize.policy import Action
from winnow.curation.sanitize.pollution.internal import CATEGORIES, internal_detectors
from winnow.curation.sanitize.registry import DETECTORS

RULES = tuple(detector.rule for detector in DETECTORS)
NAMES = ("person", "address")
_WIDEST = {4: 8, 6: 16}
"""Shortest prefix of a network that may be allowed, by IP version."""


class Allowed(ConfigModel):
    """Values that are public on purpose: examples, tests, the organisation's own contact addresses."""

    values: tuple[str, ...] = Field(default=(), description="Exact values that are never touched.")
    email_domains: tuple[str, ...] = Field(
        default=(), description="Domains whose e-mail addresses stay, their subdomains too."
    )
    networks: tuple[str, ...] = Field(
        default=(), description="IP networks (CIDR) whose addresses stay, beside the reserved ones."
    )

    @field_validator("email_domains")
    @classmethod
    def _domains(cls, domains: tuple[str, ...]) -> tuple[str, ...]:
        for domain in domains:
            if domain != domain.strip("@. ") or "." not in domain:
                raise ValueError(f"{domain!r} is no domain; write it as site.org")
        return domains

    @field_validator("networks")
    @classmethod
    def _networks(cls, networks: tuple[str, ...]) -> tuple[str, ...]:
        for network in networks:
            try:
                parsed = ip_network(network)
            except ValueError as error:
                raise ValueError(f"{network!r} is no network in CIDR form ({error})") from None
            if parsed.prefixlen < _WIDEST[parsed.version]:
                raise ValueError(f"{network!r} would let nearly every address stay; give narrower networks")
        return networks


class SanitizeConfig(ConfigModel):
    """What to look for, what to do about it, and the key under which evidence is fingerprinted."""

    detectors: tuple[str, ...] = Field(
        default=RULES, description="Built-in rules to apply, as `category/detector`; by default all."
    )
    names: bool = Field(
        default=True, description="Whether persons and addresses are looked for in prose, by a model."
    )
    ip_kinds: tuple[Kind, ...] = Field(
        default=("public",), description="Which IP addresses are private data: public, private, loopback, ..."
    )
    policies: dict[str, Action] = Field(
        default={}, description="Category to drop, redact, pseudonymize or flag, where it is not the default."
    )
    organisation: Organisation = Field(
        default=Organisation(), description="What is internal to your organisation."
    )
    allow: Allowed = Field(default=Allowed(), description="What stays although a detector knows it.")
    max_row_characters: int = Field(
        default=8_000_000, ge=1_000, description="A row with more text is parked, not scanned."
    )
    max_name_characters: int = Field(
        default=400_000, ge=1_000, description="A row with more prose that may hold names is parked."
    )
    firing: FiringConfig = Field(
        default=FiringConfig(), description="When a category is said to fire far above its history."
    )
    fingerprint_key: SecretStr | None = Field(
        default=None, description="Key of the HMAC over what was found; without one there is no fingerprint."
    )

    @field_validator("detectors")
    @classmethod
    def _known(cls, detectors: tuple[str, ...]) -> tuple[str, ...]:
        for rule in detectors:
            if rule not in RULES:
                known = ", ".join(RULES)
                raise ValueError(f"No detector is called {rule!r}.{near_miss(rule, RULES)} Known: {known}")
        return detectors

    @field_validator("policies")
    @classmethod
    def _categories(cls, policies: dict[str, Action]) -> dict[str, Action]:
        known = sorted({detector.category for detector in DETECTORS} | set(CATEGORIES) | set(NAMES))
        for category in policies:
            if category not in known:
                raise ValueError(
                    f"No category is called {category!r}.{near_miss(category, known)} Known: {', '.join(known)}"
                )
        return policies

    def chosen(self) -> tuple[Detector, ...]:
        """The detectors that run: the built-in ones that were not left out, and the organisation's own."""
        asked = tuple(self._asked(d) for d in DETECTORS if d.rule in self.detectors)
        return (*asked, *internal_detectors(self.organisation))

    def _asked(self, detector: Detector) -> Detector:
        if detector.category != "ip_address":
            return detector
        return replace(detector, accept=of_kinds(self.ip_kinds))
