"""Which field of a record holds what."""

from typing import Annotated

from pydantic import StringConstraints

from winnow.core.config import ConfigModel

FieldName = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class FieldMap(ConfigModel):
    """Top-level field names of a JSON record, for the four things that make a row."""

    text: FieldName = "text"
    messages: FieldName = "messages"
    tools: FieldName = "tools"
    language: FieldName = "language"
