"""The results of the category tree's verbs: classification, queries, and the tree itself."""

from __future__ import annotations

import html
from collections.abc import Iterator
from datetime import datetime

from ._record import Record, Records, records_table
from .results_trace import CallReport, JudgeConfidence, Problem, Reranking, Trace


class HelperReport(Record):
    """The helper of a source: ``origin`` is ``user`` or ``generated``; ``reused`` means that it already existed."""

    _columns = ("origin", "text", "tokens", "reused", "timestamp")
    text: str
    tokens: int
    origin: str
    reused: bool
    method: str | None
    tokens_used: int
    timestamp: datetime


class HelperVersion(Record):
    """A current or earlier contextual helper of a source."""

    _columns = ("number", "origin", "text", "tokens", "timestamp", "is_live")
    number: int
    text: str
    tokens: int
    origin: str
    timestamp: datetime
    is_live: bool


class HelperView(Record):
    """The contextual helper of a document, and its earlier ones."""

    _columns = ("document", "helper", "versions")
    document: str
    document_id: int
    helper: HelperReport | None
    replaced_version: int | None
    versions: Records[HelperVersion]

    def __str__(self) -> str:
        return str(self.helper.text) if self.helper else ""


class BatchReport(Record):
    """One call that classified chunks, with its follow-ups."""

    document: str
    level: int
    under: list[str]
    sent: int
    succeeded: int
    retried: int
    latency_ms: float
    method: str


class ClassifiedDocument(Record):
    """The outcome for the chunks of a document that had no category yet."""

    _columns = ("path", "classified", "unclassified")
    path: str
    classified: int
    unclassified: int
    helper: HelperReport | None
    model_problem: Problem | None
    warnings: Records[Problem]


class ClassifyReport(Record):
    """The outcome of classifying chunks that had no category yet."""

    _columns = ("space", "operation", "classified", "unclassified", "documents")
    space: str
    operation: str
    classified: int
    unclassified: int
    documents: Records[ClassifiedDocument]
    warnings: Records[Problem]
    batches: Records[BatchReport]
    responses: Records[CallReport]
    trace: Trace

    def _repr_html_(self) -> str:
        return records_table(self.documents)


class Traversal(Record):
    """How a tree was descended."""

    strategy: str
    n: int
    n2: int
    max_per_level: int
    max_paths: int


class Selected(Record):
    """A category that was followed. The higher the rank, the more relevant."""

    category: str
    ranked_relevance: int


class SelectResponse(Record):
    """One model call of a descent, or the choice of the built-in method instead."""

    _columns = ("level", "under", "llm_output", "method", "model", "latency_ms", "outcome")
    llm_output: Records[Selected]
    timestamp: datetime
    latency_ms: float
    method: str
    model: str | None
    tokens_prompt: int
    tokens_completion: int
    level: int
    under: list[str]
    outcome: str


class PathView(Record):
    """A path that was followed, from the root to a leaf."""

    category_path: list[str]
    category_ids: list[int]
    ranks: list[int]
    chunks: int


class QueryChunk(Record):
    """A chunk that a query found."""

    _columns = ("chunk_id", "text_content", "category_path", "ranked_relevance", "document", "created_at")
    chunk_id: int
    text_content: str
    category_path: list[str]
    ranked_relevance: int
    created_at: datetime
    document: str
    section: str | None
    rerank: Reranking | None


class PathError(Record):
    """A path that could not be used, and why."""

    category_path: list[str]
    code: str
    what: str


class DroppedPath(Record):
    """A path that a descent found but did not follow or use."""

    category_path: list[str]
    reason: str
    detail: str | None


class QueryResult(Record):
    """The chunks that a query found in the tree. If there are more, pass ``next`` as ``after`` to get the next page."""

    _columns = ("query", "status", "method", "chunks", "dropped_paths", "next")
    query: str
    space: str
    status: str
    traversal: Traversal
    method: str
    model_problem: Problem | None
    confidence: JudgeConfidence
    rerank_problem: Problem | None
    responses: Records[SelectResponse]
    paths: Records[PathView]
    chunks: Records[QueryChunk]
    errors: Records[PathError]
    dropped_paths: Records[DroppedPath]
    next: str | None
    more: int | None
    total_latency: float
    rerank_ms: float | None
    trace: Trace

    def _repr_html_(self) -> str:
        return records_table(self.chunks)


class UsedChunk(Record):
    """A chunk that an answer was made from."""

    chunk_id: int
    category_path: list[str]
    document: str
    summarized: bool


class LevelView(Record):
    """The number of categories on a level of the tree, and its limit."""

    level: int
    categories: int
    limit: int


class CategoryView(Record):
    """A category, with the number of chunks on it and below it."""

    _columns = ("id", "name", "level", "chunks")
    id: int
    name: str
    level: int
    chunks: int
    children: Records[CategoryView]

    def _repr_html_(self) -> str:
        return _drawn_in_html(Records([self]))


class TreeView(Record):
    """The category tree of a space. ``str()`` draws it."""

    _columns = ("space", "depth", "categories", "chunks", "unclassified")
    space: str
    depth: int | None
    categories: int
    chunks: int
    unclassified: int
    levels: Records[LevelView]
    roots: Records[CategoryView]

    def __iter__(self) -> Iterator[CategoryView]:
        """Every category, parents first."""
        return _walk(self.roots)

    def __str__(self) -> str:
        return _drawn(self.roots)

    def _repr_html_(self) -> str:
        return _drawn_in_html(self.roots)


class TreeEdited(Record):
    """The outcome of an edit of the tree."""

    edit: str
    category_id: int | None
    merged_categories: int
    moved_chunks: int
    depth: int
    repeated: bool


def _walk(roots: Records[CategoryView]) -> Iterator[CategoryView]:
    """Not recursive: a tree may be deeper than Python's recursion limit."""
    waiting = list(reversed(roots))
    while waiting:
        category = waiting.pop()
        yield category
        waiting.extend(reversed(category.children))


def _drawn(roots: Records[CategoryView]) -> str:
    least = roots[0].level if roots else 0
    return "\n".join(f"{'  ' * (one.level - least)}{one.name} ({one.chunks})" for one in _walk(roots))


def _drawn_in_html(roots: Records[CategoryView]) -> str:
    return f"<pre>{html.escape(_drawn(roots))}</pre>" if roots else "<p>nothing</p>"
