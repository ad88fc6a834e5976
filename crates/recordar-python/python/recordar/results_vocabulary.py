"""The results about labels: the vocabulary, the labels of messages, staged recalls, and the queue."""

from __future__ import annotations

from datetime import datetime

from ._record import Record, Records, records_table
from .results_trace import CallReport, Problem


class Term(Record):
    """A term of the vocabulary, and what it covers."""

    name: str
    about: str | None


class VocabularyView(Record):
    """A version of the vocabulary. ``str()`` gives it as a file in TOML, which ``import_vocabulary`` reads."""

    _columns = ("version", "current", "catch_all", "topics", "categories")
    version: str
    current: bool
    catch_all: str | None
    topics: Records[Term]
    categories: Records[Term]
    message_types: Records[Term]
    entity_types: Records[Term]
    text: str

    def __str__(self) -> str:
        return str(self.text)


class VocabularyChange(Record):
    """A change of the vocabulary. ``pending`` means that messages are still being relabelled because of it."""

    _columns = ("made_at", "action", "kind", "term", "version", "pending")
    version: str
    action: str
    kind: str | None
    term: str | None
    pending: bool
    made_at: datetime


class VocabularyEdited(Record):
    """The outcome of an edit of the vocabulary."""

    version: str
    kind: str | None
    term: str | None
    relabelled: int


class Suggestion(Record):
    """A term that the vocabulary lacks, and the beginnings of some messages that suggested it."""

    _columns = ("term", "frequency", "examples")
    term: str
    kind: str
    frequency: int
    examples: list[str]


class Entity(Record):
    """Something that a text names, such as an order or a person."""

    type: str
    value: str


class Labels(Record):
    """The labels of a message. ``enrichment_model`` is the model that made them, or ``built-in``."""

    _columns = ("topics", "category", "message_type", "entities", "confidence", "enrichment_model")
    topics: list[str]
    category: str
    message_type: str
    entities: Records[Entity]
    confidence: str
    suggested_topic: str | None
    suggested_category: str | None
    importance: float
    role: str | None
    vocabulary_version: str
    enrichment_model: str


class Intent(Record):
    """What a question asks for, in the terms of the vocabulary."""

    topics: list[str]
    category: str | None
    time_scope: str
    entities: Records[Entity]
    search_current_thread_only: bool
    vocabulary_version: str


class StagedReport(Record):
    """How a staged recall understood the question: by the model or the built-in method."""

    _columns = ("intent", "method", "model_problem")
    intent: Intent
    method: str
    model_problem: Problem | None
    responses: Records[CallReport]
    uses_at: list[int]


class StagedEvidence(Record):
    """The parts of the score of a staged recall, from 0 to 100, and the stage that found the candidate."""

    _columns = ("source", "topics", "entities", "recency", "importance", "source_boost", "tier_boost", "score")
    source: str
    relevance: float
    topics: float
    entities: float
    recency: float
    importance: float
    source_boost: float
    tier_boost: float
    score: float
    uses: int


class StagedInputs(Record):
    """What a staged recall was made of besides its memories, as its receipt has it."""

    intent: Intent
    uses_at: list[int]


class Backlog(Record):
    """Messages without labels of the configured model or method, and the maximum cost of labelling them."""

    messages: int
    labelled_by: str
    tokens: int
    usd: float | None
    queued: int


class WorkReport(Record):
    """What a worker has done. ``model_problem`` says why the model could not be used; the jobs wait for it."""

    labelled: int
    extracted: int
    summarised: int
    backfilled: int
    reembedded: int
    expired: int
    failed: int
    dead: int
    lost: int
    model_problem: Problem | None
    tokens: int


class QueuedJobs(Record):
    """The number of jobs of one kind. ``dead`` ones were set aside after too many attempts."""

    kind: str
    waiting: int
    running: int
    dead: int
    oldest_at: datetime | None


class DeadJob(Record):
    """A job that was set aside, and the error of its last attempt."""

    _columns = ("space", "item_id", "attempts", "error", "queued_at")
    space: str
    kind: str
    item_id: int
    attempts: int
    error: str
    queued_at: datetime


class QueueReport(Record):
    """The state of the queue. An empty queue has no kinds."""

    kinds: Records[QueuedJobs]
    dead: Records[DeadJob]

    def _repr_html_(self) -> str:
        return records_table(self.kinds) + (records_table(self.dead) if self.dead else "")


class JobsChanged(Record):
    """How many jobs of a space were retried or cancelled."""

    space: str
    jobs: int
