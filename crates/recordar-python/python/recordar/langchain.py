"""Recordar in LangChain: a retriever, and the history of a chat. Needs ``langchain-core``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from ._async_client import AsyncRecordar
from ._client import Recordar
from .errors import NotFoundError
from .results import Hit, SearchResult, StoredMessage

__all__ = ["RecordarChatMessageHistory", "RecordarRetriever"]


class RecordarRetriever(BaseRetriever):
    """Finds items by words and meaning. A document's metadata tells where it is from and the parts of its score."""

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    memory: Recordar
    async_memory: AsyncRecordar | None = None
    """For calls that are awaited; without it they run on a thread of LangChain's."""
    k: int = 10
    space: str | None = None
    user_id: str | None = None
    search_kwargs: dict[str, Any] = {}
    """Further arguments of ``Recordar.search``, such as ``mode`` or ``also``."""

    def _arguments(self) -> dict[str, Any]:
        return {"limit": self.k, "space": self.space, "user_id": self.user_id, **self.search_kwargs}

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return _documents(self.memory.search(query, **self._arguments()))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        if self.async_memory is None:
            return await super()._aget_relevant_documents(query, run_manager=run_manager)
        return _documents(await self.async_memory.search(query, **self._arguments()))


class RecordarChatMessageHistory(BaseChatMessageHistory):
    """The messages of a thread. What is added can be recalled at once; what is cleared is forgotten for good."""

    def __init__(
        self, memory: Recordar, session_id: str, *, space: str | None = None, user_id: str | int | None = None
    ) -> None:
        if not isinstance(memory, Recordar):
            raise TypeError("the history of a chat needs a Recordar; its asynchronous methods run on threads of LangChain's")
        self._memory = memory
        self._thread = session_id
        self._where: dict[str, Any] = {"space": space, "user_id": user_id}

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        try:
            stored = self._memory.messages(self._thread, **self._where)
        except NotFoundError:
            return []
        return [_message(message) for message in stored]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        if messages:
            self._memory.remember([_stored(message) for message in messages], thread=self._thread, **self._where)

    def clear(self) -> None:
        try:
            self._memory.forget(thread=self._thread, **self._where)
        except NotFoundError:
            pass


def _documents(found: SearchResult) -> list[Document]:
    return [Document(id=f"{hit.space}/{hit.item_id}", page_content=hit.text, metadata=_metadata(hit)) for hit in found.hits]


def _metadata(hit: Hit) -> dict[str, Any]:
    return {name: value for name, value in hit.to_dict().items() if name not in ("text", "words")}


_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "tool"}


def _stored(message: BaseMessage) -> dict[str, Any]:
    """A message of LangChain's, with what else it holds in the metadata, so that it comes back as it was."""
    whole = message_to_dict(message)
    text = str(message.text)
    if isinstance(message.content, str):
        whole["data"].pop("content", None)
    if not text.strip():
        calls = getattr(message, "tool_calls", None) or message.content
        whole["data"]["content"] = message.content
        text = f"[{message.type}] {json.dumps(calls, default=str)}"
    stored = {"text": text, "role": _ROLES.get(message.type, "user"), "source": "langchain"}
    return stored | {"metadata": {"langchain": json.loads(json.dumps(whole, default=str))}}


def _message(stored: StoredMessage) -> BaseMessage:
    whole = (stored.metadata or {}).get("langchain")
    if isinstance(whole, dict):
        data = {"content": stored.text, **whole["data"]}
        return messages_from_dict([{"type": whole["type"], "data": data}])[0]
    if stored.role == "assistant":
        return AIMessage(stored.text)
    return SystemMessage(stored.text) if stored.role == "system" else HumanMessage(stored.text, name=stored.speaker)
