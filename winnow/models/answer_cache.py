"""Answers by the whole request: found again for nothing, and durable before anybody sees them."""

import hashlib
from collections.abc import Mapping

from pydantic import ValidationError

from winnow.core.config import ConfigModel
from winnow.core.errors import DataError
from winnow.core.identity import canonical
from winnow.models.answer_store import AnswerStore, CallRecord
from winnow.models.reply import ModelReply
from winnow.models.request import ModelRequest

_FORM = 1
"""Moves when a request of equal fields would be sent otherwise than before."""


class Kept(ConfigModel):
    """What is stored of a call: the reply, and its record, so that a table written too late is made good."""

    reply: ModelReply
    call: CallRecord


class AnswerCache:
    """The answers of one model in a store. Beside an answer under way lies a note that it was asked for."""

    def __init__(self, store: AnswerStore, asked: Mapping[str, str]) -> None:
        """`asked` says which model at which address; it counts in every hash."""
        self._store, self._asked = store, canonical([_FORM, asked])

    def name(self, request: ModelRequest) -> str:
        """32 hex digits of model, address and everything asked, under the store's secret. No API key counts."""
        keyed = hashlib.blake2b(self._asked + request.encoded(), digest_size=16, key=self._store.secret)
        return keyed.hexdigest()

    def find(self, name: str) -> Kept | None:
        """The stored answer. Raises DataError for one that was altered."""
        data = self._store.get(f"{name}.json")
        if data is None:
            return None
        try:
            return Kept.model_validate_json(data)
        except ValidationError:
            raise DataError(
                f"the stored answer {name} cannot be read. Remove it from the restricted zone to pay for it again."
            ) from None

    def begin(self, name: str) -> bool:
        """Notes that a call is about to be sent; False when an earlier run noted it and no answer came."""
        return self._store.put_if_absent(f"{name}.sent", b"")

    def give_up(self, name: str) -> None:
        """Removes the note of a call that was certainly not paid."""
        self._store.remove(f"{name}.sent")

    def keep(self, kept: Kept) -> Kept:
        """Stores an answer; returns the one that is stored, which is another's where that came first."""
        name = kept.reply.request_hash
        mine = self._store.put_if_absent(f"{name}.json", kept.model_dump_json().encode())
        self._store.remove(f"{name}.sent")
        return kept if mine else (self.find(name) or kept)
