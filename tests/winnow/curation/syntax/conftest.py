from collections.abc import Callable, Iterator

import pytest

from winnow.curation.syntax import SyntaxReader

Shown = list[tuple[str, str]]


@pytest.fixture(scope="session")
def reader() -> Iterator[SyntaxReader]:
    with SyntaxReader() as opened:
        yield opened


@pytest.fixture(scope="session")
def shown(reader: SyntaxReader) -> Callable[..., Shown]:
    """Kind and text of each region of a text that is read without a problem."""

    def show(text: str, language: str | None = None) -> Shown:
        regions = reader.regions(text, language, "file" if language else "chat")
        assert regions.problem is None
        return [(region.kind, text[region.start : region.end]) for region in regions.spans]

    return show
