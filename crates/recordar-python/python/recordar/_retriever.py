"""The arguments of retrievers, at construction and per call, for the frameworks that have them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ._client import Recordar

__all__ = ["at_call", "searched"]

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
