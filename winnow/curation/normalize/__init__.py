"""Raw records into conversations: `Normalize` is the stage, `FieldMap` names the fields of a record."""

from winnow.curation.normalize.fields import FieldMap
from winnow.curation.normalize.stage import Normalize

__all__ = ["FieldMap", "Normalize"]
