"""The engine behind a client, also across a fork.

A child must not use a connection of its parent, and what a thread of the parent was doing is never done in the child. So before a fork
the calls under way are waited for and every connection is closed; the child opens the memory anew when it first needs it.
"""

from __future__ import annotations

import json
import os
import threading
import uuid
import weakref
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypeVar

from ._native import Cancel, Engine, writing
from .errors import InvalidError, RecordarError

_PATIENCE_SECONDS = 10.0
_handles: weakref.WeakSet[Handle] = weakref.WeakSet()
_paused: list[Engine] = []
# Held from before a fork until after it: one at a time, and no memory is opened meanwhile.
_forking = threading.RLock()
_is_waited_for = True
_forked_in_a_call = False
T = TypeVar("T")
_WRITING = frozenset(writing())


class Handle:
    """An open memory that can be called by the name of a verb."""

    def __init__(
        self, config: str | os.PathLike[str] | None, database: str | os.PathLike[str] | None, space: str | None
    ) -> None:
        if _forked_in_a_call:
            raise _forked()
        url = f"sqlite:{os.fspath(database)}" if isinstance(database, os.PathLike) else database
        # Not beside a fork, which would know nothing of it.
        with _forking:
            self._engine: Engine | None = Engine(config, url, space)
            self._process = os.getpid()
            _handles.add(self)

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            raise closed()
        if self._process != os.getpid():
            self._adopt()
        return self._engine

    def call(self, verb: str, space: str | None, arguments: dict[str, Any], cancel: Cancel | None = None) -> Any:
        # What only reads needs no id of its own.
        operation = str(uuid.uuid4()) if verb in _WRITING else "reading"
        return self.engine.call(verb, to_json(verb, arguments), space, operation, cancel)

    @property
    def is_closed(self) -> bool:
        return self._engine is None

    def close(self) -> None:
        self._engine = None

    def _adopt(self) -> None:
        """Opens the memory for this process. The parent's stays untouched, and is never closed from here."""
        if _forked_in_a_call:
            raise _forked()
        assert self._engine is not None
        self._engine = self._engine.reopened()
        self._process = os.getpid()


def closed() -> RecordarError:
    return RecordarError("closed", "this memory was closed", "open it again")


def _forked() -> RecordarError:
    # What SQLite knows of its locks is the parent's, in the middle of something: no connection of this process would be safe.
    return RecordarError(
        "forked",
        "this process was forked while a call was under way, and cannot use a memory",
        "fork when no call is under way, or start processes with the method 'spawn'",
    )


def listed(name: str, values: Iterable[T] | None) -> list[T] | None:
    """Several values. A string is none, although Python would take it for its letters."""
    if values is None:
        return None
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InvalidError("invalid", f"{name} is {values!r}, and several were expected", f"give a list: {name}=[{values!r}]")
    return list(values)


def space_of(space: str | None, user_id: str | int | None) -> str | None:
    """The name of the space that a call works in; none for the configured one."""
    if not isinstance(user_id, (str, int, type(None))) or isinstance(user_id, bool):
        raise InvalidError("invalid", f"user_id is {user_id!r}", "give a string, such as 'ada'")
    if space is not None and user_id is not None:
        raise InvalidError("invalid", "both space and user_id were given", "give one: user_id='ada' is short for space='user:ada'")
    return f"user:{user_id}" if user_id is not None else space


def described(meta: Mapping[str, Any], beside: dict[str, Any]) -> dict[str, Any]:
    """A description of a document, and what is asked beside it. What stands in both would be dropped from one of them."""
    both = sorted(str(name) for name in meta if name in beside)
    if both:
        has = "filename, topic, note, provider, tags and query"
        raise TypeError(f"{', '.join(both)}: give it as an argument of its own; a description has {has}")
    return {**meta, **beside}


def to_json(verb: str, arguments: Mapping[str, Any]) -> str:
    given = {name: value for name, value in arguments.items() if value is not None}
    try:
        text = _encoder.encode(given)
        text.encode()
        return text
    except UnicodeEncodeError as error:
        what = f"{verb}: a text holds half a character (a lone surrogate), which is no Unicode"
        raise InvalidError("invalid", what, "text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')") from error
    except (TypeError, ValueError, RecursionError) as error:
        what = f"{verb}: an argument cannot be taken: {error}"
        raise InvalidError("invalid", what, "give strings, finite numbers, booleans, times, lists and dicts") from error


def _plain(value: Any) -> Any:
    """Python's own types as those of JSON."""
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} is not known")


_encoder = json.JSONEncoder(default=_plain, ensure_ascii=False, allow_nan=False)


def _before_fork() -> None:
    global _is_waited_for
    _forking.acquire()
    # Whatever interrupts this, a signal for instance: the fork goes on, and the child has to know.
    _is_waited_for = False
    waited_for = True
    for handle in list(_handles):
        engine = handle._engine
        if engine is not None and handle._process == os.getpid():
            _paused.append(engine)
            waited_for = engine.pause(_PATIENCE_SECONDS) and waited_for
    _is_waited_for = waited_for


def _after_fork_in_parent() -> None:
    global _is_waited_for
    _is_waited_for = True
    while _paused:
        _paused.pop().resume()
    _forking.release()


def _after_fork_in_child() -> None:
    global _forked_in_a_call, _forking, _is_waited_for
    _forking = threading.RLock()
    _forked_in_a_call = _forked_in_a_call or not _is_waited_for
    _is_waited_for = True
    _paused.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child
    )
