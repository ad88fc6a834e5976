"""What other frameworks gave as a message, kept beside the text that is searched, so that it comes back exactly as it was.

A small original is a part of the message's metadata. A large one, or one that metadata cannot hold exactly, is a record.
"""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from ._client import Id, Recordar
from .errors import NotFoundError
from .results import StoredMessage

_MAX_TEXT_BYTES = 1024 * 1024
_MAX_METADATA_BYTES = 32 * 1024
_MAX_DEPTH = 16
_MAX_INTEGER = 2**63
_RECORD = "recordar_record"


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
            if not _fits(original):
                key = str(uuid.uuid4())
                records.append({"bucket": self._bucket, "key": key, "value": json.dumps(original)})
                original = {_RECORD: key}
            stored.append({**message, "metadata": {self._name: original}})
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
                values |= {record.key: json.loads(record.text) for record in page if record.text is not None}
                if page.next is None:
                    break
                offset = page.next
        return [original if (key := _key(original)) is None else values.get(key) for original in found]

    def forget(self, message: StoredMessage) -> bool:
        """Deletes one message for good. False if another call has done so."""
        try:
            self.memory.forget(items=[message.item_id], **self.where)
        except NotFoundError:
            return False
        key = _key((message.metadata or {}).get(self._name))
        if key is not None:
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
    text = "\n".join(part for part in parts if part.strip())
    text = (text if text.strip() else otherwise).replace("\0", " ")
    encoded = text.encode(errors="replace")
    return encoded[:_MAX_TEXT_BYTES].decode(errors="ignore") if len(encoded) > _MAX_TEXT_BYTES else text


def _key(original: Any) -> str | None:
    key = original.get(_RECORD) if isinstance(original, dict) else None
    return key if isinstance(key, str) else None


def _fits(original: Any) -> bool:
    return _is_plain(original, 0) and _key(original) is None and len(json.dumps(original)) <= _MAX_METADATA_BYTES


def _is_plain(value: Any, depth: int) -> bool:
    """Whether metadata keeps it exactly."""
    if isinstance(value, dict):
        return depth < _MAX_DEPTH and all(isinstance(key, str) and _is_plain(inner, depth + 1) for key, inner in value.items())
    if isinstance(value, list):
        return depth < _MAX_DEPTH and all(_is_plain(inner, depth + 1) for inner in value)
    if isinstance(value, int):
        return -_MAX_INTEGER <= value < _MAX_INTEGER
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or (isinstance(value, str) and "\0" not in value)


_BATCH = 100
_PAGE = 1000
