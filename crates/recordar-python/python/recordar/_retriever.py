"""The arguments of retrievers, at construction and per call, for the frameworks that have them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ._client import Recordar
from .results import SearchResult, StoredItem

__all__ = ["at_call", "is_plain", "others", "searched"]

_SEARCH = tuple(name for name in inspect.signature(Recordar.search).parameters if name not in ("self", "query"))


def at_call(given: Mapping[str, Any], *also: str) -> dict[str, Any]:
    """The given arguments without None. An unknown one is an error: a dropped filter would show too much."""
    known = (*also, "k", *_SEARCH)
    unknown = sorted(name for name in given if name not in known)
    if unknown:
        raise TypeError(f"unknown retriever argument: {', '.join(unknown)}; valid arguments are {', '.join(known)}")
    places = [name for name in ("space", "user_id") if name in given]
    if places and all(given[name] is None for name in places):
        # For example, no user is logged in: the default memory would be the wrong one.
        raise TypeError(f"{places[0]} is None; pass a value, or omit it")
    return {name: value for name, value in given.items() if value is not None}


def searched(made_with: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``Recordar.search``: those of the retriever, overridden by those of the call."""
    arguments = dict(made_with)
    if "space" in given or "user_id" in given:
        # A space of the call replaces that of the retriever, in either form.
        arguments |= {"space": None, "user_id": None}
    names = {"k": "limit", "similarity_top_k": "limit"}
    return arguments | {names.get(name, name): value for name, value in given.items()}


def is_plain(arguments: Mapping[str, Any]) -> bool:
    """Whether a search has no filter, so that every current item of its space may follow its hits."""
    return not {name for name, value in arguments.items() if value} - {"limit", "space", "user_id", "mode", "asked_at"}


def others(memory: Recordar, arguments: Mapping[str, Any], found: SearchResult) -> list[StoredItem]:
    """Items that did not match, as many as are missing, in the order they were stored."""
    where = {name: arguments.get(name) for name in ("space", "user_id")}
    known = {hit.item_id for hit in found.hits}
    wanted = arguments["limit"] - len(known)
    more: list[StoredItem] = []
    after: int | None = None
    while len(more) < wanted:
        page = memory.items(after=after, limit=min(len(known) + wanted, 1000), **where)
        more += [item for item in page if item.item_id not in known]
        after = page.next
        if after is None:
            break
    return more[:wanted]
