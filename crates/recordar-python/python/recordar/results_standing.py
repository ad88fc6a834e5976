"""The results of the verbs about standing texts, and about what is important."""

from __future__ import annotations

from datetime import datetime

from ._record import Record, Records


class StandingText(Record):
    """A standing text of a space: ``rules``, ``project`` or ``synonyms``. The version is 0 if nothing was ever set."""

    _columns = ("version", "set_at", "tokens", "text")
    space: str
    kind: str
    version: int
    text: str
    tokens: int
    set_at: datetime | None

    def __str__(self) -> str:
        return str(self.text)


class StandingTextHistory(Record):
    """All versions of a standing text, the newest first."""

    space: str
    kind: str
    versions: Records[StandingText]


class StandingTextDifference(Record):
    """A unified diff between two versions of a standing text."""

    space: str
    kind: str
    from_: int
    to: int
    diff: str

    def __str__(self) -> str:
        return str(self.diff)


class StandingTextSet(Record):
    """The version of a standing text that is current now."""

    space: str
    operation: str
    revision: int
    kind: str
    version: int
    changed: bool
    repeated: bool


class ImportantMarked(Record):
    """Whether an item is important now."""

    space: str
    operation: str
    revision: int
    item: int
    important: bool
    changed: bool
    repeated: bool
