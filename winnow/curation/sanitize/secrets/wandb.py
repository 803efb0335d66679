"""Keys of Weights & Biases that carry a prefix; the older ones are found by name."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

WANDB_KEY = known_shape(
    "wandb_key",
    ("wandb_v1_",),
    r"wandb_v1_[A-Za-z0-9_-]{70,90}",
)
