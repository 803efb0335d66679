"""Access tokens of Databricks."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

DATABRICKS_TOKEN = known_shape(
    "databricks_token",
    ("dapi",),
    r"(?<![A-Za-z0-9_])dapi[0-9a-f]{32}(?:-[0-9])?",
)
