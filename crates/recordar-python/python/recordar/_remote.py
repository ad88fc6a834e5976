"""A memory on a server (``recordar serve``), in place of the engine: every verb is a request.

Verbs that read or write files of this machine send or receive them. Everything else is the server's: configuration, models and paths of models.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from http.client import HTTPResponse
from typing import Any, TypeVar
from urllib.parse import quote

from ._carried import Batch, Download, FileToSend, Multipart, batches, is_export, only_file
from ._http import Address, Connections, InFlight, Request
from ._ingest_reports import following, merged
from ._native import Cancel, Later, __version__, split_json, writing
from .errors import InvalidError, RecordarError

WRITING = frozenset(writing())
# The server gets files in their place.
_PATHS = frozenset({"paths", "root", "include", "exclude", "prune", "file"})
T = TypeVar("T")


def is_server(database: object) -> bool:
    return isinstance(database, str) and database.lower().startswith(("http://", "https://"))


class Remote:
    """What a client uses of the engine, by requests to a server."""

    def __init__(self, address: Address, key: str | None, space: str | None, session: Mapping[str, Any]) -> None:
        self._connections = Connections(address)
        self._key = key
        # Where calls work that name no space, if the client names one. Otherwise the server decides.
        self._given_space = space
        self._own_space = space
        self._session = session

    @staticmethod
    def open(url: str, api_key: str | None, space: str | None) -> Remote:
        """Asks the server whether it knows the key, so that a wrong one is noticed now."""
        remote = Remote(Address.parse(url), _checked(api_key or os.environ.get("RECORDAR_API_KEY") or None), space, {})
        request = Request("GET", "/session", remote._headers())
        text = remote._connections.exchange(request, _whole, InFlight())
        try:
            session = json.loads(text)
        except ValueError as error:
            raise remote._unfit(error) from error
        remote._session = session if isinstance(session, dict) else {}
        return remote

    @property
    def space(self) -> str:
        """The space of calls that name none. If the client names none, the server is asked once."""
        if self._own_space is None:
            self._own_space = str(json.loads(_Call(self, "buckets", None, None).send('{"limit": 1}'))["space"])
        return self._own_space

    @property
    def database(self) -> str:
        return str(self._connections.address)

    def call(
        self, verb: str, arguments: str, space: str | None, operation: str, cancel: Cancel | None = None
    ) -> tuple[dict[str, str], dict[str, str | Later]] | str:
        call = _Call(self, verb, space, operation if verb in WRITING else None)
        if cancel is not None:
            cancel.when_cancelled(call.flight.abort)
        if verb == "ingest":
            text = call.ingest(json.loads(arguments))
        elif verb in ("import", "restore"):
            text = call.send_file(json.loads(arguments))
        elif verb in ("export", "backup"):
            text = call.receive_file(json.loads(arguments))
        else:
            text = call.send(arguments)
        try:
            return split_json(text)
        except ValueError as error:
            raise self._unfit(error) from error

    def reopened(self) -> Remote:
        """The same for a forked process, with connections of its own."""
        return Remote(self._connections.address, self._key, self._given_space, self._session)

    def pause(self, seconds: float) -> bool:
        """A fork has nothing to wait for: a child does not use the connections of its parent."""
        return True

    def resume(self) -> None:
        pass

    def close(self) -> None:
        self._connections.close()

    @property
    def _is_for_all_spaces(self) -> bool:
        """Whether the key is an administrator's, or the server has no keys."""
        return bool(self._session.get("admin")) or self._session.get("key") is None

    def _headers(self) -> dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": f"recordar-python/{__version__}"}
        return headers if self._key is None else headers | {"Authorization": f"Bearer {self._key}"}

    def _unfit(self, error: ValueError) -> RecordarError:
        what = f"{self.database} did not reply as Recordar does: {error}"
        return RecordarError("bad_reply", what, "check that the address is that of `recordar serve`")


class _Call:
    """One call of a verb, which is one request or several."""

    def __init__(self, remote: Remote, verb: str, space: str | None, operation: str | None) -> None:
        self._remote = remote
        self._verb = verb
        self._names_space = space is not None
        self._space = space if space is not None else remote._given_space
        # None if it only reads.
        self._operation = operation
        self.flight = InFlight()

    def send(self, arguments: str) -> str:
        has_id = '"operation"' in arguments and "operation" in json.loads(arguments)
        return self._exchange(_json_headers(body := arguments.encode()), lambda: (body,), _whole, has_id)

    def send_file(self, arguments: dict[str, Any]) -> str:
        file = only_file(str(arguments["file"]), self._verb)
        # It goes to the spaces that it names, unless the call itself names one. A key for some spaces stays in them.
        if self._verb == "import" and not self._names_space and self._remote._is_for_all_spaces and is_export(file):
            self._space = None
        return self._send_files(arguments, [file])

    def receive_file(self, arguments: dict[str, Any]) -> str:
        path, others = str(arguments["file"]), {name: value for name, value in arguments.items() if name not in ("file", "force")}
        with Download(path, bool(arguments.get("force"))) as download:
            body = json.dumps(others, ensure_ascii=False).encode()
            self._exchange(_json_headers(body) | {"Accept": "application/x-ndjson"}, lambda: (body,), download.receive, False)
            spaces = download.spaces()
            download.keep()
        return json.dumps({"file": path, "spaces": spaces})

    def ingest(self, arguments: dict[str, Any]) -> str:
        for name in ("prune", "root"):
            if arguments.get(name):
                what = f"{name} is for folders of the server's machine, and files are sent to it"
                raise InvalidError("invalid", what, f"leave out {name}; collection names the collection of the files")
        found, failures = batches([str(path) for path in arguments["paths"]], arguments)
        operation = str(arguments.get("operation") or self._operation)
        replies = []
        for number, batch in enumerate(found):
            own = {"operation": following(operation, number), "collection": batch.collection, "helpers": _helpers(arguments, batch)}
            replies.append(self._send_files(arguments | own, batch.files))
        if len(replies) == 1 and not failures:
            return replies[0]
        return json.dumps(merged(self._space or self._remote.space, operation, [json.loads(reply) for reply in replies], failures))

    def _send_files(self, arguments: Mapping[str, Any], files: list[FileToSend]) -> str:
        sent = Multipart({name: value for name, value in arguments.items() if name not in _PATHS}, files)
        return self._exchange(sent.headers, sent.body, _whole, "operation" in arguments)

    def _exchange(
        self, headers: dict[str, str], body: Callable[[], Iterable[bytes]], receive: Callable[[HTTPResponse], T], has_id: bool
    ) -> T:
        """Sends a request. What writes has an id, so that it is done once, however often it is sent."""
        given = self._remote._headers() | headers
        if self._operation is not None and not has_id:
            given["Idempotency-Key"] = self._operation
        query = "" if self._space is None else f"?space={quote(self._space, safe='')}"
        request = Request("POST", f"/v1/{self._verb}{query}", given, body)
        return self._remote._connections.exchange(request, receive, self.flight)


def _whole(reply: HTTPResponse) -> str:
    return reply.read().decode(errors="replace")


def _json_headers(body: bytes) -> dict[str, str]:
    return {"Content-Type": "application/json", "Content-Length": str(len(body))}


def _helpers(arguments: Mapping[str, Any], batch: Batch) -> dict[str, Any]:
    """Helpers are given by the paths of files, and sent by their names."""
    names = {file.path: file.name for file in batch.files}
    given: Mapping[str, Any] = arguments.get("helpers") or {}
    return {names.get(os.path.realpath(path), path): helper for path, helper in given.items()}


def _checked(key: str | None) -> str | None:
    key = None if key is None else key.strip()
    if key is not None and (not key or not key.isascii() or not key.isprintable() or " " in key):
        raise InvalidError("invalid", "the API key is not one that `recordar keys new` made", "check api_key or RECORDAR_API_KEY")
    return key
