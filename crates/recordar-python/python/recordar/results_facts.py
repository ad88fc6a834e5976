"""The results of the verbs about facts and summaries."""

from __future__ import annotations

from datetime import datetime

from ._record import Record, Records


class Fact(Record):
    """A fact, and what it is at the time that was asked about: ``holds``, ``ended``, ``overruled``, ``retired`` or ``ahead``."""

    fact: int
    subject: str
    attribute: str
    value: str
    state: str
    since: datetime
    until: datetime | None
    replaced_by: int | None
    conflicts: list[int]
    several: bool
    method: str
    confidence: float
    source: int | None
    quote: str | None
    corrects: int | None
    unverified: str | None
    review_by: datetime | None
    recorded_at: datetime


class StoredFact(Record):
    """A fact or summary that was stored as it is, and is to be looked at again: ``source_changed``, ``source_retired`` or ``review_due``."""

    _columns = ("item", "text", "unverified", "sources")
    item: int
    kind: str
    text: str
    sources: list[int]
    unverified: str
    review_by: datetime | None
    recorded_at: datetime


class FactList(Record):
    """The facts of a space, by subject and attribute, and how many more there are. With ``unverified``, ``stored`` has facts and summaries that were
    stored as they are."""

    space: str
    facts: Records[Fact]
    stored: Records[StoredFact]
    more: int


class FactStep(Record):
    """A fact that a person ``retired``, ``restored`` or ``confirmed``."""

    fact: int
    step: str
    at: datetime


class FactHistory(Record):
    """All that was stated about a subject and an attribute, the newest first, and what people did about it."""

    space: str
    subject: str
    attribute: str
    facts: Records[Fact]
    steps: Records[FactStep]


class FactChanged(Record):
    """A fact that a person retired, restored or corrected, as it is now."""

    space: str
    operation: str
    revision: int
    fact: Fact
    changed: bool
    repeated: bool


class FactConfirmed(Record):
    """A fact or summary that a person confirmed, and when to look at it again."""

    space: str
    operation: str
    revision: int
    fact: int
    text: str
    review_by: datetime | None
    changed: bool
    repeated: bool


class ExtractReport(Record):
    """What reading stored messages again has found."""

    space: str
    operation: str
    messages: int
    facts: int
    queued: int


class ThreadSummary(Record):
    """A summary of old messages. ``messages`` are those that it sums up; ``message_tokens`` are theirs together."""

    summary: int
    text: str
    tokens: int
    messages: list[int]
    message_tokens: int
    thread: str | None
    from_: datetime
    to: datetime


class SummaryList(Record):
    """Summaries of old messages, as they were made."""

    space: str
    summaries: list[ThreadSummary]
    more: bool


class SummariesQueued(Record):
    """Whether the threads of a space were queued; if not, they already were."""

    space: str
    operation: str
    queued: bool
