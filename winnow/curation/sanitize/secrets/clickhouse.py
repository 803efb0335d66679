"""Keys of ClickHouse Cloud."""

from winnow.curation.sanitize.secrets.known_shape import known_shape, with_digits

CLICKHOUSE_KEY = known_shape(
    "clickhouse_key",
    ("4b1d",),
    r"(?<![A-Za-z0-9+/_-])4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9+/_-])",
    accept=with_digits,
)
