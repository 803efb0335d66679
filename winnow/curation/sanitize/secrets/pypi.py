"""Upload tokens of PyPI and its test instance: a macaroon whose first bytes name the index."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

PYPI_TOKEN = known_shape(
    "pypi_token",
    ("pypi-AgE",),
    r"pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[A-Za-z0-9_-]{50,1000}",
)
