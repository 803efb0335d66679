"""Personal keys of PostHog."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

POSTHOG_KEY = known_shape(
    "posthog_key",
    ("phx_",),
    START + r"phx_[A-Za-z0-9]{40,60}",
    least=12,
)
