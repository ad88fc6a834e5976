"""Recordar for LangChain: a retriever, a vector store and a chat message history. Requires ``langchain-core``."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, run_in_executor
from langchain_core.vectorstores import VectorStore
from pydantic import ConfigDict

from ._async_client import AsyncRecordar
from ._client import Id, Recordar
from ._originals import Originals, text_of
from ._retriever import at_call, is_plain, others, searched
from .errors import NotFoundError
from .results import Hit, SearchResult, StoredItem, StoredMessage

__all__ = ["RecordarChatMessageHistory", "RecordarRetriever", "RecordarVectorStore"]


class RecordarRetriever(BaseRetriever):
    """Retrieves items by keyword and meaning. A document's metadata has what was stored with it, its source and the parts of its score.

    If ``k`` is given and fewer items match, others follow, with a score of 0, unless ``fill`` is false. Without ``k``, at most 10 items
    that match are returned.

    The arguments apply to every call, unless the call overrides them: ``invoke(query, k=3, user_id="bob")``. ``k``,
    ``space`` and ``user_id`` may also be set in ``config["configurable"]``. An unknown argument raises ``TypeError``.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    memory: Recordar
    async_memory: AsyncRecordar | None = None
    """For asynchronous calls; without it they run on LangChain's threads."""
    k: int = 10
    fill: bool = True
    """Whether a given ``k`` is reached with items that do not match. With a filter, such as ``topics``, they are never added."""
    space: str | None = None
    user_id: Id | None = None
    search_kwargs: dict[str, Any] = {}
    """Further arguments of ``Recordar.search``, such as ``mode`` or ``also``."""

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        return super().invoke(input, config, **_given(config, kwargs))

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        return await super().ainvoke(input, config, **_given(config, kwargs))

    def _arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        made_with = {"limit": self.k, "space": self.space, "user_id": self.user_id, **self.search_kwargs}
        return searched(made_with, at_call(given))

    def _is_filled(self, given: dict[str, Any], arguments: dict[str, Any], found: SearchResult) -> bool:
        has_k = "k" in self.model_fields_set or given.get("k") is not None
        return self.fill and has_k and len(found.hits) < arguments["limit"] and is_plain(arguments)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        arguments = self._arguments(kwargs)
        found = self.memory.search(query, **arguments)
        documents = [_document(hit) for hit in found.hits]
        if self._is_filled(kwargs, arguments, found):
            documents += [_document(item) for item in others(self.memory, arguments, found)]
        return documents

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        arguments = self._arguments(kwargs)
        if self.async_memory is None:
            found = await run_in_executor(None, self.memory.search, query, **arguments)
        else:
            found = await self.async_memory.search(query, **arguments)
        documents = [_document(hit) for hit in found.hits]
        if self._is_filled(kwargs, arguments, found):
            documents += [_document(item) for item in await run_in_executor(None, others, self.memory, arguments, found)]
        return documents


def _given(config: RunnableConfig | None, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call, and ``k``, ``space`` and ``user_id`` of its configuration. Its other fields are ignored."""
    configured = ensure_config(config).get("configurable") or {}
    names = ["k"] if kwargs.get("space") is not None or kwargs.get("user_id") is not None else ["k", "space", "user_id"]
    return {name: configured[name] for name in names if name in configured} | at_call(kwargs)


class RecordarChatMessageHistory(BaseChatMessageHistory):
    """The messages of a thread. Added messages can be recalled at once; cleared ones are deleted for good."""

    def __init__(
        self, memory: Recordar, session_id: Id, *, space: str | None = None, user_id: Id | None = None
    ) -> None:
        if not isinstance(memory, Recordar):
            raise TypeError("the chat history requires a Recordar, not an AsyncRecordar; its asynchronous methods run on LangChain's threads")
        self._thread = Originals(memory, "langchain", session_id, space, user_id)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        stored = self._thread.messages()
        return [_message(message, whole) for message, whole in zip(stored, self._thread.originals(stored))]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Adds messages: all of them, or none."""
        self._thread.add([_stored(message) for message in messages])

    def clear(self) -> None:
        self._thread.clear()


class RecordarVectorStore(VectorStore):
    """Documents in a space of a memory, searched by keyword and meaning. It embeds texts itself and needs no ``Embeddings``.

    A document's id is kept: adding another with the same id replaces it, and ``delete`` deletes it for good. The space may hold other
    items as well, such as messages; searches find these too.
    """

    def __init__(self, memory: Recordar, *, space: str | None = None, user_id: Id | None = None) -> None:
        self._memory = memory
        self._where: dict[str, Any] = {"space": space, "user_id": user_id}

    @property
    def memory(self) -> Recordar:
        """The memory that holds the documents."""
        return self._memory

    def add_texts(
        self, texts: Iterable[str], metadatas: list[dict[str, Any]] | None = None, *, ids: list[str] | None = None, **kwargs: Any
    ) -> list[str]:
        """Stores texts, with their metadata, and returns their ids. Texts with the same id replace each other."""
        if kwargs:
            raise TypeError(f"unknown argument: {', '.join(sorted(kwargs))}")
        given = list(texts)
        named = [id_ or str(uuid.uuid4()) for id_ in (ids or [""] * len(given))]
        about = metadatas if metadatas is not None else [{}] * len(given)
        if not len(given) == len(named) == len(about):
            raise ValueError(f"{len(given)} texts have {len(about)} metadatas and {len(named)} ids")
        messages = {
            id_: {"id": id_, "text": text, "metadata": metadata, "source": "langchain"}
            for id_, text, metadata in zip(named, given, about)
        }
        several = list(messages.values())
        for start in range(0, len(several), _BATCH):
            self._memory.remember(several[start : start + _BATCH], **self._where)
        return named

    def add_documents(self, documents: list[Document], **kwargs: Any) -> list[str]:
        """Stores documents and returns their ids: those of ``ids``, of the documents, or new ones."""
        ids = kwargs.pop("ids", None) or [document.id or "" for document in documents]
        texts = [document.page_content for document in documents]
        return self.add_texts(texts, [document.metadata for document in documents], ids=ids, **kwargs)

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> bool | None:
        """Deletes documents for good. Ids that are not there are ignored."""
        if kwargs:
            raise TypeError(f"unknown argument: {', '.join(sorted(kwargs))}")
        if ids is None:
            # The space may hold more than the documents of this store.
            raise ValueError("no ids were given; to delete everything, use memory.forget(whole_space=True)")
        try:
            own, numbers = self._found(ids)
        except NotFoundError as error:
            return _is_new(error)
        forgotten = [self._forget(ids=own) if own else True, self._forget(items=numbers) if numbers else True]
        return all(forgotten)

    def _forget(self, **what: Any) -> bool:
        try:
            self._memory.forget(**what, **self._where)
        except NotFoundError:
            # It is gone already.
            pass
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Returns documents by their ids, in this order. Ids that are not there are left out."""
        try:
            return self._get(ids)
        except NotFoundError as error:
            _is_new(error)
            return []

    def _get(self, ids: Sequence[str]) -> list[Document]:
        found: dict[str, Document] = {}
        for start in range(0, len(ids), _PAGE):
            part = list(ids[start : start + _PAGE])
            own = self._memory.items(ids=part, **self._where)
            found |= {id_: _stored_document(item) for id_, item in zip(_present(part, own.missing), own) if item.live}
            numbered = {id_: number for id_ in own.missing if (number := self._number(id_)) is not None}
            if numbered:
                by_number = {item.item_id: item for item in self._memory.items(numbered.values(), **self._where) if item.live}
                found |= {id_: _stored_document(by_number[number]) for id_, number in numbered.items() if number in by_number}
        return [found[id_] for id_ in ids if id_ in found]

    def _number(self, id_: str) -> int | None:
        """The number of an item that was stored without an id: ``user:ada/7`` is item 7 of that space."""
        space, _, number = id_.rpartition("/")
        return int(number) if space == self._space() and number.isascii() and number.isdigit() and len(number) < 16 else None

    def _space(self) -> str:
        user_id = self._where["user_id"]
        return f"user:{user_id}" if user_id is not None else self._where["space"] or self._memory.space

    def _found(self, ids: Sequence[str]) -> tuple[list[str], list[int]]:
        """Those that are there: by their own ids, and by number."""
        items = self._memory.items
        own: list[str] = []
        numbers: list[int] = []
        for start in range(0, len(ids), _PAGE):
            part = list(ids[start : start + _PAGE])
            listed = items(ids=part, **self._where)
            own += _present(part, listed.missing)
            numbers += [number for id_ in listed.missing if (number := self._number(id_)) is not None]
        there = [item.item_id for start in range(0, len(numbers), _PAGE) for item in items(numbers[start : start + _PAGE], **self._where)]
        return list(dict.fromkeys(own)), there

    def similarity_search(self, query: str, k: int = 4, **kwargs: Any) -> list[Document]:
        """Returns the ``k`` best documents. The arguments of ``Recordar.search`` can be given too."""
        return [document for document, _ in self.similarity_search_with_score(query, k, **kwargs)]

    def similarity_search_with_score(self, query: str, k: int = 4, **kwargs: Any) -> list[tuple[Document, float]]:
        """Returns the ``k`` best documents with their scores, from 0 to 1; higher is better."""
        arguments = searched({"limit": k, **self._where}, at_call(kwargs))
        try:
            found = self._memory.search(query, **arguments)
        except NotFoundError as error:
            _is_new(error)
            return []
        documents = [(_stored_document(hit), float(hit.score)) for hit in found.hits]
        if len(documents) < k and is_plain(arguments):
            documents += [(_stored_document(item), 0.0) for item in others(self._memory, arguments, found)]
        return documents

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        return lambda score: score

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        memory: Recordar | None = None,
        space: str | None = None,
        user_id: Id | None = None,
        **kwargs: Any,
    ) -> RecordarVectorStore:
        """Stores texts in a memory, by default one in RAM. ``embedding`` is not used: texts are embedded by Recordar."""
        store = cls(memory or Recordar(":memory:"), space=space, user_id=user_id)
        store.add_texts(texts, metadatas, ids=ids, **kwargs)
        return store


def _present(ids: list[str], missing: Iterable[str]) -> list[str]:
    """The ids that are there, in the order of the items found by them. Those of a reply may be redacted."""
    absent = set(missing)
    return [id_ for id_ in ids if id_ not in absent]


def _is_new(error: NotFoundError) -> bool:
    """True for a database that the first document will create. Other errors are raised."""
    if error.code != "no_database":
        raise error
    return True


_BATCH = 5000
_PAGE = 1000


def _document(found: Hit | StoredItem) -> Document:
    """With its source and score. These come before fields of the stored metadata that have the same name."""
    about = {name: value for name, value in found.to_dict().items() if name not in ("text", "words")}
    about.setdefault("score", 0.0)
    return Document(id=_id(found), page_content=found.text, metadata={**found.metadata, **about})


def _stored_document(found: Hit | StoredItem) -> Document:
    """As it was stored."""
    return Document(id=_id(found), page_content=found.text, metadata=found.metadata)


def _id(found: Hit | StoredItem) -> str:
    return found.own_id if found.own_id is not None else f"{found.space}/{found.item_id}"


_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "tool"}


def _stored(message: BaseMessage) -> tuple[dict[str, Any], Any]:
    """A LangChain message as a text, and all its fields, so that it can be restored exactly. A text that is the content is stored once."""
    whole = json.loads(json.dumps(message_to_dict(message), default=str))
    calls = getattr(message, "tool_calls", None) or message.content
    text = text_of([str(message.text)], f"[{message.type}] {json.dumps(calls, default=str)}")
    if message.content == text:
        del whole["data"]["content"]
    return {"text": text, "role": _ROLES.get(message.type, "user"), "source": "langchain"}, whole


def _message(stored: StoredMessage, whole: Any) -> BaseMessage:
    if isinstance(whole, dict):
        data = {"content": stored.text, **whole["data"]}
        return messages_from_dict([{"type": whole["type"], "data": data}])[0]
    if stored.role == "assistant":
        return AIMessage(stored.text)
    return SystemMessage(stored.text) if stored.role == "system" else HumanMessage(stored.text, name=stored.speaker)
