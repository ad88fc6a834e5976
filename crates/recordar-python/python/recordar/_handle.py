"""The engine behind a client, or a server in its place. It also survives a fork.

A child must not use its parent's connections, and the work of the parent's threads is never finished in the child. So before a fork
running calls are waited for and every connection is closed; the child reopens the memory when it first needs it.
"""

from __future__ import annotations

import base64
import json
import os
import re
import threading
import uuid
import weakref
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypeVar

from ._embedder import SupportsEmbed, wrapped
from ._native import Cancel, Engine
from ._remote import WRITING, Remote, is_server
from .errors import InvalidError, RecordarError

_PATIENCE_SECONDS = 10.0
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_NAMES = frozenset({"id", "thread", "session_id", "operation"})
_handles: weakref.WeakSet[Handle] = weakref.WeakSet()
_paused: list[Engine | Remote] = []
# Held during a fork: one fork at a time, and no memory is opened meanwhile.
_forking = threading.RLock()
_is_waited_for = True
_forked_in_a_call = False
T = TypeVar("T")


class Handle:
    """An open memory whose verbs are called by name."""

    def __init__(
        self,
        config: str | os.PathLike[str] | Mapping[str, Any] | None,
        database: str | os.PathLike[str] | None,
        space: str | None,
        settings: Mapping[str, Any] | None = None,
        embedder: SupportsEmbed | None = None,
        api_key: str | None = None,
    ) -> None:
        if _forked_in_a_call:
            raise _forked()
        url = None if database is None else database_url(database)
        if isinstance(config, Mapping):
            if settings is not None:
                raise InvalidError("invalid", "both config and settings have settings", "put all of them into settings")
            config, settings = None, config
        given = None if settings is None else to_json("settings", settings)
        own = wrapped(embedder)
        is_remote = url is not None and is_server(url)
        _check_place(is_remote, api_key, {"config": config, "settings": settings, "embedder": embedder})
        # Not during a fork, which would not know of it.
        with _forking:
            self._engine: Engine | Remote | None
            if url is not None and is_remote:
                self._engine = Remote.open(url, api_key, space)
            else:
                self._engine = Engine(config, url, space, given, own)
            self._process = os.getpid()
            _handles.add(self)

    @property
    def engine(self) -> Engine | Remote:
        if self._engine is None:
            raise closed()
        if self._process != os.getpid():
            self._adopt()
        return self._engine

    def call(self, verb: str, space: str | None, arguments: dict[str, Any], cancel: Cancel | None = None) -> Any:
        # A call that only reads needs no id.
        operation = str(uuid.uuid4()) if verb in WRITING else "reading"
        return self.engine.call(verb, to_json(verb, arguments), space, operation, cancel)

    @property
    def is_closed(self) -> bool:
        return self._engine is None

    def close(self) -> None:
        engine, self._engine = self._engine, None
        if isinstance(engine, Remote) and self._process == os.getpid():
            engine.close()

    def _adopt(self) -> None:
        """Opens the memory for this process. The parent's is not touched, and never closed from here."""
        if _forked_in_a_call:
            raise _forked()
        assert self._engine is not None
        if self._engine.database == "sqlite::memory:":
            what = "this memory is in the parent's memory (sqlite::memory:), which a forked process does not share"
            raise RecordarError("forked", what, "open a memory in this process, or use a file")
        self._engine = self._engine.reopened()
        self._process = os.getpid()


def _check_place(is_remote: bool, api_key: str | None, local: Mapping[str, Any]) -> None:
    """What is decided on the server cannot be decided here, and a key is only for a server."""
    given = [name for name, value in local.items() if value is not None]
    if is_remote and given:
        what = f"{' and '.join(given)} cannot be given for a server, which has its own"
        raise InvalidError("invalid", what, f"leave out {' and '.join(given)}; configure the server instead")
    if api_key is not None and not is_remote:
        raise InvalidError("invalid", "api_key is for a server", "leave it out, or use the address of a server, such as http://127.0.0.1:7343")


def closed() -> RecordarError:
    return RecordarError("closed", "this memory is closed", "open it again")


def _forked() -> RecordarError:
    # SQLite's locks are those of the parent, in mid-call: no connection of this process would be safe.
    return RecordarError(
        "forked",
        "this process was forked during a call and cannot use a memory",
        "fork when no call is running, or start processes with the 'spawn' method",
    )


def database_url(database: str | os.PathLike[str]) -> str:
    """The URL of a database. A path is a SQLite file, as a string too; ``:memory:`` is a database without a file."""
    if isinstance(database, str) and _URL.match(database):
        return database
    return f"sqlite:{os.fspath(database)}"


def conditions(filter: Iterable[str] | Mapping[str, Any] | None) -> list[Any] | None:
    """The conditions of a filter. The entries of a mapping are metadata: ``{"author": "Kim"}`` is ``meta.author=Kim``."""
    if not isinstance(filter, Mapping):
        return listed("filter", filter)
    found = []
    for key, value in filter.items():
        values = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
        texts = [one if isinstance(one, str) else json.dumps(one) for one in values]
        found += [f"meta.{key}={text}" for text in sorted(texts)]
    return found


def listed(name: str, values: Iterable[T] | None) -> list[T] | None:
    """A list of values. A string is rejected, since Python would iterate over its characters."""
    if values is None:
        return None
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InvalidError("invalid", f"{name} must be a list, not {values!r}", f"use {name}=[{values!r}]")
    return list(values)


def recorded(records: Iterable[Mapping[str, Any]] | None) -> list[dict[str, Any]] | None:
    """Records as the engine takes them: text, or bytes in base64."""
    given = listed("records", records)
    return None if given is None else [_record(record) for record in given]


def _record(record: Mapping[str, Any]) -> dict[str, Any]:
    about = dict(record)
    value = about.pop("value", None)
    if isinstance(value, str):
        about["text"] = value
    elif isinstance(value, (bytes, bytearray, memoryview)):
        about["base64"] = base64.b64encode(value).decode()
    elif value is not None:
        raise InvalidError("invalid", f"the value of a record must be bytes or a string, not {type(value).__name__}", "encode it, for example as JSON")
    return about


def space_of(space: str | None, user_id: str | int | uuid.UUID | None) -> str | None:
    """The space that a call uses; none for the configured one."""
    if not isinstance(user_id, (str, int, uuid.UUID, type(None))) or isinstance(user_id, bool):
        raise InvalidError("invalid", f"user_id must be a string, an integer or a UUID, not {user_id!r}", "use a string, such as 'ada'")
    if space is not None and user_id is not None:
        raise InvalidError("invalid", "both space and user_id were given", "use only one: user_id='ada' is short for space='user:ada'")
    return f"user:{user_id}" if user_id is not None else space


def described(meta: Mapping[str, Any], beside: dict[str, Any]) -> dict[str, Any]:
    """The description of a document together with the other arguments. A name in both is an error, since one value would be lost."""
    both = sorted(str(name) for name in meta if name in beside)
    if both:
        has = "filename, topic, note, provider, tags and query"
        raise TypeError(f"{', '.join(both)}: pass it as a separate argument; a description may have {has}")
    return {"meta": {name: value for name, value in meta.items() if value is not None}, **beside}


def named(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that are given. Integers and UUIDs that stand for a name or an id become text."""
    given = {name: value for name, value in arguments.items() if value is not None}
    for name in _NAMES & given.keys():
        given[name] = _name(given[name])
    if isinstance(ids := given.get("ids"), list):
        given["ids"] = [_name(value) for value in ids]
    if isinstance(messages := given.get("messages"), list):
        given["messages"] = [named(message) if isinstance(message, Mapping) else message for message in messages]
    return given


def _name(value: Any) -> Any:
    return str(value) if isinstance(value, (int, uuid.UUID)) and not isinstance(value, bool) else value


def to_json(verb: str, arguments: Mapping[str, Any]) -> str:
    given = named(arguments)
    try:
        text = _encoder.encode(given)
        text.encode()
        return text
    except UnicodeEncodeError as error:
        what = f"{verb}: a text has a lone surrogate, which is not valid Unicode"
        raise InvalidError("invalid", what, "text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')") from error
    except (TypeError, ValueError, RecursionError) as error:
        what = f"{verb}: invalid argument: {error}"
        raise InvalidError("invalid", what, "use strings, finite numbers, booleans, times, lists and dicts") from error


def _plain(value: Any) -> Any:
    """Converts Python types to JSON types."""
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"unsupported type {type(value).__name__}")


_encoder = json.JSONEncoder(default=_plain, ensure_ascii=False, allow_nan=False)


def _before_fork() -> None:
    global _is_waited_for
    _forking.acquire()
    # If this is interrupted, by a signal for instance, the fork still happens, and the child must know.
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
