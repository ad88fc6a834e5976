"""Recordar for LangChain: a retriever and a chat message history. Requires ``langchain-core``."""

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
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, run_in_executor
from pydantic import ConfigDict

from ._async_client import AsyncRecordar
from ._client import Recordar
from ._retriever import at_call, searched
from .errors import NotFoundError
from .results import Hit, SearchResult, StoredMessage

__all__ = ["RecordarChatMessageHistory", "RecordarRetriever"]


class RecordarRetriever(BaseRetriever):
    """Retrieves items by keyword and meaning. A document's metadata has its source and the parts of its score.

    The arguments apply to every call, unless the call overrides them: ``invoke(query, k=3, user_id="bob")``. ``k``,
    ``space`` and ``user_id`` may also be set in ``config["configurable"]``. An unknown argument raises ``TypeError``.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    memory: Recordar
    async_memory: AsyncRecordar | None = None
    """For asynchronous calls; without it they run on LangChain's threads."""
    k: int = 10
    space: str | None = None
    user_id: str | int | None = None
    search_kwargs: dict[str, Any] = {}
    """Further arguments of ``Recordar.search``, such as ``mode`` or ``also``."""

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        return super().invoke(input, config, **_given(config, kwargs))

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        return await super().ainvoke(input, config, **_given(config, kwargs))

    def _arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        made_with = {"limit": self.k, "space": self.space, "user_id": self.user_id, **self.search_kwargs}
        return searched(made_with, at_call(given))

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        return _documents(self.memory.search(query, **self._arguments(kwargs)))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        arguments = self._arguments(kwargs)
        if self.async_memory is None:
            return _documents(await run_in_executor(None, self.memory.search, query, **arguments))
        return _documents(await self.async_memory.search(query, **arguments))


def _given(config: RunnableConfig | None, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call, and ``k``, ``space`` and ``user_id`` of its configuration. Its other fields are ignored."""
    configured = ensure_config(config).get("configurable") or {}
    names = ["k"] if kwargs.get("space") is not None or kwargs.get("user_id") is not None else ["k", "space", "user_id"]
    return {name: configured[name] for name in names if name in configured} | at_call(kwargs)


class RecordarChatMessageHistory(BaseChatMessageHistory):
    """The messages of a thread. Added messages can be recalled at once; cleared ones are deleted for good."""

    def __init__(
        self, memory: Recordar, session_id: str, *, space: str | None = None, user_id: str | int | None = None
    ) -> None:
        if not isinstance(memory, Recordar):
            raise TypeError("the chat history requires a Recordar, not an AsyncRecordar; its asynchronous methods run on LangChain's threads")
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
    """A LangChain message, with its other fields in the metadata, so that it can be restored exactly."""
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
