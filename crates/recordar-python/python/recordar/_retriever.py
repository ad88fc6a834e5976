"""What a retriever is told when it is made and when it is called, for the frameworks that have one."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ._client import Recordar

__all__ = ["at_call", "searched"]

_SEARCH = tuple(name for name in inspect.signature(Recordar.search).parameters if name not in ("self", "query"))


def at_call(given: Mapping[str, Any], *also: str) -> dict[str, Any]:
    """What was given, without what says nothing. What is not understood is an error: a filter that is dropped shows too much."""
    known = (*also, "k", *_SEARCH)
    unknown = sorted(name for name in given if name not in known)
    if unknown:
        raise TypeError(f"the retriever has no argument {', '.join(unknown)}; it knows {', '.join(known)}")
    places = [name for name in ("space", "user_id") if name in given]
    if places and all(given[name] is None for name in places):
        # Nobody is logged in, say; another's memory is not the answer to that.
        raise TypeError(f"{places[0]} is None: name one, or leave it out")
    return {name: value for name, value in given.items() if value is not None}


def searched(made_with: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``Recordar.search``: those that a retriever was made with, and what a call says instead."""
    arguments = dict(made_with)
    if "space" in given or "user_id" in given:
        # Whoever names a place means that one, however the other was named.
        arguments |= {"space": None, "user_id": None}
    names = {"k": "limit", "similarity_top_k": "limit"}
    return arguments | {names.get(name, name): value for name, value in given.items()}
