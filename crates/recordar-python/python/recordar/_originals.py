"""What other frameworks gave as a message, kept beside the text that is searched, so that it comes back exactly as it was.

An original is JSON text in the message's metadata; a large one is a record. Older messages have an object there.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from ._client import Id, Recordar
from .errors import NotFoundError
from .results import StoredMessage

_MAX_TEXT_BYTES = 1024 * 1024
_MAX_METADATA_BYTES = 32 * 1024
# A record that the metadata of a message name as its own is forgotten with the message.
_RECORD, _BUCKET = "recordar_record", "recordar_bucket"


class Originals:
    """The messages of a thread, as a framework gave them. ``name`` is the field of the metadata, and begins the names of buckets."""

    def __init__(self, memory: Recordar, name: str, thread: Id, space: str | None, user_id: Id | None) -> None:
        self.memory = memory
        self.where: dict[str, Any] = {"space": space, "user_id": user_id}
        self.thread = thread
        self._name = name
        self._bucket = f"{name}/{quote(str(thread), safe='')}"

    def add(self, messages: Sequence[tuple[dict[str, Any], Any]]) -> None:
        """Stores messages, each with its original, which is JSON. The records come first: nothing refers to a missing one."""
        stored, records = [], []
        for message, original in messages:
            kept: Any = json.dumps(original)
            if len(kept) > _MAX_METADATA_BYTES:
                key = str(uuid.uuid4())
                records.append({"bucket": self._bucket, "key": key, "value": kept})
                kept = {_RECORD: key, _BUCKET: self._bucket}
            stored.append({**message, "metadata": {self._name: kept}})
        for start in range(0, len(records), _BATCH):
            self.memory.put_records(records[start : start + _BATCH], **self.where)
        if stored:
            self.memory.remember(stored, thread=self.thread, **self.where)

    def messages(self) -> list[StoredMessage]:
        try:
            return list(self.memory.messages(self.thread, **self.where))
        except NotFoundError:
            return []

    def originals(self, messages: Sequence[StoredMessage]) -> list[Any]:
        """The original of each message; None if it was stored by others."""
        found = [(message.metadata or {}).get(self._name) for message in messages]
        keys = [key for original in found if (key := _key(original)) is not None]
        values: dict[str, Any] = {}
        for start in range(0, len(keys), _PAGE):
            part, offset = keys[start : start + _PAGE], 0
            while True:
                page = self.memory.records(self._bucket, keys=part, offset=offset, limit=_PAGE, **self.where)
                values |= {record.key: _read(record.text) for record in page}
                if page.next is None:
                    break
                offset = page.next
        return [_read(original) if (key := _key(original)) is None else values.get(key) for original in found]

    def forget(self, message: StoredMessage) -> bool:
        """Deletes one message for good. False if another call has done so."""
        try:
            self.memory.forget(items=[message.item_id], **self.where)
        except NotFoundError:
            return False
        original = (message.metadata or {}).get(self._name)
        key = _key(original)
        if key is not None and isinstance(original, dict) and _BUCKET not in original:
            # Older messages do not name the bucket.
            self.memory.delete_records(self._bucket, keys=[key], **self.where)
        return True

    def clear(self) -> None:
        """Deletes all of them for good."""
        try:
            self.memory.forget(thread=self.thread, **self.where)
        except NotFoundError:
            pass
        if self._has_records():
            self.memory.delete_records(self._bucket, **self.where)

    def _has_records(self) -> bool:
        try:
            return bool(self.memory.buckets(prefix=self._bucket, limit=1, **self.where))
        except NotFoundError:
            return False


def text_of(parts: Iterable[str], otherwise: str) -> str:
    """A text that can be stored: not empty, without NUL, and not too long."""
    text = "\n".join(part for part in parts if part.strip()).replace("\0", " ")
    text = text if text.strip() else otherwise.replace("\0", " ")
    return text.encode(errors="replace")[:_MAX_TEXT_BYTES].decode(errors="ignore")


def _key(original: Any) -> str | None:
    key = original.get(_RECORD) if isinstance(original, dict) else None
    return key if isinstance(key, str) else None


def _read(original: Any) -> Any:
    try:
        return json.loads(original) if isinstance(original, str) else original
    except ValueError:
        # Redaction has changed it.
        return None


_BATCH = 100
_PAGE = 1000
