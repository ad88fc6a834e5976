"""What a composed prompt is made of."""

from __future__ import annotations

from datetime import datetime

from ._record import Record, Records
from .results_trace import CallReport, Problem


class ChunkCitation(Record):
    """Where a fact is said: a part of a chunk's text, in bytes."""

    source: int
    item_id: int
    start: int
    end: int


class ContextFact(Record):
    """A fact or a constraint. ``support`` is ``quoted``: it is there word for word."""

    text: str
    support: str
    citations: Records[ChunkCitation]

    def __str__(self) -> str:
        return str(self.text)


class ContextSource(Record):
    """A chunk that is cited by its number."""

    number: int
    item_id: int
    document: str
    section: str | None
    day: str


class CondensedContext(Record):
    """S_ctx: what the documents say, condensed."""

    facts: Records[ContextFact]
    constraints: Records[ContextFact]
    open_issues: list[str]
    sources: Records[ContextSource]


class Sent(Record):
    """What a model answered, and which sources of the prompt it cites."""

    answer: str
    model: str
    model_problem: Problem | None
    citations: list[int]
    unknown_citations: list[int]
    edited: bool
    responses: Records[CallReport]

    def __str__(self) -> str:
        return str(self.answer)


class ComposedSection(Record):
    name: str
    tokens: int
    sha256: str


class ComposedFile(Record):
    """An injected file."""

    document_id: int
    path: str
    version: int
    sha256: str
    whole: bool
    tokens: int
    lines: int
    lines_left_out: int


class ComposedMessage(Record):
    """A message that the prompt shows. ``layer`` is ``recent`` or ``earlier``."""

    item_id: int
    layer: str
    speaker: str
    at: datetime
    text: str
    summary: bool
    external: bool


class Shape(Record):
    """What A2 made of the prompt."""

    intent: str
    deliverable: str
    depth: str
    format: str
    need: str
    targets: list[str]


class Conflict(Record):
    """Two statements that contradict each other. ``rule`` is ``file`` or ``newer``."""

    winner: str
    winner_text: str
    loser: str
    loser_text: str
    rule: str


class FlaggedText(Record):
    """A sentence of stored text that is an instruction to a model."""

    source: str
    text: str


class ComposeChange(Record):
    """Something that changed since a receipt. ``change`` is ``added``, ``removed`` or ``changed``."""

    section: str
    change: str
    what: str
    why: str


class ComposeDiff(Record):
    """What a composition would be now. ``str()`` gives the diff of the prompts."""

    _columns = ("receipt", "identical", "tokens_then", "tokens_now", "changes")
    receipt: str
    made_at: datetime
    query: str
    identical: bool
    tokens_then: int
    tokens_now: int
    changes: Records[ComposeChange]
    diff: str

    def __str__(self) -> str:
        return str(self.diff)
