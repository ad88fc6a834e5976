"""The results of the verbs. Their fields are the same in every interface of Recordar. Those of the category tree are defined in
``results_tree``, those about labels and the queue in ``results_vocabulary``, those of facts and summaries in ``results_facts``, those of records in ``results_records``, and parts of many results in
``results_trace``; all of them can be imported from here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from ._record import Record, Records, records_table
from .errors import from_code
from .results_facts import (
    ExtractReport as ExtractReport,
    Fact as Fact,
    FactChanged as FactChanged,
    FactConfirmed as FactConfirmed,
    FactHistory as FactHistory,
    FactList as FactList,
    FactStep as FactStep,
    StoredFact as StoredFact,
    SummariesQueued as SummariesQueued,
    SummaryList as SummaryList,
    ThreadSummary as ThreadSummary,
)
from .results_records import (
    Bucket as Bucket,
    BucketList as BucketList,
    RecordList as RecordList,
    RecordsDeleted as RecordsDeleted,
    RecordsPut as RecordsPut,
    StoredRecord as StoredRecord,
)
from .results_compose import (
    ChunkCitation as ChunkCitation,
    ComposeChange as ComposeChange,
    ComposeDiff as ComposeDiff,
    ComposedFile as ComposedFile,
    ComposedMessage as ComposedMessage,
    ComposedSection as ComposedSection,
    CondensedContext as CondensedContext,
    Conflict as Conflict,
    ContextFact as ContextFact,
    ContextSource as ContextSource,
    FlaggedText as FlaggedText,
    Sent as Sent,
    Shape as Shape,
)
from .results_standing import (
    ImportantMarked as ImportantMarked,
    StandingText as StandingText,
    StandingTextDifference as StandingTextDifference,
    StandingTextHistory as StandingTextHistory,
    StandingTextSet as StandingTextSet,
)
from .results_trace import (
    CallReport as CallReport,
    Decision as Decision,
    JudgeConfidence as JudgeConfidence,
    Problem as Problem,
    Reranking as Reranking,
    Stage as Stage,
    Trace as Trace,
)
from .results_tree import (
    BatchReport as BatchReport,
    CategoryView as CategoryView,
    ClassifiedDocument as ClassifiedDocument,
    ClassifyReport as ClassifyReport,
    DroppedPath as DroppedPath,
    HelperReport as HelperReport,
    HelperVersion as HelperVersion,
    HelperView as HelperView,
    LevelView as LevelView,
    PathError as PathError,
    PathView as PathView,
    QueryChunk as QueryChunk,
    QueryResult as QueryResult,
    Selected as Selected,
    SelectResponse as SelectResponse,
    Traversal as Traversal,
    TreeEdited as TreeEdited,
    TreeView as TreeView,
    UsedChunk as UsedChunk,
)
from .results_vocabulary import (
    Backlog as Backlog,
    DeadJob as DeadJob,
    Entity as Entity,
    Intent as Intent,
    JobsChanged as JobsChanged,
    Labels as Labels,
    QueuedJobs as QueuedJobs,
    QueueReport as QueueReport,
    StagedEvidence as StagedEvidence,
    StagedInputs as StagedInputs,
    StagedReport as StagedReport,
    Suggestion as Suggestion,
    Term as Term,
    VocabularyChange as VocabularyChange,
    VocabularyEdited as VocabularyEdited,
    VocabularyView as VocabularyView,
    WorkReport as WorkReport,
)


class Remembered(Record):
    """The outcome of storing messages."""

    space: str
    operation: str
    revision: int
    items: list[int]
    unchanged: int
    repeated: bool


class FileReport(Record):
    _columns = ("status", "path", "version", "chunks", "classified", "tokens", "bytes")
    path: str
    status: str
    document_id: int | None
    version_id: int | None
    version: int | None
    bytes: int
    chunks: int
    tokens: int
    kept_chunks: int
    retired_chunks: int
    moved_from: str | None
    attributes_changed: bool
    classified: int
    unclassified: int
    helper: HelperReport | None
    model_problem: Problem | None
    repeated: bool
    warnings: Records[Problem]
    error: Problem | None


class Skipped(Record):
    """Files and folders that were not read for one reason, with the first of them."""

    reason: str
    what: str
    count: int
    paths: list[str]


class IngestTotals(Record):
    files: int
    added: int
    updated: int
    moved: int
    unchanged: int
    attributes_changed: int
    vanished: int
    retired: int
    failed: int
    not_tried: int
    repeated: int
    skipped: int
    bytes: int
    chunks: int
    tokens: int
    classified: int
    unclassified: int


class IngestTiming(Record):
    read_cpu_s: float
    manifest_cpu_s: float
    chunk_cpu_s: float
    store_cpu_s: float
    place_cpu_s: float


class IngestReport(Record):
    """The outcome of storing documents, file by file."""

    _columns = ("space", "operation", "files")
    space: str
    operation: str
    totals: IngestTotals
    files: Records[FileReport]
    skipped: Records[Skipped]
    warnings: Records[Problem]
    batches: Records[BatchReport]
    responses: Records[CallReport]
    trace: Trace
    timing: IngestTiming

    def raise_for_failures(self) -> IngestReport:
        """Raises if a file could not be stored; otherwise returns the report."""
        failed = [file for file in self.files if file.error is not None]
        if failed and failed[0].error is not None:
            error, more = failed[0].error, f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
            raise from_code(error.code, f"{failed[0].path}: {error.what}{more}", error.remedy)
        return self

    def _repr_html_(self) -> str:
        return records_table(self.files)


class Parts(Record):
    """The parts that add up to a score."""

    keyword: float
    semantic: float
    neighbours: float
    thread: float
    speaker: float
    period: float


class Word(Record):
    """The contribution of a word of the question."""

    word: str
    count: int
    own: float
    place: float


class Provenance(Record):
    """The source of a memory."""

    collection: str
    item_id: int
    document: str | None
    document_name: str | None
    section: str | None
    search_type: str
    original_length: int
    was_redacted: bool
    stage: str | None
    thread_title: str | None


class Memory(Record):
    """A memory in a context."""

    _columns = ("score", "content", "type", "speaker", "session_id", "timestamp")
    id: str
    content: str
    score: float
    rerank: Reranking | None
    timestamp: datetime
    session_id: str | None
    message_id: str | None
    type: str
    role: str | None
    speaker: str | None
    unverified: str | None
    provenance: Provenance
    own_id: str | None
    metadata: dict[str, Any]
    version: int | None


class Candidate(Record):
    """A candidate, whether it is in the context or not."""

    _columns = ("rank", "score", "space", "item_id")
    space: str
    item_id: int
    rank: int
    score: float
    parts: Parts
    words: Records[Word]
    cosine: float
    rerank: Reranking | None
    staged: StagedEvidence | None


class Interleaving(Record):
    strategy: str
    ratio: float | None


class RecallSettings(Record):
    top_k: int
    clip_sentences: int
    max_tokens: int
    excerpts: str
    budget_covers: str
    search_type: str
    min_score: float
    min_confidence: float | None
    enable_redaction: bool
    custom_redaction_patterns: list[str]
    interleaving: Interleaving
    rerank: str | None


class RecallMetadata(Record):
    total_results: int
    included_results: int
    total_tokens: int
    text_tokens: int
    applied_filters: list[str]
    config: RecallSettings


class RecallProblem(Record):
    """Why memories could not be recalled, and what to do about it."""

    code: str
    message: str
    fallback: str
    detail: str
    remedy: str


class RecallTiming(Record):
    query_time: float
    processing_time: float
    rerank_ms: float | None
    cached: bool


class RecallResult(Record):
    """A recalled context: the memories, the text for a system prompt, and the reasons for it."""

    _columns = ("query", "memories", "text", "problem", "receipt")
    query: str
    spaces: list[str]
    memories: Records[Memory]
    metadata: RecallMetadata
    text: str
    candidates: Records[Candidate]
    staged: StagedReport | None
    skipped: str | None
    problem: RecallProblem | None
    confidence: JudgeConfidence
    rerank_problem: Problem | None
    receipt: str | None
    trace: Trace
    timing: RecallTiming

    def __str__(self) -> str:
        return str(self.text)

    def __bool__(self) -> bool:
        return bool(self.memories)

    def _repr_html_(self) -> str:
        return records_table(self.memories) + (self.problem._repr_html_() if self.problem else "")


class Estimate(Record):
    """The maximum cost of a call."""

    tokens_first_call: int
    nano_usd_first_call: int | None
    calls_at_most: int
    tokens_prompt_at_most: int
    tokens_completion_at_most: int
    nano_usd_at_most: int | None


class Citation(Record):
    """A memory that an answer cites."""

    number: int
    collection: str
    item_id: int
    document: str | None
    document_name: str | None
    section: str | None
    speaker: str | None
    time: datetime | None


class Excerpt(Record):
    """A part of a cited passage, as it is written; ``sentence`` is what in it says most about the question."""

    number: int
    text: str
    sentence: str
    confidence: float | None


class AskResult(Record):
    """An answer, with its sources and the model or method that made it. ``str()`` gives the answer."""

    _columns = ("query", "answer", "method", "model", "citations", "receipt")
    query: str
    spaces: list[str]
    route: str
    answer: str
    method: str
    model: str | None
    model_problem: Problem | None
    confidence: JudgeConfidence
    rerank_problem: Problem | None
    citations: Records[Citation]
    excerpts: Records[Excerpt]
    unsure: bool
    nearest: Records[Citation]
    facts: Records[Fact]
    memories: Records[Memory]
    used_chunks: Records[UsedChunk]
    dropped_paths: Records[DroppedPath]
    responses: Records[CallReport]
    estimate: Estimate | None
    receipt: str | None
    trace: Trace
    total_latency: float
    rerank_ms: float | None

    def __str__(self) -> str:
        return str(self.answer)


class ComposeResult(Record):
    """A composed prompt, what it is made of, and why. ``str()`` gives the prompt."""

    _columns = ("query", "tokens", "sections", "conflicts", "flagged")
    space: str
    query: str
    prompt: str
    tokens: int
    tokenizer: str
    sections: Records[ComposedSection]
    files: Records[ComposedFile]
    context: CondensedContext
    history: Records[ComposedMessage]
    shape: Shape | None
    rerun: str | None
    conflicts: Records[Conflict]
    flagged: Records[FlaggedText]
    confidence: JudgeConfidence
    estimate: Estimate | None
    sent: Sent | None
    same_tokens: int | None
    receipt: str | None
    responses: Records[CallReport]
    trace: Trace
    total_latency: float

    def __str__(self) -> str:
        return str(self.prompt)


class Price(Record):
    """In US dollars per million tokens."""

    prompt_usd: float
    completion_usd: float
    dated: str


class Ceiling(Record):
    tokens: int | None
    nano_usd: int | None


class Ceilings(Record):
    call: Ceiling
    operation: Ceiling
    day: Ceiling


class Spend(Record):
    tokens: int
    nano_usd: int


class LanguageModel(Record):
    """The configured language model."""

    _columns = ("provider", "model", "base_url", "key", "structured", "spent_today")
    provider: str
    model: str
    structured: str
    temperature: float | None
    seed: int | None
    base_url: str
    key: str
    key_env: str | None
    structured_by: str
    price: Price | None
    max_output_tokens: int
    ceilings: Ceilings
    spent_today: Spend
    when_away: str
    cassette: str | None
    fallback_model: str | None


class ModelFolder(Record):
    """A model from a folder of this machine."""

    name: str
    path: str
    sha256: str
    kind: str
    added_at: datetime


class AddedModel(ModelFolder):
    """A model that was added, and how long it took to load and to judge a sample."""

    bytes: int
    load_ms: float
    sample_ms: float
    replaced: bool


class CheckedModel(Record):
    """A model, and whether it can be used. Without a path, it is the shipped judge."""

    name: str
    kind: str
    path: str | None
    sha256: str
    passed: bool
    sample_ms: float | None
    problem: str | None
    remedy: str | None


class Entailment(Record):
    """How likely each relation of a statement to a passage is."""

    entailment: float
    neutral: float
    contradiction: float


class Entailed(Record):
    """Whether a statement follows from a passage: ``entailment``, ``neutral`` or ``contradiction``."""

    relation: str
    probabilities: Entailment
    method: str
    model_problem: Problem | None
    responses: Records[CallReport]
    trace: Trace


class ModelsCheck(Record):
    """The result of checking models."""

    passed: bool
    models: Records[CheckedModel]


class Judge(Record):
    """The judge that comes with the program."""

    name: str
    sha256: str
    bytes: int


class ModelsReport(Record):
    """The embedder, the tokenizer, the judge, the registered model folders and the language model."""

    embedder: str
    dimension: int
    embedder_source: str
    given_embedder: str | None
    pending_embedder: str | None
    tokenizer: str
    tokens_of: str
    judge: Judge
    model_folders: Records[ModelFolder]
    llm: LanguageModel | None


class Measured(Record):
    """How often something was measured, and its values."""

    count: int
    sum: float
    mean: float
    most: float


class RetrievalMetrics(Record):
    """The metrics of recalls."""

    latency_ms: Measured
    results_count: Measured
    tokens_used: Measured
    dedup_ratio: Measured
    cache_hit_rate: Measured


class MetricsReport(Record):
    """Metrics, by the names of the retrieval policy: ``retrieval.latency_ms`` and so on."""

    retrieval: RetrievalMetrics


class TaskTest(Record):
    task: str
    passed: bool
    reply: str
    problem: Problem | None
    responses: Records[CallReport]
    estimate: Estimate


class ModelsTest(Record):
    """The result of testing the language model."""

    model: str | None
    passed: bool
    tasks: Records[TaskTest]


class Reembedded(Record):
    """The embedder after a move. ``pending`` is set if spaces ``failed``, which the move waits for."""

    embedder: str
    dimension: int
    changed: bool
    pending: str | None
    spaces: int
    failed: int


class Key(Record):
    """An API key of the server, without the key itself. ``spaces`` it may read and write, ``read`` it may only read."""

    _columns = ("id", "name", "admin", "spaces", "read", "expires_at", "revoked_at", "last_used_at")
    id: str
    name: str
    admin: bool
    spaces: list[str]
    read: list[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    max_usd_per_day: float | None
    spent_today_usd: float


class MadeKey(Key):
    """An API key that was made. ``key`` is the key itself: it is shown only now, and not by ``repr``."""

    key: str


class SectionStart(Record):
    """A section that begins inside a text, and the byte where it does."""

    at: int
    section: str


class Hit(Record):
    """A hit, with the parts of its score."""

    _columns = ("score", "snippet", "speaker", "thread", "document", "occurred_at", "item_id")
    space: str
    item_id: int
    kind: str
    text: str
    thread: str | None
    role: str | None
    speaker: str | None
    document: str | None
    document_name: str | None
    section: str | None
    sections: Records[SectionStart]
    occurred_at: datetime
    snippet: str
    score: float
    parts: Parts
    words: Records[Word]
    cosine: float
    rerank: Reranking | None
    own_id: str | None
    metadata: dict[str, Any]
    version: int | None


class SearchTiming(Record):
    total_ms: float
    rerank_ms: float | None


class SearchResult(Record):
    _columns = ("query", "hits")
    query: str
    spaces: list[str]
    mode: str
    hits: Records[Hit]
    confidence: JudgeConfidence
    rerank_problem: Problem | None
    trace: Trace
    timing: SearchTiming

    def __bool__(self) -> bool:
        return bool(self.hits)

    def _repr_html_(self) -> str:
        return records_table(self.hits)


class ThreadHit(Record):
    """A thread or document that was found, with its best item."""

    _columns = ("score", "thread", "document", "snippet", "best_item_id")
    space: str
    thread: str | None
    document: str | None
    score: float
    parts: Parts
    best_item_id: int
    best_text: str
    snippet: str
    rerank: Reranking | None


class ThreadSearchResult(Record):
    _columns = ("query", "threads")
    query: str
    spaces: list[str]
    mode: str
    threads: Records[ThreadHit]
    confidence: JudgeConfidence
    rerank_problem: Problem | None
    trace: Trace
    timing: SearchTiming

    def __bool__(self) -> bool:
        return bool(self.threads)

    def _repr_html_(self) -> str:
        return records_table(self.threads)


class Version(Record):
    """A version of a document."""

    _columns = ("number", "ingested_at", "bytes", "chunks", "tokens", "note", "live")
    version_id: int
    number: int
    sha256: str
    bytes: int
    chars: int
    mtime: datetime | None
    type: str
    tags: list[str]
    topic: str | None
    note: str | None
    provider: str | None
    metadata: dict[str, Any]
    tokenizer: str
    chunks: int
    tokens: int
    forgotten_chunks: int
    ingested_at: datetime
    live: bool
    path: str | None
    name: str | None


class Document(Record):
    """A document with its newest version."""

    _columns = ("document_id", "path", "versions", "live")
    document_id: int
    kind: str
    path: str
    filename: str
    collection: str | None
    name: str | None
    versions: int
    live: bool
    version: Version


class DocumentEdit(Document):
    """A document after a change. ``changed`` is false if it was like that before."""

    changed: bool
    operation: str
    repeated: bool


class Difference(Record):
    """The differences between two versions. ``str()`` gives the diff."""

    _columns = ("path", "from_", "to", "diff")
    path: str
    from_: int
    to: int
    added_lines: int
    removed_lines: int
    forgotten_chunks: int
    diff: str

    def __str__(self) -> str:
        return str(self.diff)


class Chunk(Record):
    _columns = ("item_id", "section", "tokens", "text")
    item_id: int
    position: int
    section: str | None
    tokens: int
    overlap: int
    text: str


class DocumentText(Document):
    """A version's text; byte-identical to the original if ``verified``."""

    text: str
    verified: bool
    chunks: Records[Chunk]

    def __str__(self) -> str:
        return str(self.text)


class DocumentFallback(Record):
    """A step that matched nothing and was skipped."""

    step: str
    what: str


class DocumentResult(DocumentText):
    """The document that best matches a description, and how it was chosen."""

    score: float
    query: str
    required_tags: list[str]
    candidate_documents: int
    candidate_versions: int
    fallbacks: Records[DocumentFallback]
    trace: Trace


class Thread(Record):
    """A thread: a conversation."""

    thread_id: int
    name: str
    title: str | None


class AboutDocument(Record):
    """A document that an item is about, and the number of the version that was current when the item was stored."""

    document: str
    version: int


class StoredItem(Record):
    """A message, fact, summary or chunk, with what was stored with it. ``live`` is false if it is retired."""

    _columns = ("item_id", "kind", "own_id", "text", "metadata", "occurred_at")
    space: str
    item_id: int
    kind: str
    text: str
    thread: str | None
    role: str | None
    speaker: str | None
    document: str | None
    document_name: str | None
    section: str | None
    sections: Records[SectionStart]
    occurred_at: datetime
    own_id: str | None
    metadata: dict[str, Any]
    version: int | None
    tokens: int
    source: str | None
    importance: float | None
    recorded_at: datetime
    live: bool
    derived_from: list[int]
    important: bool
    about: Records[AboutDocument]


class HistoryEntry(StoredItem):
    """An item at one time. ``retired_at`` is when another took its place."""

    _columns = ("item_id", "live", "recorded_at", "retired_at", "text", "metadata")
    retired_at: datetime | None


class ItemHistory(Record):
    """All that an item was, the newest first."""

    _columns = ("entries",)
    space: str
    entries: Records[HistoryEntry]

    def __bool__(self) -> bool:
        return bool(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[HistoryEntry]:
        return iter(self.entries)


class Updated(Record):
    """The outcome of a change. ``replaced`` is the number that the item had before."""

    space: str
    operation: str
    revision: int
    item_id: int
    replaced: int
    repeated: bool


class ItemList(Record):
    """A page of items. ``next`` continues after it; ``missing`` has the ids that were asked for and are not here."""

    _columns = ("items", "missing", "next")
    space: str
    items: Records[StoredItem]
    missing: list[str]
    next: int | None

    def __bool__(self) -> bool:
        return bool(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[StoredItem]:
        return iter(self.items)

    def _repr_html_(self) -> str:
        return records_table(self.items)


class StoredMessage(Record):
    """A message, a fact or a summary of a thread."""

    _columns = ("item_id", "role", "speaker", "text", "occurred_at")
    item_id: int
    role: str | None
    source: str | None
    speaker: str | None
    text: str
    tokens: int
    importance: float | None
    metadata: dict[str, Any] | None
    labels: Labels | None
    occurred_at: datetime
    recorded_at: datetime


class Receipt(Record):
    """The content of a receipt."""

    format: int
    engine: str
    made_at: datetime
    query: str
    session_id: str | None
    asked_at: datetime
    as_of: datetime | None
    spaces: list[str]
    revisions: list[int | None]
    settings: RecallSettings
    filter: list[str]
    redaction: list[str]
    tokenizer: str
    template: str
    memories: list[dict[str, Any]]
    found: list[dict[str, Any]]
    total_tokens: int
    memories_sha256: str
    text_sha256: str
    trace: Trace
    staged: StagedInputs | None
    answer: dict[str, Any] | None
    compose: dict[str, Any] | None


class WhyAnswer(Record):
    """An answer replayed from recorded replies."""

    answer: str
    method: str
    model: str | None
    citations: list[int]


class Why(Record):
    """A context rebuilt from its receipt."""

    _columns = ("receipt", "identical", "differences", "text")
    receipt: str
    space: str
    identical: bool
    differences: list[str]
    text: str
    memories: Records[Memory]
    answer: WhyAnswer | None
    body: Receipt


class SettingChange(Record):
    setting: str
    value: str


class WhyNot(Record):
    """Why an item is not in a context, and which settings would include it."""

    _columns = ("item_id", "stage", "reason", "rank", "score", "changes", "advice")
    space: str
    item_id: int
    query: str
    place: int | None
    stage: str | None
    reason: str
    rank: int | None
    score: float | None
    parts: Parts | None
    reranked: int | None
    rerank: Reranking | None
    changes: Records[SettingChange]
    advice: str
    trace: Trace


class ReceiptSummary(Record):
    """A receipt in a list."""

    receipt: str
    made_at: datetime
    query: str
    memories: int
    total_tokens: int


class Forgotten(Record):
    chunks: int
    messages: int
    facts: int
    summaries: int
    derived: int
    documents: int
    versions: int
    threads: int
    receipts: int
    helpers: int
    categories: int
    records: int


class ForgetReport(Record):
    """What was deleted."""

    space: str
    operation: str
    dry_run: bool
    target: str
    forgotten: Forgotten
    scrubbed: bool
    repeated: bool
    warnings: Records[Problem]


class ExpirySet(Record):
    """The end of a thread, an item or a tag: ``expires_at`` now, and before."""

    space: str
    operation: str
    expires_at: datetime | None
    expired_at_before: datetime | None
    repeated: bool


class Ending(Record):
    """A thread, an item or a tag that has an end. ``subject`` is the thread's name, the item's number, or the tag."""

    kind: str
    subject: str
    id: str | None
    expires_at: datetime
    is_due: bool


class Expired(Record):
    """How many ends had come, and what was deleted with them."""

    threads: int
    items: int
    tags: int
    forgotten: Forgotten


class ExpireReport(Record):
    """What was deleted because its end had come."""

    operation: str
    dry_run: bool
    spaces: int
    expired: Expired
    scrubbed: bool
    warnings: Records[Problem]


class Operation(Record):
    """The outcome of an operation, or of a part of one."""

    operation: str
    kind: str
    state: str
    revision: int | None
    recorded_at: datetime
    result: dict[str, Any] | None
    error: str | None


class ExportedSpace(Record):
    space: str
    rows: int
    sha256: str


class ExportReport(Record):
    file: str | None
    spaces: Records[ExportedSpace]


class ImportedSpace(Record):
    space: str
    rows: int
    sha256: str
    known: bool


class ImportedConversation(Record):
    space: str
    thread: str | None
    title: str | None
    added: int
    updated: int
    known: int


class LeftOut(Record):
    subject: str
    reason: str
    detail: str


class ImportReport(Record):
    """The imported data, and what was left out and why."""

    format: str
    operation: str
    spaces: Records[ImportedSpace]
    conversations: Records[ImportedConversation]
    left_out: Records[LeftOut]


class RestoreReport(Record):
    removed: list[str]
    spaces: Records[ImportedSpace]
