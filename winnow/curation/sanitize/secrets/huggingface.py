"""Tokens of Hugging Face, of users and of organisations; an identifier that begins with `hf_` reads like words."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape, unlike_words

HUGGINGFACE_TOKEN = known_shape(
    "huggingface_token",
    ("hf_", "api_org_"),
    START + r"(?:hf|api_org)_[A-Za-z0-9]{34}",
    accept=unlike_words,
)
