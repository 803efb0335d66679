"""How a name and its value stand together in code, configuration and on command lines."""

ASSIGNS = r"""["'\])}\\]{0,4}[ \t]{0,4}(?::=|=>|->|::|[:=,(]|[ \t])[ \t]{0,4}["'\\]{0,3}"""
"""What may stand between a name and its value, quotes included: `name = "`, `"name": "`, `name("`, `--name `."""


def either_case(word: str) -> str:
    """A regular expression for an ASCII word in any case.

    Case-insensitive groups differ between engines (`k` matches the Kelvin sign in some), classes do not.

    >>> either_case("key_1")
    '[Kk][Ee][Yy]_1'
    """
    return "".join(f"[{c.upper()}{c.lower()}]" if c.isalpha() else c for c in word)
