"""Tokens of HashiCorp: Vault (service, batch, recovery, and the short old form) and Terraform Cloud."""

from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape

VAULT_TOKEN = known_shape(
    "vault_token",
    ("hvs.", "hvb.", "hvr."),
    r"hv[sbr]\.[A-Za-z0-9_-]{24,300}",
)
VAULT_OLD_TOKEN = known_shape(
    "vault_old_token",
    (),
    r"(?<![A-Za-z0-9_.$-])[sbr]\.[A-Za-z0-9]{24}(?![A-Za-z0-9_.(\[-])",
    accept=drawn,
    trigger=r"[sbr]\.[A-Za-z0-9]{24}",
    confidence=0.9,
)
TERRAFORM_TOKEN = known_shape(
    "terraform_token",
    (".atlasv1.",),
    r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}",
)
