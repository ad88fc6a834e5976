"""HTTP to one server: connections that stay open, which requests are sent again, and problems as exceptions.

It knows no verbs. Every request may be sent twice: it only reads, or it carries the id of its operation. How long a call may take is
decided by the server (``server.call_seconds``).
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from .errors import CancelledError, InvalidError, RecordarError, UnavailableError, from_code

_CONNECT_SECONDS = 10.0
_MAX_IDLE_CONNECTIONS = 16
# A server that is busy is asked again at most this often, and for at most this long.
_MAX_RETRIES = 5
_MAX_WAIT_SECONDS = 25.0
_MAX_PROBLEM_BYTES = 1024 * 1024
# What every problem has (RFC 9457); the rest are details.
_MEMBERS = frozenset({"type", "title", "status", "detail", "code", "remedy", "request_id"})
# The server did not try. The engine's own errors are raised at once, as without a server.
_PASSING = frozenset({"busy", "stopping", "too_many_requests"})
T = TypeVar("T")


@dataclass(frozen=True)
class Address:
    """Where a server is. ``str()`` of it is its URL."""

    scheme: str
    host: str
    port: int | None
    # In front of every path, behind a proxy that serves others too.
    prefix: str

    @staticmethod
    def parse(url: str) -> Address:
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise _not_an_address(url, str(error)) from error
        if parts.username is not None or parts.password is not None:
            # Not shown: it may be a secret.
            raise _not_an_address(f"{parts.scheme}://…@{parts.hostname}", "it has a user or a password; give the key as api_key")
        if not parts.hostname or parts.query or parts.fragment or not url.isascii() or not url.isprintable() or " " in url:
            raise _not_an_address(url, "use only a host, a port and a path")
        return Address(parts.scheme.lower(), parts.hostname, port, parts.path.rstrip("/"))

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{'' if self.port is None else f':{self.port}'}{self.prefix}"


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    # Called for each attempt.
    body: Callable[[], Iterable[bytes]] | None = None


class InFlight:
    """A call that another thread can abort. The server cancels a call whose connection is closed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._aborted = threading.Event()
        self._socket: socket.socket | None = None

    def abort(self) -> None:
        with self._lock:
            self._aborted.set()
            if self._socket is not None:
                _shut_down(self._socket)

    def uses(self, connected: socket.socket | None) -> None:
        """Notes the connection that the call uses now."""
        with self._lock:
            self._socket = connected
        if connected is not None:
            self.check()

    def wait(self, seconds: float) -> None:
        self._aborted.wait(seconds)
        self.check()

    def check(self) -> None:
        if self._aborted.is_set():
            raise CancelledError("cancelled", "the call was cancelled", "repeat the call")


class Connections:
    """The connections to a server. Calls of several threads use one each; idle ones are kept."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPConnection] = []
        self._is_closed = False
        self._tls = ssl.create_default_context() if address.scheme == "https" else None

    def close(self) -> None:
        """Closes idle connections. Those that are in use are closed after their calls."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def __del__(self) -> None:
        # Without the lock: in a forked process, a thread that is not there may have it.
        for connection in self._idle:
            connection.close()

    def exchange(self, request: Request, receive: Callable[[http.client.HTTPResponse], T], flight: InFlight) -> T:
        """Sends a request, and receives its reply. A lost connection is replaced once; a busy server is waited for."""
        was_lost, retries, waited = False, 0, 0.0
        while True:
            try:
                return self._attempt(request, receive, flight, was_lost)
            except _Lost as lost:
                flight.check()
                if was_lost:
                    raise self._lost(lost) from lost
                was_lost = True
            except _Busy as busy:
                retries, waited = retries + 1, waited + busy.seconds
                if retries > _MAX_RETRIES or waited > _MAX_WAIT_SECONDS:
                    raise busy.error from None
                flight.wait(busy.seconds)

    def _attempt(
        self, request: Request, receive: Callable[[http.client.HTTPResponse], T], flight: InFlight, is_fresh: bool
    ) -> T:
        flight.check()
        connection, is_done = self._connected(is_fresh), False
        try:
            flight.uses(connection.sock)
            reply = _sent(connection, request, self.address.prefix)
            outcome = receive(reply) if reply.status == http.client.OK else self._problem(reply)
            is_done = True
        except (OSError, http.client.HTTPException) as error:
            raise _Lost(error) from error
        finally:
            flight.uses(None)
            if not is_done:
                connection.close()
        self._keep(connection, reply)
        if isinstance(outcome, _Problem):
            raise outcome.error
        return outcome

    def _connected(self, is_fresh: bool) -> http.client.HTTPConnection:
        while not is_fresh:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            if idle is None:
                break
            if not _has_gone(idle.sock):
                return idle
            idle.close()
        return self._connect()

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self.address.host, self.address.port
        connection: http.client.HTTPConnection
        if self._tls is None:
            connection = http.client.HTTPConnection(host, port, timeout=_CONNECT_SECONDS)
        else:
            connection = http.client.HTTPSConnection(host, port, timeout=_CONNECT_SECONDS, context=self._tls)
        try:
            connection.connect()
            # A call takes as long as it takes. A machine that is gone is noticed by the system.
            connection.sock.settimeout(None)
            connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            return connection
        except (OSError, UnicodeError) as error:
            connection.close()
            raise self._unreachable(error) from error

    def _keep(self, connection: http.client.HTTPConnection, reply: http.client.HTTPResponse) -> None:
        if reply.isclosed() and not reply.will_close:
            with self._lock:
                if not self._is_closed and len(self._idle) < _MAX_IDLE_CONNECTIONS:
                    self._idle.append(connection)
                    return
        connection.close()

    def _problem(self, reply: http.client.HTTPResponse) -> _Problem:
        """The exception for a reply that is no result."""
        text = reply.read(_MAX_PROBLEM_BYTES)
        problem = _object(text)
        code, detail, remedy = (problem.get(name) for name in ("code", "detail", "remedy"))
        error: RecordarError
        if isinstance(code, str):
            details = {name: value for name, value in problem.items() if name not in _MEMBERS}
            error = from_code(code, str(detail), str(remedy or ""), json.dumps(details) if details else None)
        else:
            error = self._foreign(reply)
        seconds = _seconds(reply.getheader("Retry-After"))
        may_pass = reply.status in (429, 503) and (code is None or code in _PASSING)
        return _Problem(_Busy(error, seconds) if may_pass and seconds is not None else error)

    def _unreachable(self, error: Exception) -> UnavailableError:
        what = f"nothing answers at {self.address}: {error}"
        remedy = f"check the address {self.address}, and that `recordar serve` runs there"
        if isinstance(error, ssl.SSLCertVerificationError):
            what = f"the certificate of {self.address} is not trusted: {error.verify_message}"
            remedy = "check the host name; SSL_CERT_FILE names certificates of your own"
        return UnavailableError("cannot_connect", what, remedy)

    def _lost(self, lost: _Lost) -> UnavailableError:
        what = f"the connection to {self.address} was lost: {lost.__cause__}"
        return UnavailableError("connection_lost", what, "repeat the call, with the same operation id if it writes")

    def _foreign(self, reply: http.client.HTTPResponse) -> RecordarError:
        what = f"{self.address} replied {reply.status} {reply.reason}".rstrip()
        kind = UnavailableError if reply.status in (429, 502, 503, 504) else RecordarError
        return kind("bad_reply", what, "check that the address is that of `recordar serve`")


@dataclass(frozen=True)
class _Problem:
    error: Exception


class _Lost(Exception):
    """The connection broke before the whole reply came."""


class _Busy(Exception):
    """The server asks to try again after some seconds."""

    def __init__(self, error: RecordarError, seconds: float) -> None:
        super().__init__(error)
        self.error = error
        self.seconds = seconds


def _sent(connection: http.client.HTTPConnection, request: Request, prefix: str) -> http.client.HTTPResponse:
    try:
        body = request.body() if request.body is not None else None
        connection.request(request.method, prefix + request.path, body, dict(request.headers))
    except (BrokenPipeError, ConnectionResetError):
        # A server that refuses a request early says why.
        pass
    return connection.getresponse()


def _has_gone(idle: socket.socket) -> bool:
    """Whether the server has closed an idle connection. There is nothing else that it could send."""
    try:
        idle.setblocking(False)
        # The plain method: one of TLS takes no flags.
        socket.socket.recv(idle, 1, socket.MSG_PEEK)
        return True
    except BlockingIOError:
        idle.setblocking(True)
        return False
    except OSError:
        return True


def _shut_down(connected: socket.socket) -> None:
    try:
        socket.socket.shutdown(connected, socket.SHUT_RDWR)
    except OSError:
        # It is closed already.
        pass


def _object(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isascii() and text.isdigit() else None


def _not_an_address(url: str, why: str) -> InvalidError:
    return InvalidError("invalid", f"{url} is not the address of a server: {why}", "use for example http://127.0.0.1:7343")
