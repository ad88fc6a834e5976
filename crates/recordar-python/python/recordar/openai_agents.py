"""Recordar for the OpenAI Agents SDK (``openai-agents``): a session. It follows the SDK's protocol, and needs nothing of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from ._client import Id, Recordar
from ._originals import Originals, text_of

__all__ = ["RecordarSession"]


class RecordarSession:
    """The history of a conversation, for ``Runner.run(..., session=session)``.

    Its items are the messages of a thread, so they can be searched and recalled at once. ``pop_item`` and ``clear_session`` delete for good.
    """

    session_id: str
    session_settings: Any
    """The SDK's ``SessionSettings``, with a ``limit`` for ``get_items``."""

    def __init__(
        self,
        session_id: str,
        memory: Recordar,
        *,
        space: str | None = None,
        user_id: Id | None = None,
        session_settings: Any = None,
    ) -> None:
        if not isinstance(memory, Recordar):
            raise TypeError("the session requires a Recordar, not an AsyncRecordar; it runs calls on threads of its own")
        self.session_id = session_id
        self.session_settings = session_settings
        self._thread = Originals(memory, "openai_agents", session_id, space, user_id)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """Returns the items in order; with a limit, the latest ones."""
        if limit is None:
            limit = getattr(self.session_settings, "limit", None)
        return await asyncio.to_thread(self._items, limit)

    async def add_items(self, items: list[Any]) -> None:
        """Adds items: all of them, or none."""
        if items:
            await asyncio.to_thread(self._thread.add, [(_stored(item), _exact(item)) for item in items])

    async def pop_item(self) -> Any:
        """Removes the latest item for good, and returns it."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Deletes all items for good."""
        await asyncio.to_thread(self._thread.clear)

    def _items(self, limit: int | None) -> list[Any]:
        messages = self._thread.messages()
        if limit is not None and limit >= 0:
            messages = messages[len(messages) - limit :] if limit < len(messages) else messages
        originals = self._thread.originals(messages)
        return [_item(message.role, message.text, original) for message, original in zip(messages, originals)]

    def _pop(self) -> Any:
        while messages := self._thread.messages():
            last = messages[-1]
            (original,) = self._thread.originals([last])
            if self._thread.forget(last):
                return _item(last.role, last.text, original)
        return None


def _exact(item: Any) -> Any:
    return json.loads(json.dumps(item))


def _item(role: str | None, text: str, original: Any) -> Any:
    return original if original is not None else {"role": role or "user", "content": text}


_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system", "tool": "tool"}


def _stored(item: Any) -> dict[str, Any]:
    """An item as a message: what was said in it, by whom."""
    kind = str(item.get("type", "message")) if isinstance(item, dict) else "item"
    otherwise = "tool" if kind.endswith("_output") else "assistant"
    role = _ROLES.get(str(item.get("role")), otherwise) if isinstance(item, dict) else otherwise
    return {"text": text_of(_texts(item), f"[{kind}]"), "role": role, "source": "openai-agents"}


def _texts(item: Any) -> Iterable[str]:
    if not isinstance(item, dict):
        return
    if item.get("type") == "function_call":
        yield f"{item.get('name')}({item.get('arguments', '')})"
    for field in ("content", "output", "summary"):
        value = item.get(field)
        if isinstance(value, str):
            yield value
        for part in value if isinstance(value, list) else ():
            text = part.get("text", part.get("refusal")) if isinstance(part, dict) else None
            if isinstance(text, str):
                yield text
