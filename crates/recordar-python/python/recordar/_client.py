"""The synchronous client. ``scripts/make-async-client`` generates ``_async_client.py`` from this file."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from types import TracebackType
from typing import Any, Literal
from uuid import UUID

from ._embedder import SupportsEmbed
from ._handle import Handle, conditions, described, listed, recorded, space_of
from ._record import Records
from .results import (
    AddedModel,
    AskResult,
    Backlog,
    BucketList,
    ClassifyReport,
    ComposeDiff,
    ComposeResult,
    Difference,
    Document,
    DocumentEdit,
    DocumentResult,
    DocumentText,
    Ending,
    Entailed,
    ExpireReport,
    ExpirySet,
    ExtractReport,
    FactChanged,
    FactConfirmed,
    FactHistory,
    FactList,
    ExportReport,
    ForgetReport,
    HelperView,
    ImportReport,
    ImportantMarked,
    IngestReport,
    ItemHistory,
    ItemList,
    JobsChanged,
    Key,
    MadeKey,
    MetricsReport,
    ModelFolder,
    ModelsCheck,
    ModelsReport,
    ModelsTest,
    Operation,
    QueryResult,
    QueueReport,
    RecallResult,
    ReceiptSummary,
    RecordList,
    RecordsDeleted,
    RecordsPut,
    Reembedded,
    Remembered,
    RestoreReport,
    SearchResult,
    StandingText,
    StandingTextDifference,
    StandingTextHistory,
    StandingTextSet,
    StoredItem,
    StoredMessage,
    Suggestion,
    SummariesQueued,
    SummaryList,
    Thread,
    ThreadSearchResult,
    TreeEdited,
    TreeView,
    Updated,
    Version,
    VocabularyChange,
    VocabularyEdited,
    VocabularyView,
    Why,
    WhyNot,
    WorkReport,
)

Path = str | os.PathLike[str]
Id = str | int | UUID
Time = str | date | datetime
Mode = Literal["keyword", "semantic", "hybrid"]
Role = Literal["user", "assistant", "system", "tool"]
Kind = Literal["message", "fact", "summary"]
ItemKind = Literal["message", "fact", "summary", "chunk"]
StandingKind = Literal["rules", "project", "synonyms"]
TextType = Literal["text", "markdown", "json", "yaml", "rst", "html", "notebook", "csv", "jsonl", "email", "code"]
FileType = Literal["text", "markdown", "json", "yaml", "rst", "html", "notebook", "csv", "jsonl", "email", "code", "pdf", "docx"]
Interleave = Literal["alternate", "score_first", "recency_first"]
BudgetCovers = Literal["text", "memories"]
Excerpts = Literal["fill", "first_sentences"]
Strategy = Literal["latest", "earliest", "longest", "score"]
Format = Literal["recordar", "chatgpt", "claude", "mem0", "zep", "transcript", "irc", "slack"]
Route = Literal["recall", "tree"]
Descent = Literal["one_shot", "wide_branch", "zoom_in", "branch_out"]
Limiting = Literal["prune", "summarize"]
TermKind = Literal["topic", "category"]
RecordOrder = Literal["key", "age"]


class Recordar:
    """A memory: documents and conversations in, contexts out, with a reason for every choice.

    Without arguments it reads ``recordar.toml`` from the current folder or the nearest parent that has one, and the user's
    own ``~/.config/recordar/recordar.toml``. Without either, it uses ``recordar.db`` in the current folder.
    Every call uses the configured space (``user:default`` by default), unless it names another with ``space`` or ``user_id``.

    ``config`` is another configuration file. ``settings`` sets anything that a file can, over all files and the environment:
    ``{"recall": {"top_k": 12}}`` or ``{"recall.top_k": 12}``. A dict may also be given as ``config``.

    ``embedder`` is your own: a ``recordar.Embedder``, or an object with ``name``, ``dimension`` and ``embed(texts, kind)``. A database without
    items uses it from then on; another one after ``reembed``.

    ``database`` may be the address of a server, such as ``http://127.0.0.1:7343``. Then the memory is there, and ``api_key``, or RECORDAR_API_KEY
    in the environment, is the key for it. Configuration and embedder are those of the server.
    """

    def __init__(
        self,
        database: Path | None = None,
        *,
        config: Path | Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        space: str | None = None,
        user_id: Id | None = None,
        embedder: SupportsEmbed | None = None,
        api_key: str | None = None,
    ) -> None:
        self._handle = Handle(config, database, space_of(space, user_id), settings, embedder, api_key)

    @property
    def space(self) -> str:
        """The space that calls use if they name none."""
        return self._handle.engine.space

    @property
    def database(self) -> str:
        """The database URL, without the password."""
        return self._handle.engine.database

    def close(self) -> None:
        """Closes the connections. Stored data is not affected."""
        self._handle.close()

    def __enter__(self) -> Recordar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle.is_closed:
            return "Recordar(closed)"
        return f"Recordar({self.database!r}, space={self.space!r})"

    def remember(
        self,
        messages: str | Mapping[str, Any] | Iterable[Mapping[str, Any] | str],
        *,
        id: Id | None = None,
        thread: Id | None = None,
        title: str | None = None,
        role: Role | None = None,
        source: str | None = None,
        speaker: str | None = None,
        time: Time | None = None,
        importance: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        kind: Kind | None = None,
        supersedes: Iterable[int] | None = None,
        derived_from: Iterable[int] | None = None,
        expires: Time | None = None,
        about: Iterable[str] | None = None,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> Remembered:
        """Stores one or more messages: all of them or none. They are committed when the call returns.

        A message is a string, or a dict with ``text`` and any of the other arguments. The arguments of the call apply to all messages.
        A message with the ``id`` of an earlier one replaces it; if nothing differs, nothing is written.

        Args:
            messages: A text, a dict with ``text`` and any of the other arguments, or several of these.
            id: Your own id for it, unique in its space. Storing another message with the same id replaces this one.
            thread: The name of the conversation it belongs to. You choose the name.
            title: A title for the conversation.
            role: The speaker's role. One of user, assistant, system, tool. By default user.
            source: Its origin, such as `chat` or `external`.
            speaker: The speaker's name, if known.
            time: When it was said; by default, the time when it is stored.
            importance: How important it is, such as 0.7. From 0 to 1.
            metadata: A JSON object to store with it.
            kind: What it is: a message, or a fact or summary made from messages. By default message.
            supersedes: Items that it replaces. They are retired: only a recall or search with an earlier as_of still finds them.
            derived_from: Items that it was made from. If one of them is forgotten, this one is forgotten too.
            expires: When it is to be forgotten: a time such as 2026-12-31, or a duration from now such as 30d (units: s, m, h, d, w).
            about: Stored documents that it is about, by path or name. The version that is current now is noted with it.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        given = {
            "id": id,
            "thread": thread,
            "title": title,
            "role": role,
            "source": source,
            "speaker": speaker,
            "time": time,
            "importance": importance,
            "metadata": metadata,
            "kind": kind,
            "supersedes": listed("supersedes", supersedes),
            "derived_from": listed("derived_from", derived_from),
            "expires": expires,
            "about": listed("about", about),
        }
        shared = {name: value for name, value in given.items() if value is not None}
        several = [messages] if isinstance(messages, (str, Mapping)) else listed("messages", messages) or []
        full = [shared | ({"text": message} if isinstance(message, str) else dict(message)) for message in several]
        arguments = {"messages": full, "operation": operation}
        return Remembered._of_json(self._call("remember", space_of(space, user_id), arguments))

    def ingest_text(
        self,
        text: str,
        *,
        name: str,
        type: TextType | None = None,
        tags: Iterable[str] | None = None,
        topic: str | None = None,
        note: str | None = None,
        provider: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        mtime: Time | None = None,
        force: bool = False,
        classify: bool | None = None,
        helper: Mapping[str, Any] | None = None,
        regenerate_helper: bool = False,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> IngestReport:
        """Stores a text as a document. Storing the same name again adds a version, unless the content is the same.

        Its chunks are classified into the category tree, unless ``classify`` or the configuration turns that off. ``helper`` is a short description
        of the source for prompts: ``{"text": …}``, or all of ``date``, ``author``, ``topic`` and ``description``. Without it, one is generated.

        Args:
            text: The text to store as a document.
            name: The document's name, such as notes/trip.md.
            type: Text type. By default, from the name's extension. One of text, markdown, json, yaml, rst, html, notebook, csv, jsonl, email, code.
            tags: Tags to find it by.
            topic: Its topic.
            note: A note about it.
            provider: Who supplied it.
            metadata: A JSON object to store with it.
            mtime: When the text was written, such as 2026-01-31T09:30:00Z.
            force: Store a new version even if the content is unchanged.
            classify: Whether to classify it. If omitted, tree.classify in the configuration decides.
            helper: The source's helper (description in prompts): an object with text, or with date, author, topic and description.
            regenerate_helper: Regenerate the helper from the current text. A helper that a user has set is kept.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "text": text,
            "name": name,
            "type": type,
            "tags": listed("tags", tags),
            "topic": topic,
            "note": note,
            "provider": provider,
            "metadata": metadata,
            "mtime": mtime,
            "force": force,
            "classify": classify,
            "helper": helper,
            "regenerate_helper": regenerate_helper,
            "operation": operation,
        }
        return IngestReport._of_json(self._call("ingest_text", space_of(space, user_id), arguments))

    def ingest_file(
        self,
        path: Path | Iterable[Path],
        *,
        type: FileType | None = None,
        include: Iterable[str] | None = None,
        exclude: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        topic: str | None = None,
        note: str | None = None,
        provider: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        collection: str | None = None,
        root: Path | None = None,
        prune: bool = False,
        force: bool = False,
        classify: bool | None = None,
        helper: Mapping[str, Any] | None = None,
        helpers: Mapping[str, Mapping[str, Any]] | None = None,
        regenerate_helper: bool = False,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> IngestReport:
        """Stores files and folders. Changed files become new versions; the report lists failures.

        Their chunks are classified into the category tree, unless ``classify`` or the configuration turns that off. ``helper`` is a short description
        of every source for prompts: ``{"text": …}``, or all of ``date``, ``author``, ``topic`` and ``description``. Without it, one is generated for each.
        ``helpers`` is a dict of helpers for single sources, with their paths as keys.

        Args:
            path: A file or folder, or several of them.
            type: File type, regardless of extension. With include, also files with unknown extensions are read. One of text, markdown, json, yaml,
                rst, html, notebook, csv, jsonl, email, code, pdf, docx.
            include: Read only files that match this glob, relative to the folder, such as *.md or docs/**.
            exclude: Skip files and folders that match this glob, such as drafts or **/old/*.txt.
            tags: Tags to find it by.
            topic: Its topic.
            note: A note about it.
            provider: Who supplied it.
            metadata: A JSON object to store with it.
            collection: The collection that the files belong to. By default the one whose root contains them, or the name of the root folder.
            root: The folder that names of documents are relative to; by default the nearest version-control root, or the given folder. If the
                collection had another root on this machine, it has moved.
            prune: Retire documents whose files no longer exist under these paths. Their versions are kept. A file that moved keeps its history.
            force: Store a new version even if the content is unchanged.
            classify: Whether to classify it. If omitted, tree.classify in the configuration decides.
            helper: The source's helper (description in prompts): an object with text, or with date, author, topic and description.
            helpers: Helpers of individual sources: an object with their paths as keys, and objects like `helper` as values.
            regenerate_helper: Regenerate the helper from the current text. A helper that a user has set is kept.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        paths = [path] if isinstance(path, (str, os.PathLike)) else listed("path", path)
        arguments = {
            "paths": paths,
            "type": type,
            "include": listed("include", include),
            "exclude": listed("exclude", exclude),
            "tags": listed("tags", tags),
            "topic": topic,
            "note": note,
            "provider": provider,
            "metadata": metadata,
            "collection": collection,
            "root": root,
            "prune": prune,
            "force": force,
            "classify": classify,
            "helper": helper,
            "helpers": helpers,
            "regenerate_helper": regenerate_helper,
            "operation": operation,
        }
        return IngestReport._of_json(self._call("ingest", space_of(space, user_id), arguments))

    def recall(
        self,
        query: str,
        *,
        also: Iterable[str] | None = None,
        top_k: int | None = None,
        clip_sentences: int | None = None,
        excerpts: Excerpts | None = None,
        max_tokens: int | None = None,
        budget_covers: BudgetCovers | None = None,
        search_type: Mode | None = None,
        min_score: float | None = None,
        min_confidence: float | None = None,
        rerank: str | None = None,
        interleaving: Interleave | None = None,
        interleaving_ratio: float | None = None,
        enable_redaction: bool | None = None,
        custom_redaction_patterns: Iterable[str] | None = None,
        topics: Iterable[str] | None = None,
        category: str | None = None,
        message_type: str | None = None,
        entities: Iterable[str] | None = None,
        filter: Iterable[str] | Mapping[str, Any] | None = None,
        asked_at: Time | None = None,
        as_of: Time | None = None,
        use_memory: bool | None = None,
        session_id: Id | None = None,
        staged: bool = False,
        thread_context: str | None = None,
        preview: bool = False,
        receipt: bool | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> RecallResult:
        """Returns the stored context for a question, within a token budget. ``str()`` of the result is the text for a prompt.

        ``topics``, ``category``, ``message_type`` and ``entities`` keep only messages with these labels. With ``staged``, three stages choose by
        labels: the current thread (``session_id``), other threads, then preferences and important messages. ``preview`` counts no use.

        Args:
            query: What to recall memories for: a question, or the user's last message.
            also: More spaces to search, such as shared:handbook.
            top_k: Maximum number of memories. From 1 to 20. By default 8.
            clip_sentences: Sentences kept of each memory, at least. From 1 to 5. By default 2.
            excerpts: How much of each memory is shown: fill (the sentences that match best, and more while max_tokens has room) or first_sentences
                (clip_sentences from the beginning, and nothing more). By default fill.
            max_tokens: Maximum tokens of the context. From 100 to 3000. By default 1500.
            budget_covers: What max_tokens bounds: text (with headings and sources) or memories. By default text.
            search_type: keyword, semantic or hybrid. By default hybrid.
            min_score: Minimum score, after reranking if it is on; memories below it are dropped. From 0 to 1. By default 0.3.
            min_confidence: With a reranker: if it rates no candidate at least this relevant, nothing is recalled. By default, the value measured
                for the model. From 0 to 1.
            rerank: Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each candidate and
                reorders them. If omitted, recall.rerank in the configuration applies; if that is not set, ask uses the judge.
            interleaving: Order of the memories: alternate, score_first or recency_first. By default alternate.
            interleaving_ratio: With score_first or recency_first: share of the places that the preferred order gets. From 0 to 1.
            enable_redaction: Redact social security numbers, card numbers and e-mail addresses.
            custom_redaction_patterns: More regular expressions to redact. Turns redaction on.
            topics: Only messages labelled with one of these topics of the vocabulary.
            category: Only messages of this category of the vocabulary.
            message_type: Only messages of this type of the vocabulary.
            entities: Only messages that name one of these: an order, a person, an amount.
            filter: Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
                collection, kind, thread, role, speaker, meta.KEY, since, before, until.
            asked_at: When the question is asked, to interpret "last week" and the like; by default as_of, or now.
            as_of: Recall from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
            use_memory: Whether to search at all; false returns an empty result. For programs that switch memory on and off. By default True.
            session_id: Name of the conversation in which the question is asked, as recorded in the receipt. With staged, it is the current thread.
            staged: Recall in stages, by the labels of messages: the current thread, other threads, then preferences and what is important.
            thread_context: With staged: recent messages, so that the question is understood in its context.
            preview: With staged: only look, without counting the memories as used.
            receipt: Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "query": query,
            "also": listed("also", also),
            "top_k": top_k,
            "clip_sentences": clip_sentences,
            "excerpts": excerpts,
            "max_tokens": max_tokens,
            "budget_covers": budget_covers,
            "search_type": search_type,
            "min_score": min_score,
            "min_confidence": min_confidence,
            "rerank": rerank,
            "interleaving": interleaving,
            "interleaving_ratio": interleaving_ratio,
            "enable_redaction": enable_redaction,
            "custom_redaction_patterns": listed("custom_redaction_patterns", custom_redaction_patterns),
            "topics": listed("topics", topics),
            "category": category,
            "message_type": message_type,
            "entities": listed("entities", entities),
            "filter": conditions(filter),
            "asked_at": asked_at,
            "as_of": as_of,
            "use_memory": use_memory,
            "session_id": session_id,
            "staged": staged,
            "thread_context": thread_context,
            "preview": preview,
            "receipt": receipt,
        }
        return RecallResult._of_json(self._call("recall", space_of(space, user_id), arguments))

    def compose(
        self,
        query: str,
        *,
        task: str | None = None,
        mode: str | None = None,
        thread: Id | None = None,
        file: Iterable[str] | None = None,
        lock: bool = False,
        full: bool = False,
        pack: bool = False,
        file_tokens: int | None = None,
        off: Iterable[str] | None = None,
        k: int | None = None,
        search_type: Mode | None = None,
        rerank: str | None = None,
        theta: float | None = None,
        turns: int | None = None,
        history_tokens: int | None = None,
        context_tokens: int | None = None,
        synonyms: Iterable[str] | None = None,
        agents: Iterable[str] | None = None,
        max_tokens: int | None = None,
        max_usd: float | None = None,
        model: str | None = None,
        send: bool = False,
        prompt: str | None = None,
        receipt: bool | None = None,
        asked_at: Time | None = None,
        as_of: Time | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ComposeResult:
        """Composes a prompt from rules, project memory, files, documents and history, in a fixed order of authority.

        The result says what each part is there for, what was left out, and what sending it would cost.

        Args:
            query: What to ask the model.
            task: What kind of work it is, such as "code review".
            mode: How to answer, such as "terse, for experts".
            thread: The conversation that it continues. Its last turns are shown word for word.
            file: A document to inject, by path, file name or id.
            lock: Use the injected files, and neither other documents nor earlier history.
            full: Inject files whole, which is the default; one that does not fit is refused.
            pack: Pack the files into file_tokens, instead of injecting them whole. The prompt says what was left out.
            file_tokens: Tokens of packed files together; default 2000. From 1 to 1e+06.
            off: A document not to use.
            k: How many chunks to retrieve; default 20. From 1 to 100.
            search_type: keyword, semantic or hybrid; default hybrid.
            rerank: Reranker: off, judge or folder:NAME. If omitted, recall.rerank in the configuration applies; if that is not set, the judge is
                used.
            theta: Strictness of the gate, from 0 (keep everything) to 1; default 0.15 by rules, 0.02 by the judge, 0.2 by the model. From 0 to 1.
            turns: How many of the last turns are always shown; default 4. From 0 to 20.
            history_tokens: Tokens of earlier history; default 800. From 0 to 1e+06.
            context_tokens: Tokens of facts and constraints; default 1500. From 0 to 1e+06.
            synonyms: Words that mean the same, in addition to those of the space: "NVH = vehicle acoustics".
            agents: Which agents run: a1 (injects files), a2 (shapes the prompt), a3 (gates what was retrieved), a4 (condenses it). They work by
                rules; `a2=model`, `a3=judge`, `a3=folder:NAME`, `a3=model` and `a4=model` ask the judge, a model from a folder or the configured
                language model. If omitted, compose.agents in the configuration applies.
            max_tokens: Refuse a prompt of more tokens; default 8000. From 1 to 1e+06.
            max_usd: Refuse a prompt that could cost more, in US dollars.
            model: Another model of the configured provider, to send the prompt to.
            send: Send the prompt to the configured model, and show its answer.
            prompt: With send: the prompt as you edited it, to be sent instead.
            receipt: Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides.
            asked_at: When it is asked, to interpret "last week" and the like; by default as_of, or now.
            as_of: Compose from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "query": query,
            "task": task,
            "mode": mode,
            "thread": thread,
            "file": listed("file", file),
            "lock": lock,
            "full": full,
            "pack": pack,
            "file_tokens": file_tokens,
            "off": listed("off", off),
            "k": k,
            "search_type": search_type,
            "rerank": rerank,
            "theta": theta,
            "turns": turns,
            "history_tokens": history_tokens,
            "context_tokens": context_tokens,
            "synonyms": listed("synonyms", synonyms),
            "agents": listed("agents", agents),
            "max_tokens": max_tokens,
            "max_usd": max_usd,
            "model": model,
            "send": send,
            "prompt": prompt,
            "receipt": receipt,
            "asked_at": asked_at,
            "as_of": as_of,
        }
        return ComposeResult._of_json(self._call("compose", space_of(space, user_id), arguments))

    def compose_diff(self, receipt: str, *, space: str | None = None, user_id: Id | None = None) -> ComposeDiff:
        """Composes the prompt of a receipt again from what is stored now, and says what changed since then, and why.

        Args:
            receipt: The id of a composition's receipt, or a prefix of it.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return ComposeDiff._of_json(self._call("compose_diff", space_of(space, user_id), {"receipt": receipt}))

    def query(
        self,
        query: str,
        *,
        strategy: Descent | None = None,
        n: int | None = None,
        n2: int | None = None,
        max_per_level: int | None = None,
        max_paths: int | None = None,
        limit_per_path: int | None = None,
        limit: int | None = None,
        after: str | None = None,
        filter: Iterable[str] | Mapping[str, Any] | None = None,
        rerank: str | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> QueryResult:
        """Descends the category tree for a question and returns the chunks it finds, 20 at a time.

        Without a language model, the chunks that match the question best come first; otherwise they are in the order of
        their paths, then by time and id. For the next page, pass the ``next`` of the previous one as ``after``.

        Args:
            query: The question.
            strategy: Strategy: one_shot, wide_branch, zoom_in or branch_out. If omitted, tree.strategy in the configuration decides.
            n: How many categories the strategy follows on the first level; default 3 for wide_branch, 6 for zoom_in and branch_out. From 1 to 128.
            n2: How many categories fewer (zoom_in) or more (branch_out) it follows on each further level; default 2. From 0 to 128.
            max_per_level: Maximum categories selected under one parent; default 128, unless configured. From 1 to 128.
            max_paths: Maximum paths followed; default 64, unless configured. From 1 to 1000.
            limit_per_path: Maximum chunks per path; all by default. From 1 to 10000.
            limit: Maximum number of chunks; the rest is on the next pages. From 1 to 10000. By default 20.
            after: Cursor for the next page: the `next` of the previous page. No model is asked again.
            filter: Only chunks that pass these conditions, such as tag=release-0.9, path=docs/** or !type=json. Fields: tag, path, type,
                collection, meta.KEY, since, before, until.
            rerank: Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each of the first
                20 chunks of the page and reorders them. If omitted, recall.rerank in the configuration applies.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "query": query,
            "strategy": strategy,
            "n": n,
            "n2": n2,
            "max_per_level": max_per_level,
            "max_paths": max_paths,
            "limit_per_path": limit_per_path,
            "limit": limit,
            "after": after,
            "filter": conditions(filter),
            "rerank": rerank,
        }
        return QueryResult._of_json(self._call("query", space_of(space, user_id), arguments))

    def ask(
        self,
        query: str,
        *,
        also: Iterable[str] | None = None,
        top_k: int | None = None,
        clip_sentences: int | None = None,
        excerpts: Excerpts | None = None,
        max_tokens: int | None = None,
        budget_covers: BudgetCovers | None = None,
        search_type: Mode | None = None,
        min_score: float | None = None,
        min_confidence: float | None = None,
        rerank: str | None = None,
        interleaving: Interleave | None = None,
        interleaving_ratio: float | None = None,
        enable_redaction: bool | None = None,
        custom_redaction_patterns: Iterable[str] | None = None,
        topics: Iterable[str] | None = None,
        category: str | None = None,
        message_type: str | None = None,
        entities: Iterable[str] | None = None,
        filter: Iterable[str] | Mapping[str, Any] | None = None,
        asked_at: Time | None = None,
        as_of: Time | None = None,
        session_id: Id | None = None,
        receipt: bool | None = None,
        dry_run: bool = False,
        route: Route | None = None,
        strategy: Descent | None = None,
        n: int | None = None,
        n2: int | None = None,
        max_per_level: int | None = None,
        max_paths: int | None = None,
        limit_per_path: int | None = None,
        max_token_budget: int | None = None,
        prompt_limiting_strategy: Limiting | None = None,
        use_rankings: bool | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> AskResult:
        """Answers a question from memory, with citations: written by the configured model; without one, quoted from stored text.

        The route ``recall`` searches everything stored; ``tree`` descends the categories of the documents as ``query`` does. The options of a
        descent (``strategy`` and those after it) select the route ``tree``.

        Args:
            query: The question to answer from stored items.
            also: More spaces to search, such as shared:handbook.
            top_k: Maximum number of memories. From 1 to 20. By default 8.
            clip_sentences: Sentences kept of each memory, at least. From 1 to 5. By default 2.
            excerpts: How much of each memory is shown: fill (the sentences that match best, and more while max_tokens has room) or first_sentences
                (clip_sentences from the beginning, and nothing more). By default fill.
            max_tokens: Maximum tokens of the context. From 100 to 3000. By default 1500.
            budget_covers: What max_tokens bounds: text (with headings and sources) or memories. By default text.
            search_type: keyword, semantic or hybrid. By default hybrid.
            min_score: Minimum score, after reranking if it is on; memories below it are dropped. From 0 to 1. By default 0.3.
            min_confidence: With a reranker: if it rates no candidate at least this relevant, nothing is recalled. By default, the value measured
                for the model. From 0 to 1.
            rerank: Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each candidate and
                reorders them. If omitted, recall.rerank in the configuration applies; if that is not set, ask uses the judge.
            interleaving: Order of the memories: alternate, score_first or recency_first. By default alternate.
            interleaving_ratio: With score_first or recency_first: share of the places that the preferred order gets. From 0 to 1.
            enable_redaction: Redact social security numbers, card numbers and e-mail addresses.
            custom_redaction_patterns: More regular expressions to redact. Turns redaction on.
            topics: Only messages labelled with one of these topics of the vocabulary.
            category: Only messages of this category of the vocabulary.
            message_type: Only messages of this type of the vocabulary.
            entities: Only messages that name one of these: an order, a person, an amount.
            filter: Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
                collection, kind, thread, role, speaker, meta.KEY, since, before, until.
            asked_at: When the question is asked, to interpret "last week" and the like; by default as_of, or now.
            as_of: Recall from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
            session_id: Name of the conversation in which the question is asked. It is recorded in the receipt and does not affect results.
            receipt: Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides.
            dry_run: Only estimate the maximum cost; no model is called.
            route: Where to look: recall searches all items; tree descends the document categories.
            strategy: Strategy: one_shot, wide_branch, zoom_in or branch_out. If omitted, tree.strategy in the configuration decides.
            n: How many categories the strategy follows on the first level; default 3 for wide_branch, 6 for zoom_in and branch_out. From 1 to 128.
            n2: How many categories fewer (zoom_in) or more (branch_out) it follows on each further level; default 2. From 0 to 128.
            max_per_level: Maximum categories selected under one parent; default 128, unless configured. From 1 to 128.
            max_paths: Maximum paths followed; default 64, unless configured. From 1 to 1000.
            limit_per_path: Maximum chunks per path; all by default. From 1 to 10000.
            max_token_budget: With tree: maximum tokens of the final prompt. From 1 to 1e+07.
            prompt_limiting_strategy: With tree, if the chunks exceed the budget: prune drops paths, summarize shortens every chunk.
            use_rankings: With prune: drop the lowest-ranked path first, rather than the last in order.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "query": query,
            "also": listed("also", also),
            "top_k": top_k,
            "clip_sentences": clip_sentences,
            "excerpts": excerpts,
            "max_tokens": max_tokens,
            "budget_covers": budget_covers,
            "search_type": search_type,
            "min_score": min_score,
            "min_confidence": min_confidence,
            "rerank": rerank,
            "interleaving": interleaving,
            "interleaving_ratio": interleaving_ratio,
            "enable_redaction": enable_redaction,
            "custom_redaction_patterns": listed("custom_redaction_patterns", custom_redaction_patterns),
            "topics": listed("topics", topics),
            "category": category,
            "message_type": message_type,
            "entities": listed("entities", entities),
            "filter": conditions(filter),
            "asked_at": asked_at,
            "as_of": as_of,
            "session_id": session_id,
            "receipt": receipt,
            "dry_run": dry_run,
            "route": route,
            "strategy": strategy,
            "n": n,
            "n2": n2,
            "max_per_level": max_per_level,
            "max_paths": max_paths,
            "limit_per_path": limit_per_path,
            "max_token_budget": max_token_budget,
            "prompt_limiting_strategy": prompt_limiting_strategy,
            "use_rankings": use_rankings,
        }
        return AskResult._of_json(self._call("ask", space_of(space, user_id), arguments))

    def search(
        self,
        query: str,
        *,
        also: Iterable[str] | None = None,
        mode: Mode | None = None,
        limit: int | None = None,
        topics: Iterable[str] | None = None,
        category: str | None = None,
        message_type: str | None = None,
        entities: Iterable[str] | None = None,
        filter: Iterable[str] | Mapping[str, Any] | None = None,
        rerank: str | None = None,
        asked_at: Time | None = None,
        as_of: Time | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> SearchResult:
        """Returns the best items for a question, each with the parts of its score.

        ``topics``, ``category``, ``message_type`` and ``entities`` keep only messages with these labels.

        Args:
            query: What to search for: words, or a question.
            also: More spaces to search, such as shared:handbook.
            mode: keyword, semantic or hybrid. By default hybrid.
            limit: Maximum number of hits. From 1 to 1000. By default 10.
            topics: Only messages labelled with one of these topics of the vocabulary.
            category: Only messages of this category of the vocabulary.
            message_type: Only messages of this type of the vocabulary.
            entities: Only messages that name one of these: an order, a person, an amount.
            filter: Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
                collection, kind, thread, role, speaker, meta.KEY, since, before, until.
            rerank: Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each of the first
                20 results and reorders them. If omitted, recall.rerank in the configuration applies.
            asked_at: When the question is asked, to interpret "last week" and the like; by default now.
            as_of: Search the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "query": query,
            "also": listed("also", also),
            "mode": mode,
            "limit": limit,
            "topics": listed("topics", topics),
            "category": category,
            "message_type": message_type,
            "entities": listed("entities", entities),
            "filter": conditions(filter),
            "rerank": rerank,
            "asked_at": asked_at,
            "as_of": as_of,
        }
        return SearchResult._of_json(self._call("search", space_of(space, user_id), arguments))

    def search_threads(
        self,
        query: str,
        *,
        also: Iterable[str] | None = None,
        mode: Mode | None = None,
        limit: int | None = None,
        topics: Iterable[str] | None = None,
        category: str | None = None,
        message_type: str | None = None,
        entities: Iterable[str] | None = None,
        filter: Iterable[str] | Mapping[str, Any] | None = None,
        rerank: str | None = None,
        asked_at: Time | None = None,
        as_of: Time | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ThreadSearchResult:
        """Returns the best threads and documents for a question.

        Args:
            query: What to search for: words, or a question.
            also: More spaces to search, such as shared:handbook.
            mode: keyword, semantic or hybrid. By default hybrid.
            limit: Maximum number of hits. From 1 to 1000. By default 10.
            topics: Only messages labelled with one of these topics of the vocabulary.
            category: Only messages of this category of the vocabulary.
            message_type: Only messages of this type of the vocabulary.
            entities: Only messages that name one of these: an order, a person, an amount.
            filter: Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
                collection, kind, thread, role, speaker, meta.KEY, since, before, until.
            rerank: Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each of the first
                20 results and reorders them. If omitted, recall.rerank in the configuration applies.
            asked_at: When the question is asked, to interpret "last week" and the like; by default now.
            as_of: Search the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "query": query,
            "also": listed("also", also),
            "mode": mode,
            "limit": limit,
            "topics": listed("topics", topics),
            "category": category,
            "message_type": message_type,
            "entities": listed("entities", entities),
            "filter": conditions(filter),
            "rerank": rerank,
            "asked_at": asked_at,
            "as_of": as_of,
            "threads": True,
        }
        return ThreadSearchResult._of_json(self._call("search", space_of(space, user_id), arguments))

    def document(
        self,
        meta: Mapping[str, Any],
        *,
        k: int | None = None,
        default_tags: Iterable[str] | None = None,
        strategy: Strategy | None = None,
        as_of: Time | None = None,
        strict: bool = False,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> DocumentResult:
        """Returns the version of the document that best matches a description, and how it was chosen.

        ``meta`` may have ``filename``, ``topic``, ``note``, ``provider``, ``tags`` and ``query``. Fields that are empty or unknown are
        skipped; ``fallbacks`` of the result lists them.

        Args:
            meta: A dict with any of ``filename``, ``topic``, ``note``, ``provider``, ``tags`` and ``query``.
            k: How many documents to consider, with all their versions. From 1 to 1000. By default 50.
            default_tags: More required tags, for programs that add their own to those of a user.
            strategy: Which version: latest, earliest, longest or score. By default latest.
            as_of: With latest: the newest version at that time.
            strict: Fail if the name, tags, query or time match nothing, or a field is empty or unknown, instead of ignoring it.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "k": k,
            "default_tags": listed("default_tags", default_tags),
            "strategy": strategy,
            "as_of": as_of,
            "strict": strict,
        }
        return DocumentResult._of_json(self._call("document", space_of(space, user_id), described(meta, arguments)))

    def retrieve_document_from_metadata(
        self,
        meta: Mapping[str, Any],
        *,
        user_id: Id | None = None,
        k: int = 50,
        default_tags: Iterable[str] | None = None,
        strategy: Strategy = "latest",
        as_of: Time | None = None,
    ) -> str:
        """Returns the text of the document that best matches a description.

        A part of the description that matches nothing is skipped, with a ``UserWarning``. ``document`` lists what was skipped.

        Args:
            meta: A dict with any of ``filename``, ``topic``, ``note``, ``provider``, ``tags`` and ``query``.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
            k: How many documents to consider, with all their versions. From 1 to 1000. By default 50.
            default_tags: More required tags, for programs that add their own to those of a user.
            strategy: Which version: latest, earliest, longest or score. By default latest.
            as_of: With latest: the newest version at that time.
        """
        tags = listed("default_tags", default_tags)
        arguments = described(meta, {"k": k, "default_tags": tags, "strategy": strategy, "as_of": as_of})
        found = DocumentResult._of_json(self._call("document", space_of(None, user_id), arguments))
        for fallback in found.fallbacks:
            warnings.warn(fallback.what, stacklevel=2)
        return str(found.text)

    def documents(
        self,
        *,
        filter: Iterable[str] | Mapping[str, Any] | None = None,
        after: int | None = None,
        limit: int | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> Records[Document]:
        """Lists all documents, in the order they were first stored, or those that pass a filter.

        For the next page, pass the ``document_id`` of the last one as ``after``.

        Args:
            filter: Only documents that pass these conditions, such as tag=release-0.9, path=docs/** or !type=json. Fields: tag, path, type,
                collection, meta.KEY, since, before, until.
            after: Only documents after this id: the last one of the page before.
            limit: Maximum number of documents; all by default. From 1 to 10000.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"filter": conditions(filter), "after": after, "limit": limit}
        return Records(map(Document, self._list("documents", space_of(space, user_id), arguments)))

    def document_text(
        self, name: str, *, version: int | None = None, space: str | None = None, user_id: Id | None = None
    ) -> DocumentText:
        """Returns the text of a document, by path, file name or id; of the newest version by default.

        Args:
            name: Its path, file name or id.
            version: Version number; the newest by default.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"name": name, "version": version}
        return DocumentText._of_json(self._call("document_text", space_of(space, user_id), arguments))

    def document_versions(
        self, name: str, *, space: str | None = None, user_id: Id | None = None
    ) -> Records[Version]:
        """Lists the versions of a document, oldest first.

        Args:
            name: Its path, file name or id.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return Records(map(Version, self._list("document_versions", space_of(space, user_id), {"name": name})))

    def document_diff(
        self,
        name: str,
        *,
        from_: int | None = None,
        to: int | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> Difference:
        """Compares two versions of a document; by default the newest and the one before it.

        Args:
            name: Its path, file name or id.
            from_: The older version; by default the one before the newer.
            to: The newer version; the newest by default.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"name": name, "from": from_, "to": to}
        return Difference._of_json(self._call("document_diff", space_of(space, user_id), arguments))

    def tag_document(
        self,
        name: str,
        tags: Iterable[str],
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> DocumentEdit:
        """Adds tags to a document, without a new version of its text.

        Args:
            name: Its path, file name or id.
            tags: Tags to add.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"name": name, "tags": listed("tags", tags), "operation": operation}
        return DocumentEdit._of_json(self._call("tag_document", space_of(space, user_id), arguments))

    def untag_document(
        self,
        name: str,
        tags: Iterable[str],
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> DocumentEdit:
        """Removes tags from a document, without a new version of its text.

        Args:
            name: Its path, file name or id.
            tags: Tags to remove.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"name": name, "tags": listed("tags", tags), "operation": operation}
        return DocumentEdit._of_json(self._call("untag_document", space_of(space, user_id), arguments))

    def set_document(
        self,
        name: str,
        *,
        topic: str | None = None,
        note: str | None = None,
        provider: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> DocumentEdit:
        """Sets the topic, note, provider or metadata of a document, without a new version of its text.

        Args:
            name: Its path, file name or id.
            topic: Its topic; an empty text removes it.
            note: A note about it; an empty text removes it.
            provider: Who supplied it; an empty text removes it.
            metadata: Fields of its metadata to set, as a JSON object. A field that is null is removed; the others stay.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "name": name,
            "topic": topic,
            "note": note,
            "provider": provider,
            "metadata": metadata,
            "operation": operation,
        }
        return DocumentEdit._of_json(self._call("set_document", space_of(space, user_id), arguments))

    def move_document(
        self,
        name: str,
        to: str,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> DocumentEdit:
        """Renames a document. Its history stays, and the file itself is not touched.

        Args:
            name: Its path, file name or id.
            to: Its new name in the collection, or its new path.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"name": name, "to": to, "operation": operation}
        return DocumentEdit._of_json(self._call("move_document", space_of(space, user_id), arguments))

    def classify(
        self, *, operation: Id | None = None, space: str | None = None, user_id: Id | None = None
    ) -> ClassifyReport:
        """Classifies chunks that have no category yet into the category tree. The report says how many are still unclassified.

        Args:
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"operation": operation}
        return ClassifyReport._of_json(self._call("classify", space_of(space, user_id), arguments))

    def tree(self, *, space: str | None = None, user_id: Id | None = None) -> TreeView:
        """Returns the category tree with the number of chunks in each category. ``str()`` of the result draws it.

        Args:
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return TreeView._of_json(self._call("tree", space_of(space, user_id), {}))

    def rename_category(
        self,
        category: str | int,
        name: str,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> TreeEdited:
        """Renames a category. Give its id, or its path, such as ``Travel > Trains``.

        Args:
            category: The category's id, or its path, such as Travel > Trains.
            name: The new name.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"category": str(category), "name": name, "operation": operation}
        return TreeEdited._of_json(self._call("rename_category", space_of(space, user_id), arguments))

    def merge_categories(
        self,
        category: str | int,
        into: str | int,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> TreeEdited:
        """Merges a category into another on the same level, with all its subcategories and chunks.

        Args:
            category: The category to merge: its id, or its path, such as Travel > Trains.
            into: The category to merge it into, on the same level.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"category": str(category), "into": str(into), "operation": operation}
        return TreeEdited._of_json(self._call("merge_categories", space_of(space, user_id), arguments))

    def move_category(
        self,
        category: str | int,
        under: str | int,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> TreeEdited:
        """Moves a category under another parent on the level above it.

        Args:
            category: The category's id, or its path, such as Travel > Trains.
            under: The new parent, on the level above.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"category": str(category), "under": str(under), "operation": operation}
        return TreeEdited._of_json(self._call("move_category", space_of(space, user_id), arguments))

    def deepen_tree(
        self,
        depth: int,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> TreeEdited:
        """Adds levels to the tree. Chunks move to new leaves on the last level, which have the names of the old leaves.

        Args:
            depth: The new number of levels. From 2 to 100.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"depth": depth, "operation": operation}
        return TreeEdited._of_json(self._call("deepen_tree", space_of(space, user_id), arguments))

    def helper(
        self,
        name: str,
        *,
        helper: Mapping[str, Any] | None = None,
        regenerate: bool = False,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> HelperView:
        """Returns or sets the contextual helper of a document, by path, file name or id.

        ``helper`` sets a new one; ``regenerate`` generates one, even if a user has set it.

        Args:
            name: The document's path, file name or id.
            helper: A new helper: an object with text, or with date, author, topic and description.
            regenerate: Regenerate it from the document's current text. This also replaces a helper that a user has set.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"name": name, "helper": helper, "regenerate": regenerate, "operation": operation}
        return HelperView._of_json(self._call("helper", space_of(space, user_id), arguments))

    def threads(self, *, space: str | None = None, user_id: Id | None = None) -> Records[Thread]:
        """Lists all threads, oldest first.

        Args:
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return Records(map(Thread, self._list("threads", space_of(space, user_id), {})))

    def messages(
        self, thread: Id | None = None, *, space: str | None = None, user_id: Id | None = None
    ) -> Records[StoredMessage]:
        """Lists the messages of a thread, or those that belong to no thread, in the order they were stored.

        Args:
            thread: The thread's name; by default, the messages outside any thread.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return Records(map(StoredMessage, self._list("messages", space_of(space, user_id), {"thread": thread})))

    def item(
        self,
        item: int | None = None,
        *,
        id: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> StoredItem:
        """Returns one item, by its number or by your own id for it, with its metadata.

        Args:
            item: Its number, as search results show it.
            id: Your own id for it, instead of its number.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"item": item, "id": id}
        return StoredItem._of_json(self._call("item", space_of(space, user_id), arguments))

    def items(
        self,
        items: Iterable[int] | None = None,
        *,
        ids: Iterable[Id] | None = None,
        kind: ItemKind | None = None,
        filter: Iterable[str] | Mapping[str, Any] | None = None,
        after: int | None = None,
        limit: int | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ItemList:
        """Lists the current items of a space, such as its facts, page by page; or returns several by their ids.

        For the next page, pass the ``next`` of the previous one as ``after``.

        Args:
            items: Only the items with these numbers.
            ids: Only the items with these own ids.
            kind: Only items of this kind. One of message, fact, summary, chunk.
            filter: Only items that pass these conditions, such as thread=standup, speaker=Ana or !meta.draft=true. Fields: tag, path, type,
                collection, kind, thread, role, speaker, meta.KEY, since, before, until.
            after: Only items after this number: `next` of the page before.
            limit: Maximum number of items on a page. From 1 to 1000. By default 100.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "items": listed("items", items),
            "ids": listed("ids", ids),
            "kind": kind,
            "filter": conditions(filter),
            "after": after,
            "limit": limit,
        }
        return ItemList._of_json(self._call("items", space_of(space, user_id), arguments))

    def update(
        self,
        item: int | None = None,
        *,
        id: Id | None = None,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> Updated:
        """Changes the text or the metadata of a message, fact or summary, by its number or by your own id for it.

        It keeps its thread, role, speaker, time and own id, and gets a new number. ``history`` shows what it was.

        Args:
            item: Its number, as search results show it.
            id: Your own id for it, instead of its number.
            text: The new text.
            metadata: A JSON object that takes the place of its metadata.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"item": item, "id": id, "text": text, "metadata": metadata, "operation": operation}
        return Updated._of_json(self._call("update", space_of(space, user_id), arguments))

    def history(
        self,
        item: int | None = None,
        *,
        id: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ItemHistory:
        """Returns all that an item was, the newest first: the rows that ``update`` replaced, and those with its own id.

        Args:
            item: Its number, as search results show it.
            id: Your own id for it, instead of its number.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"item": item, "id": id}
        return ItemHistory._of_json(self._call("history", space_of(space, user_id), arguments))

    def vocabulary(self, *, version: str | None = None) -> VocabularyView:
        """Returns the vocabulary that messages are labelled with, or an earlier version. ``str()`` of the result is a file in TOML.

        Args:
            version: The version; by default, the current one.
        """
        return VocabularyView._of_json(self._call("vocabulary", None, {"version": version}))

    def vocabulary_history(self) -> Records[VocabularyChange]:
        """Lists all changes of the vocabulary, oldest first."""
        return Records(map(VocabularyChange, self._list("vocabulary_history", None, {})))

    def import_vocabulary(self, text: str) -> VocabularyEdited:
        """Makes the terms of a file in TOML the current version of the vocabulary. Messages keep the labels that they have.

        Args:
            text: The vocabulary as TOML, as the verb vocabulary returns it in text.
        """
        return VocabularyEdited._of_json(self._call("import_vocabulary", None, {"text": text}))

    def suggestions(
        self, *, kind: TermKind | None = None, min_frequency: int | None = None, limit: int | None = None
    ) -> Records[Suggestion]:
        """Lists terms that the vocabulary lacks, with examples from all spaces: topics by default.

        Args:
            kind: topic or category.
            min_frequency: Show terms suggested at least this often. From 1 to 1e+06. By default 5.
            limit: Maximum number of suggestions. From 1 to 1000. By default 20.
        """
        arguments = {"kind": kind, "min_frequency": min_frequency, "limit": limit}
        return Records(map(Suggestion, self._list("suggestions", None, arguments)))

    def approve_term(self, term: str, *, kind: TermKind | None = None) -> VocabularyEdited:
        """Adds a suggested topic or category to the vocabulary, and to the messages that suggested it.

        If it is interrupted while it relabels, ``work`` finishes it.

        Args:
            term: The suggested term.
            kind: topic or category.
        """
        return VocabularyEdited._of_json(self._call("approve_term", None, {"term": term, "kind": kind}))

    def reject_term(self, term: str, *, kind: TermKind | None = None) -> VocabularyEdited:
        """Rejects a suggested topic or category: it is no longer suggested.

        Args:
            term: The suggested term.
            kind: topic or category.
        """
        return VocabularyEdited._of_json(self._call("reject_term", None, {"term": term, "kind": kind}))

    def undo_approval(self, term: str, *, kind: TermKind | None = None) -> VocabularyEdited:
        """Removes an approved topic or category from the vocabulary, and restores the labels from before the approval.

        Args:
            term: The approved term.
            kind: topic or category.
        """
        return VocabularyEdited._of_json(self._call("undo_approval", None, {"term": term, "kind": kind}))

    def enrich(
        self,
        *,
        dry_run: bool = False,
        outdated: bool = False,
        all_spaces: bool = False,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> Backlog:
        """Queues messages that the configured model, or the built-in method, has not labelled yet.

        With ``dry_run`` it only returns how many there are, and what labelling them would cost at most. With ``outdated``, messages
        that were labelled with another version of the vocabulary count as well.

        Args:
            dry_run: Only show how many messages there are, and what labelling them would cost at most.
            outdated: Also messages that were labelled with another version of the vocabulary.
            all_spaces: In all spaces, rather than in one.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"dry_run": dry_run, "outdated": outdated, "all_spaces": all_spaces, "operation": operation}
        return Backlog._of_json(self._call("enrich", space_of(space, user_id), arguments))

    def work(self, *, keep_running: bool = False) -> WorkReport:
        """Does the jobs of the queue, in all spaces, until it is empty; with ``keep_running``, until it is cancelled or interrupted.

        Args:
            keep_running: When the queue is empty, wait for more until stopped.
        """
        return WorkReport._of_json(self._call("work", None, {"keep_running": keep_running}))

    def queue(self) -> QueueReport:
        """Returns the state of the queue in all spaces: waiting and running jobs, and those set aside, with the reason."""
        return QueueReport._of_json(self._call("queue", None, {}))

    def make_key(
        self,
        name: str,
        *,
        spaces: Iterable[str] | None = None,
        read: Iterable[str] | None = None,
        admin: bool = False,
        expires: Time | None = None,
        max_usd_per_day: float | None = None,
    ) -> MadeKey:
        """Makes an API key for the server. The key itself is in ``key``; it is shown only now, and stored nowhere.

        Args:
            name: What to call the key. Two keys that are not revoked cannot have the same name.
            spaces: The spaces that the key may read and write: a space such as user:ada, a kind such as user:*, a prefix such as user:team-*, or *
                for all.
            read: The spaces that the key may only read, as patterns of the same form.
            admin: The key may do everything: use every space and file, make keys, restore backups.
            expires: When the key expires: a time such as 2026-12-31, or a duration from now such as 90d (units: s, m, h, d, w). By default, never.
            max_usd_per_day: The most that language models may cost for this key in a day, in US dollars. By default, only the limits of the
                configuration apply. From 0 to 1e+06.
        """
        arguments = {
            "name": name,
            "spaces": listed("spaces", spaces),
            "read": listed("read", read),
            "admin": admin,
            "expires": expires,
            "max_usd_per_day": max_usd_per_day,
        }
        return MadeKey._of_json(self._call("make_key", None, arguments))

    def keys(self) -> Records[Key]:
        """Lists the API keys of the server, the oldest first, with those that are revoked or have expired."""
        return Records(map(Key, self._list("keys", None, {})))

    def revoke_key(self, key: str) -> Key:
        """Revokes an API key: from now on, it is refused. Revoking it again changes nothing.

        Args:
            key: The id or the name of the key.
        """
        return Key._of_json(self._call("revoke_key", None, {"key": key}))

    def metrics(self) -> MetricsReport:
        """Returns the metrics of recalls since this object was opened, such as ``retrieval.latency_ms.mean``."""
        return MetricsReport._of_json(self._call("metrics", None, {}))

    def retry_jobs(
        self, *, operation: Id | None = None, space: str | None = None, user_id: Id | None = None
    ) -> JobsChanged:
        """Returns the jobs of a space that were set aside to the queue.

        Args:
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return JobsChanged._of_json(self._call("retry_jobs", space_of(space, user_id), {"operation": operation}))

    def cancel_jobs(
        self, *, operation: Id | None = None, space: str | None = None, user_id: Id | None = None
    ) -> JobsChanged:
        """Removes all jobs of a space from the queue. Its messages stay as they are.

        Args:
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return JobsChanged._of_json(self._call("cancel_jobs", space_of(space, user_id), {"operation": operation}))

    def entail(
        self, passage: str, statement: str, *, space: str | None = None, user_id: Id | None = None
    ) -> Entailed:
        """Judges whether a statement follows from a passage, is open, or is contradicted, with a probability for each.

        Args:
            passage: The passage that counts as true. The judge reads the part of it that matches the statement best.
            statement: The statement to judge.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"passage": passage, "statement": statement}
        return Entailed._of_json(self._call("entail", space_of(space, user_id), arguments))

    def spaces(self) -> list[str]:
        """Lists all spaces of the database."""
        return list(self._list("spaces", None, {}))

    def models(self) -> ModelsReport:
        """Returns the embedder, the tokenizer, the judge, the registered model folders and the language model, with its price and today's spending."""
        return ModelsReport._of_json(self._call("models", None, {}))

    def test_models(self, *, dry_run: bool = False) -> ModelsTest:
        """Runs every task once with the configured language model.

        Args:
            dry_run: Only estimate the maximum cost; no model is called.
        """
        return ModelsTest._of_json(self._call("test_models", None, {"dry_run": dry_run}))

    def add_model(self, folder: Path, *, name: str | None = None) -> AddedModel:
        """Loads a model from a folder of this machine, tries it, and registers it. From then on, ``folder:NAME`` stands for it.

        Args:
            folder: The folder of the model: model.onnx (or onnx/model.onnx), config.json and tokenizer.json.
            name: What to call it. By default, the name of the folder.
        """
        return AddedModel._of_json(self._call("add_model", None, {"folder": folder, "name": name}))

    def check_models(self, name: str | None = None) -> ModelsCheck:
        """Loads the shipped judge and every registered model, compares their checksums, and runs a sample.

        Args:
            name: The model to check: the name of a registered one, or judge for the one that comes with the program. By default all.
        """
        return ModelsCheck._of_json(self._call("check_models", None, {"name": name}))

    def remove_model(self, name: str) -> ModelFolder:
        """Removes a model from the register. Its files stay where they are.

        Args:
            name: The name of the registered model.
        """
        return ModelFolder._of_json(self._call("remove_model", None, {"name": name}))

    def reembed(self, model: str) -> Reembedded:
        """Moves the database to another embedder, while searches go on.

        Args:
            model: The embedder to move to: recordar-static-256.1, recordar-static-128.1, or the name of the program's own.
        """
        return Reembedded._of_json(self._call("reembed", None, {"model": model}))

    def why(self, receipt: str, *, space: str | None = None, user_id: Id | None = None) -> Why:
        """Rebuilds the context of a receipt from the items it names, and compares it with the original.

        Args:
            receipt: The receipt's id, or a prefix of it.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return Why._of_json(self._call("why", space_of(space, user_id), {"receipt": receipt}))

    def why_not(
        self,
        item: int,
        query: str,
        *,
        also: Iterable[str] | None = None,
        top_k: int | None = None,
        clip_sentences: int | None = None,
        excerpts: Excerpts | None = None,
        max_tokens: int | None = None,
        budget_covers: BudgetCovers | None = None,
        search_type: Mode | None = None,
        min_score: float | None = None,
        min_confidence: float | None = None,
        rerank: str | None = None,
        interleaving: Interleave | None = None,
        interleaving_ratio: float | None = None,
        enable_redaction: bool | None = None,
        custom_redaction_patterns: Iterable[str] | None = None,
        topics: Iterable[str] | None = None,
        category: str | None = None,
        message_type: str | None = None,
        entities: Iterable[str] | None = None,
        filter: Iterable[str] | Mapping[str, Any] | None = None,
        asked_at: Time | None = None,
        as_of: Time | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> WhyNot:
        """Explains at which stage a recall dropped an item, and which settings would include it.

        Args:
            item: The id of the missing item.
            query: The query.
            also: More spaces to search, such as shared:handbook.
            top_k: Maximum number of memories. From 1 to 20. By default 8.
            clip_sentences: Sentences kept of each memory, at least. From 1 to 5. By default 2.
            excerpts: How much of each memory is shown: fill (the sentences that match best, and more while max_tokens has room) or first_sentences
                (clip_sentences from the beginning, and nothing more). By default fill.
            max_tokens: Maximum tokens of the context. From 100 to 3000. By default 1500.
            budget_covers: What max_tokens bounds: text (with headings and sources) or memories. By default text.
            search_type: keyword, semantic or hybrid. By default hybrid.
            min_score: Minimum score, after reranking if it is on; memories below it are dropped. From 0 to 1. By default 0.3.
            min_confidence: With a reranker: if it rates no candidate at least this relevant, nothing is recalled. By default, the value measured
                for the model. From 0 to 1.
            rerank: Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each candidate and
                reorders them. If omitted, recall.rerank in the configuration applies; if that is not set, ask uses the judge.
            interleaving: Order of the memories: alternate, score_first or recency_first. By default alternate.
            interleaving_ratio: With score_first or recency_first: share of the places that the preferred order gets. From 0 to 1.
            enable_redaction: Redact social security numbers, card numbers and e-mail addresses.
            custom_redaction_patterns: More regular expressions to redact. Turns redaction on.
            topics: Only messages labelled with one of these topics of the vocabulary.
            category: Only messages of this category of the vocabulary.
            message_type: Only messages of this type of the vocabulary.
            entities: Only messages that name one of these: an order, a person, an amount.
            filter: Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
                collection, kind, thread, role, speaker, meta.KEY, since, before, until.
            asked_at: When the question is asked, to interpret "last week" and the like; by default as_of, or now.
            as_of: Recall from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "item": item,
            "query": query,
            "also": listed("also", also),
            "top_k": top_k,
            "clip_sentences": clip_sentences,
            "excerpts": excerpts,
            "max_tokens": max_tokens,
            "budget_covers": budget_covers,
            "search_type": search_type,
            "min_score": min_score,
            "min_confidence": min_confidence,
            "rerank": rerank,
            "interleaving": interleaving,
            "interleaving_ratio": interleaving_ratio,
            "enable_redaction": enable_redaction,
            "custom_redaction_patterns": listed("custom_redaction_patterns", custom_redaction_patterns),
            "topics": listed("topics", topics),
            "category": category,
            "message_type": message_type,
            "entities": listed("entities", entities),
            "filter": conditions(filter),
            "asked_at": asked_at,
            "as_of": as_of,
        }
        return WhyNot._of_json(self._call("why_not", space_of(space, user_id), arguments))

    def receipts(
        self, *, limit: int | None = None, space: str | None = None, user_id: Id | None = None
    ) -> Records[ReceiptSummary]:
        """Lists the receipts of recalls and answers, newest first.

        Args:
            limit: Maximum number of receipts. From 1 to 10000. By default 50.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return Records(map(ReceiptSummary, self._list("receipts", space_of(space, user_id), {"limit": limit})))

    def forget(
        self,
        *,
        items: Iterable[int] | None = None,
        ids: Iterable[Id] | None = None,
        document: str | None = None,
        version: int | None = None,
        thread: Id | None = None,
        receipts: Iterable[str] | None = None,
        whole_space: bool = False,
        dry_run: bool = False,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ForgetReport:
        """Deletes items, a document, a thread, receipts or a whole space for good, with everything derived from them.

        Args:
            items: Ids of items.
            ids: Your own ids of messages, facts or summaries. The ones that they replaced are deleted too.
            document: A document by its path, file name or id, with all its versions.
            version: Of the document, only this version. Chunks that other versions have stay.
            thread: A thread by its name, with all its messages.
            receipts: Receipts by their ids, with the questions they hold. Their items stay.
            whole_space: The whole space, with everything in it.
            dry_run: Only show what would be removed.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "items": listed("items", items),
            "ids": listed("ids", ids),
            "document": document,
            "version": version,
            "thread": thread,
            "receipts": listed("receipts", receipts),
            "whole_space": whole_space,
            "dry_run": dry_run,
            "operation": operation,
        }
        return ForgetReport._of_json(self._call("forget", space_of(space, user_id), arguments))

    def set_expiry(
        self,
        *,
        thread: Id | None = None,
        item: int | None = None,
        id: Id | None = None,
        tag: str | None = None,
        expires: Time | None = None,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ExpirySet:
        """Sets or changes when a thread, an item or the documents with a tag are to be forgotten. Without ``expires``, its end is removed.

        What has come to its end is deleted by the next ``expire``, or by a worker.

        Args:
            thread: A thread by its name, with all its messages.
            item: A message, fact or summary by its number.
            id: A message, fact or summary by your own id, with the ones it replaced.
            tag: A tag: the documents that carry it when its end has come.
            expires: When it is to be forgotten: a time such as 2026-12-31, or a duration from now such as 30d (units: s, m, h, d, w). If left out,
                its end is removed, and it is kept.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "thread": thread,
            "item": item,
            "id": id,
            "tag": tag,
            "expires": expires,
            "operation": operation,
        }
        return ExpirySet._of_json(self._call("set_expiry", space_of(space, user_id), arguments))

    def expiries(
        self, *, limit: int = 100, space: str | None = None, user_id: Id | None = None
    ) -> Records[Ending]:
        """Returns what has an end, the earliest first.

        Args:
            limit: Show at most this number. From 1 to 10000. By default 100.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return Records(map(Ending, self._list("expiries", space_of(space, user_id), {"limit": limit})))

    def put_records(
        self,
        records: Iterable[Mapping[str, Any]] | None = None,
        *,
        delete: Iterable[Mapping[str, str]] | None = None,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> RecordsPut:
        """Stores records: named values of an application. They are never searched or recalled. All of them are stored, or none.

        A record is a mapping with ``bucket``, ``key`` and ``value``, which is ``bytes`` or ``str``.

        Args:
            records: The records, each with bucket, key and text or base64. Those that exist are replaced, unless keep is true.
            delete: Records to delete in the same transaction, each with bucket and key.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "records": recorded(records),
            "delete": listed("delete", delete),
            "operation": operation,
        }
        return RecordsPut._of_json(self._call("put_records", space_of(space, user_id), arguments))

    def records(
        self,
        bucket: str,
        *,
        below: bool = False,
        keys: Iterable[str] | None = None,
        prefix: str = "",
        order: RecordOrder | None = None,
        reverse: bool = False,
        values: bool = True,
        offset: int = 0,
        limit: int = 100,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> RecordList:
        """Returns a page of the records of a bucket. ``value`` of each is its value as bytes.

        Args:
            bucket: The bucket.
            below: Also buckets whose names begin with it.
            keys: Only these keys.
            prefix: Only keys that begin with this.
            order: The order: key (by bucket and key), or age (by when buckets, and records in them, were first stored). By default key.
            reverse: From the last to the first.
            values: Whether to return the values. By default True.
            offset: Skip this number of records: `next` of the page before. From 0 to 4.29497e+09.
            limit: Maximum number of records on a page. A page ends early after 16 MiB of values. From 1 to 1000. By default 100.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "bucket": bucket,
            "below": below,
            "keys": listed("keys", keys),
            "prefix": prefix,
            "order": order,
            "reverse": reverse,
            "values": values,
            "offset": offset,
            "limit": limit,
        }
        return RecordList._of_json(self._call("records", space_of(space, user_id), arguments))

    def buckets(
        self, *, prefix: str = "", offset: int = 0, limit: int = 100, space: str | None = None, user_id: Id | None = None
    ) -> BucketList:
        """Returns the buckets that have records, by name.

        Args:
            prefix: Only buckets whose names begin with this.
            offset: Skip this number of buckets: `next` of the page before. From 0 to 4.29497e+09.
            limit: Maximum number of buckets on a page. From 1 to 1000. By default 100.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"prefix": prefix, "offset": offset, "limit": limit}
        return BucketList._of_json(self._call("buckets", space_of(space, user_id), arguments))

    def delete_records(
        self,
        bucket: str,
        *,
        below: bool = False,
        keys: Iterable[str] | None = None,
        prefix: str = "",
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> RecordsDeleted:
        """Deletes records of a bucket: all of them, or those with these keys, or whose keys begin with ``prefix``.

        Args:
            bucket: The bucket. Without keys and prefix, all its records are deleted.
            below: Also in buckets whose names begin with it.
            keys: Only these keys.
            prefix: Only keys that begin with this.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"bucket": bucket, "below": below, "keys": listed("keys", keys), "prefix": prefix, "operation": operation}
        return RecordsDeleted._of_json(self._call("delete_records", space_of(space, user_id), arguments))

    def expire(
        self,
        *,
        all_spaces: bool = False,
        dry_run: bool = False,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ExpireReport:
        """Deletes for good what has come to its end, and returns counts.

        Args:
            all_spaces: In all spaces, rather than in one.
            dry_run: Only show what would be removed.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"all_spaces": all_spaces, "dry_run": dry_run, "operation": operation}
        return ExpireReport._of_json(self._call("expire", space_of(space, user_id), arguments))

    def facts(
        self,
        *,
        subject: str | None = None,
        attribute: str | None = None,
        as_of: Time | None = None,
        at: Time | None = None,
        all: bool = False,
        unverified: bool = False,
        limit: int = 1000,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> FactList:
        """Returns facts: what holds, since when, and who said so.

        Args:
            subject: Only facts about this subject, such as a person's name.
            attribute: Only this attribute, such as "lives in".
            as_of: What was known at this time, and held.
            at: What held at this time, as far as is known.
            all: Also facts that have ended, that a person retired or overruled, or that begin later.
            unverified: Only facts that are to be looked at again: something that they come from was changed or retired, or their date has come.
                Also stored facts and summaries.
            limit: The most facts to list. From 1 to 10000. By default 1000.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "subject": subject,
            "attribute": attribute,
            "as_of": as_of,
            "at": at,
            "all": all,
            "unverified": unverified,
            "limit": limit,
        }
        return FactList._of_json(self._call("facts", space_of(space, user_id), arguments))

    def fact_history(
        self,
        fact: int,
        *,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> FactHistory:
        """Returns all that was stated about the same subject and attribute as a fact, and what people did about it.

        Args:
            fact: The number of a fact.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"fact": fact}
        return FactHistory._of_json(self._call("fact_history", space_of(space, user_id), arguments))

    def retire_fact(
        self,
        fact: int,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> FactChanged:
        """Retires a fact: it no longer counts, and what it had ended holds again. It stays in the history.

        Args:
            fact: The number of a fact.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"fact": fact, "operation": operation}
        return FactChanged._of_json(self._call("retire_fact", space_of(space, user_id), arguments))

    def restore_fact(
        self,
        fact: int,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> FactChanged:
        """Restores a fact that was retired.

        Args:
            fact: The number of a fact.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"fact": fact, "operation": operation}
        return FactChanged._of_json(self._call("restore_fact", space_of(space, user_id), arguments))

    def correct_fact(
        self,
        fact: int,
        value: str,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> FactChanged:
        """Corrects a fact. A person's word beats extracted ones, and stays.

        Args:
            fact: The number of a fact.
            value: The right value.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"fact": fact, "value": value, "operation": operation}
        return FactChanged._of_json(self._call("correct_fact", space_of(space, user_id), arguments))

    def confirm_fact(
        self,
        fact: int,
        *,
        review_by: Time | None = None,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> FactConfirmed:
        """Confirms a fact or a summary: it is verified until something that it comes from changes again, or the date comes.

        Args:
            fact: The number of a fact or a summary.
            review_by: When to look at it again. Without it, an earlier date that is still to come stays.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"fact": fact, "review_by": review_by, "operation": operation}
        return FactConfirmed._of_json(self._call("confirm_fact", space_of(space, user_id), arguments))

    def extract_facts(
        self,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ExtractReport:
        """Extracts facts from stored messages: at once, and by the language model, if there is one, from the queue.

        Args:
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"operation": operation}
        return ExtractReport._of_json(self._call("extract_facts", space_of(space, user_id), arguments))

    def summaries(
        self,
        *,
        thread: Id | None = None,
        limit: int = 100,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> SummaryList:
        """Lists the summaries of old messages, each with the messages that it sums up.

        Args:
            thread: Only summaries of this thread.
            limit: The most summaries to list. From 1 to 1000. By default 100.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"thread": thread, "limit": limit}
        return SummaryList._of_json(self._call("summaries", space_of(space, user_id), arguments))

    def summarise_threads(
        self,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> SummariesQueued:
        """Queues the threads that are already stored to be summed up; the jobs of the queue make the summaries.

        Args:
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"operation": operation}
        return SummariesQueued._of_json(self._call("summarise_threads", space_of(space, user_id), arguments))

    def standing_text(
        self,
        kind: StandingKind,
        *,
        version: int | None = None,
        as_of: Time | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> StandingText:
        """Returns a standing text of a space: its rules, its project memory, or its synonyms.

        The version is 0 if nothing was ever set.

        Args:
            kind: Which text: the rules, the project memory (what is known about the project), or the synonyms (words that mean the same).
            version: The number of a version; the current one if it is absent.
            as_of: As it was at this time.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"kind": kind, "version": version, "as_of": as_of}
        return StandingText._of_json(self._call("standing_text", space_of(space, user_id), arguments))

    def set_standing_text(
        self,
        kind: StandingKind,
        text: str,
        *,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> StandingTextSet:
        """Sets the rules, the project memory or the synonyms of a space. What was there stays in the history.

        Args:
            kind: Which text: the rules, the project memory, or the synonyms.
            text: The new text, in place of the whole text before; empty for none. Synonyms are lines such as `NVH = vehicle acoustics`.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"kind": kind, "text": text, "operation": operation}
        return StandingTextSet._of_json(self._call("set_standing_text", space_of(space, user_id), arguments))

    def standing_text_history(
        self, kind: StandingKind, *, space: str | None = None, user_id: Id | None = None
    ) -> StandingTextHistory:
        """Returns all versions of the rules, the project memory or the synonyms of a space, the newest first.

        Args:
            kind: Which text: the rules, the project memory, or the synonyms.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return StandingTextHistory._of_json(self._call("standing_text_history", space_of(space, user_id), {"kind": kind}))

    def standing_text_diff(
        self,
        kind: StandingKind,
        *,
        from_: int | None = None,
        to: int | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> StandingTextDifference:
        """Returns the differences between two versions of the rules, the project memory or the synonyms, as a unified diff.

        Args:
            kind: Which text: the rules, the project memory, or the synonyms.
            from_: The earlier version; by default the one before the later one. Version 0 is the empty text before the first.
            to: The later version; by default the newest.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"kind": kind, "from": from_, "to": to}
        return StandingTextDifference._of_json(self._call("standing_text_diff", space_of(space, user_id), arguments))

    def important(
        self,
        item: int | None = None,
        *,
        id: Id | None = None,
        off: bool = False,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ImportantMarked:
        """Marks an item as important, or no longer. Composing prefers important items, however old they are.

        Args:
            item: Its number, as search results show it.
            id: Your own id for it, instead of its number.
            off: Take the mark away.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"item": item, "id": id, "off": off, "operation": operation}
        return ImportantMarked._of_json(self._call("important", space_of(space, user_id), arguments))

    def operation(
        self, operation: str, *, space: str | None = None, user_id: Id | None = None
    ) -> Records[Operation]:
        """Returns the outcome of an operation, or of each of its parts.

        Args:
            operation: The operation's id.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        return Records(map(Operation, self._list("operation", space_of(space, user_id), {"operation": operation})))

    def export(
        self,
        file: Path,
        *,
        all: bool = False,
        force: bool = False,
        redact: bool = False,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ExportReport:
        """Writes a consistent snapshot of a space, or of the whole store, as JSON lines.

        The export is exact, whatever ``recall.enable_redaction`` says. With ``redact`` it is redacted, and cannot be imported.

        Args:
            file: The file to write.
            all: Export the whole store instead of one space.
            force: Overwrite an existing file.
            redact: Redact the export: for reading only, it cannot be imported. Otherwise the export is exact, even if recall.enable_redaction is
                on.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {"file": file, "all": all, "force": force, "redact": redact}
        return ExportReport._of_json(self._call("export", space_of(space, user_id), arguments))

    def import_(
        self,
        file: Path,
        *,
        format: Format | None = None,
        each_user: bool = False,
        thread: Id | None = None,
        date: Time | None = None,
        operation: Id | None = None,
        space: str | None = None,
        user_id: Id | None = None,
    ) -> ImportReport:
        """Imports an export from Recordar, ChatGPT, Claude, Slack, mem0 or Zep, a log of IRC, or a transcript.

        Args:
            file: The file or folder: an export of Recordar, ChatGPT, Claude, Slack, mem0 or Zep (also the ZIP archive as it was downloaded), a log
                of IRC, or a transcript.
            format: Format: recordar, chatgpt, claude, mem0, zep, transcript, irc or slack. Detected by default.
            each_user: Import each user's data into a separate space, user:ID.
            thread: Thread name, for a file with a single conversation.
            date: The day of the first line, such as 2026-01-31, for a log of IRC that has only times.
            operation: Operation id. Repeating a call with the same id has no further effect.
            space: The space to use, such as ``project:x``. By default, the one that the memory was opened with.
            user_id: Short for the space of a user: ``user_id='ada'`` is ``space='user:ada'``.
        """
        arguments = {
            "file": file,
            "format": format,
            "each_user": each_user,
            "thread": thread,
            "date": date,
            "operation": operation,
        }
        return ImportReport._of_json(self._call("import", space_of(space, user_id), arguments))

    def backup(self, file: Path, *, force: bool = False) -> ExportReport:
        """Writes the whole store to a file. Others can use the store meanwhile.

        Args:
            file: The file to write.
            force: Overwrite an existing file.
        """
        return ExportReport._of_json(self._call("backup", None, {"file": file, "force": force}))

    def restore(self, file: Path) -> RestoreReport:
        """Restores a backup. It replaces everything in the store.

        Args:
            file: The backup file. It replaces all data in the store.
        """
        return RestoreReport._of_json(self._call("restore", None, {"file": file}))

    def _list(self, verb: str, space: str | None, arguments: dict[str, Any]) -> Any:
        return json.loads(self._call(verb, space, arguments))

    def _call(self, verb: str, space: str | None, arguments: dict[str, Any]) -> Any:
        return self._handle.call(verb, space, arguments)
