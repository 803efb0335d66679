"""The base model in the job file of a child: where it lies, and what it is."""

from winnow.core.config import ConfigModel


class BaseRef(ConfigModel):
    """A model on disk; `template` is the path of its chat template, hashes are SHA-256 of contents."""

    spec: str
    path: str
    template: str
    weights_hash: str
    tokenizer_hash: str
    template_hash: str
