"""Texts that are rich in what detectors look for, whole, broken, doubled and glued together."""

from hypothesis import strategies as st

VALUES = [
    "ann.lee@site.io",
    "bob@mail.example.com",
    "AKIAP3562GTSV3EKLLMT",
    "aws_secret_access_key=",
    '"SecretAccessKey": "',
    "fvMYrB52K/OYb3Yg6APZg225uX3NUF0RSrW/h2br",
    "ghp_4nOtGqFhsTitF9Cg2NGN64YRD9DnvMuRQPGC",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "MIIEowIBAAKCAQEA7bq3Vw9yZ1mJ4k2s8dQxTtR5uFfPzLhGcYvNnXoBaEeWiKjM\n",
    "-----END RSA PRIVATE KEY-----",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.k5HibI_uLn",
    "https://hooks.slack.com/services/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",
    "/home/alice/x",
    "C:\\Users\\ann\\x",
    "/Users/",
    "<EMAIL_ADDRESS>",
    "@",
    "\\",
    "\\n",
    '"',
    ".",
    " ",
    "\n",
    "\u00e9\U0001f600",
]
rich_texts = st.lists(st.one_of(st.sampled_from(VALUES), st.text(max_size=3)), max_size=8).map("".join)
rich_values = st.recursive(
    st.one_of(rich_texts, st.integers(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(rich_texts, inner, max_size=3)),
    max_leaves=6,
)
