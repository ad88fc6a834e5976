"""Results about records: named values that applications keep."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from datetime import datetime

from ._record import Record, Records, records_table


class StoredRecord(Record):
    """A named value of an application: ``text``, or ``base64`` if it is not text. ``size`` is in bytes."""

    _columns = ("bucket", "key", "size", "recorded_at")
    bucket: str
    key: str
    text: str | None
    base64: str | None
    size: int
    recorded_at: datetime

    @property
    def value(self) -> bytes | None:
        """The value as bytes; None if it was not asked for, or if redaction left it out."""
        if self.text is not None:
            return self.text.encode()
        return None if self.base64 is None else b64decode(self.base64)


class RecordList(Record):
    """A page of records. ``next`` is the ``offset`` of the next page, if there is one."""

    space: str
    records: Records[StoredRecord]
    next: int | None

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[StoredRecord]:
        return iter(self.records)

    def __bool__(self) -> bool:
        return bool(self.records)

    def _repr_html_(self) -> str:
        return records_table(self.records)


class Bucket(Record):
    """A bucket, and how many records it has."""

    bucket: str
    records: int


class BucketList(Record):
    """A page of buckets. ``next`` is the ``offset`` of the next page, if there is one."""

    space: str
    buckets: Records[Bucket]
    next: int | None

    def __len__(self) -> int:
        return len(self.buckets)

    def __iter__(self) -> Iterator[Bucket]:
        return iter(self.buckets)

    def __bool__(self) -> bool:
        return bool(self.buckets)

    def _repr_html_(self) -> str:
        return records_table(self.buckets)


class RecordsPut(Record):
    """How many records were stored and deleted. ``unchanged`` had this value already, or were to be kept."""

    space: str
    operation: str
    stored: int
    unchanged: int
    deleted: int
    repeated: bool


class RecordsDeleted(Record):
    """How many records were deleted."""

    space: str
    operation: str
    deleted: int
    repeated: bool
