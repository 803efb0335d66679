"""Access tokens of Docker Hub, personal and of organisations."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

DOCKER_TOKEN = known_shape(
    "docker_token",
    ("dckr_pat_", "dckr_oat_"),
    r"dckr_[po]at_[A-Za-z0-9_-]{20,64}",
)
SWARM_TOKEN = known_shape(
    "docker_swarm_token",
    ("SWMTKN-1-",),
    r"SWMTKN-1-[0-9a-z]{50}-[0-9a-z]{25}",
)
