"""Files that travel with a call of a server: those of this machine that are sent, and those that are received.

A document of a file that is sent is named as it would be without a server: by its path from the root of its collection, which is the
nearest checkout, or the folder that was given.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from typing import IO, Any

from ._native import selected_files
from .errors import InvalidError, RecordarError, from_code

_VERSION_CONTROL = (".git", ".hg", ".svn", ".jj")
# The server takes at most 1000 files at a time, and by default 256 MiB.
_MAX_FILES = 100
_MAX_BYTES = 64 * 1024 * 1024
_PART_BYTES = 64 * 1024
_EXPORT_MARK = b'{"recordar_export":'


@dataclass(frozen=True)
class FileToSend:
    path: str
    name: str
    bytes: int


@dataclass(frozen=True)
class Failure:
    """A path that cannot be sent."""

    path: str
    code: str
    what: str
    remedy: str


@dataclass(frozen=True)
class Batch:
    """Files of one request. All are in one collection."""

    collection: str
    files: list[FileToSend]


def batches(paths: Iterable[str], arguments: Mapping[str, Any]) -> tuple[list[Batch], list[Failure]]:
    """The files under some paths, chosen as without a server, and the paths that cannot be read."""
    include, exclude, given = (arguments.get(name) for name in ("include", "exclude", "collection"))
    found = [str(path) for path in selected_files(list(paths), arguments.get("type"), include or [], exclude or [])]
    failures = [failure for path in paths if (failure := _failure(path, set(found), bool(include or exclude)))]
    bases = {real for path in paths if os.path.isdir(real := os.path.realpath(path))}
    roots: dict[str, str] = {}
    chosen: dict[str, dict[str, FileToSend]] = {}
    for path in found:
        base = max((base for base in bases if _is_inside(path, base)), key=len, default=os.path.dirname(path))
        root = _checkout(base) or base
        collection = given or os.path.basename(root) or root
        if given is None and roots.setdefault(collection, root) != root:
            what = f"the collection {collection} has its root at {roots[collection]}, not at {root}"
            raise RecordarError("other_root", what, "ingest them one after the other, each with a collection of its own")
        file = _file(path, os.path.relpath(path, root).replace(os.sep, "/"))
        if isinstance(file, Failure):
            failures.append(file)
        # Nobody named it, and it has no content.
        elif file.bytes > 0 or base not in bases:
            files = chosen.setdefault(collection, {})
            if file.name in files:
                what = f"{files[file.name].path} and {path} would have the same name, {file.name}; nothing was stored"
                raise InvalidError("invalid", what, "ingest them one after the other, each with a collection of its own")
            files[file.name] = file
    return [Batch(name, part) for name, files in chosen.items() for part in _parts(files.values())], failures


def _failure(path: str, found: set[str], has_globs: bool) -> Failure | None:
    """Why a path that was given is not read, if it is not."""
    real = os.path.realpath(path)
    try:
        status = os.stat(real)
    except OSError as error:
        what = f"it cannot be opened: {error.strerror}"
        return Failure(os.path.abspath(path), "missing" if error.errno == errno.ENOENT else "unreadable", what, "check the path")
    if stat.S_ISDIR(status.st_mode) or real in found or has_globs:
        return None
    ending = os.path.splitext(real)[1]
    what = f"it has {f'the extension {ending}' if ending else 'no extension'}, which is not a known type of document"
    return Failure(real, "other_type", what, "set its type, such as type='text'")


def _file(path: str, name: str) -> FileToSend | Failure:
    try:
        name.encode()
        status = os.stat(path)
    except UnicodeEncodeError:
        return Failure(path, "invalid", "its name is not valid UTF-8", "rename it")
    except OSError as error:
        return Failure(path, "unreadable", f"it cannot be read: {error.strerror}", "check the path and its permissions")
    if name.endswith("\\") or any(ord(character) < 32 or ord(character) == 127 for character in name):
        return Failure(path, "invalid", "its name has control characters, or ends with a backslash", "rename it")
    if not stat.S_ISREG(status.st_mode):
        return Failure(path, "not_a_file", "it is neither a file nor a folder", "name a file")
    if not os.access(path, os.R_OK):
        return Failure(path, "unreadable", f"it cannot be read: {os.strerror(errno.EACCES)}", "give this user read permission")
    return FileToSend(path, name, status.st_size)


def _is_inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _checkout(folder: str) -> str | None:
    """The nearest folder, from one upwards, that is the root of a checkout."""
    while True:
        if any(os.path.exists(os.path.join(folder, name)) for name in _VERSION_CONTROL):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _parts(files: Iterable[FileToSend]) -> Iterator[list[FileToSend]]:
    part: list[FileToSend] = []
    total = 0
    for file in files:
        if part and (len(part) == _MAX_FILES or total + file.bytes > _MAX_BYTES):
            yield part
            part, total = [], 0
        part.append(file)
        total += file.bytes
    if part:
        yield part


def only_file(path: str, verb: str) -> FileToSend:
    """The one file that a verb reads."""
    if os.path.isdir(path):
        remedy = "pack it into a ZIP archive" if verb == "import" else "name the file"
        raise InvalidError("invalid", f"{path} is a folder, and only one file can be sent to a server", remedy)
    file = _file(path, os.path.basename(path))
    if isinstance(file, Failure):
        raise from_code(file.code, f"{path}: {file.what}", file.remedy)
    return file


def is_export(file: FileToSend) -> bool:
    """Whether a file is an export of Recordar, which names its own spaces."""
    with _opened(file) as opened:
        return opened.read(len(_EXPORT_MARK)) == _EXPORT_MARK


class Multipart:
    """Arguments and files as one body, which is read while it is sent."""

    def __init__(self, arguments: Mapping[str, Any], files: list[FileToSend]) -> None:
        boundary = uuid.uuid4().hex
        about = "Content-Disposition: form-data; name="
        text = json.dumps(arguments, ensure_ascii=False)
        first = f'--{boundary}\r\n{about}"arguments"\r\nContent-Type: application/json\r\n\r\n{text}\r\n'
        self._parts: list[bytes | FileToSend] = [first.encode()]
        for file in files:
            name = file.name.replace('"', '\\"')
            head = f'--{boundary}\r\n{about}"file"; filename="{name}"\r\nContent-Type: application/octet-stream\r\n\r\n'
            self._parts += [head.encode(), file, b"\r\n"]
        self._parts.append(f"--{boundary}--\r\n".encode())
        length = sum(part.bytes if isinstance(part, FileToSend) else len(part) for part in self._parts)
        self.headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Content-Length": str(length)}

    def body(self) -> Iterator[bytes]:
        for part in self._parts:
            if isinstance(part, FileToSend):
                yield from _content(part)
            else:
                yield part


def _content(file: FileToSend) -> Iterator[bytes]:
    """The content of a file, as long as it was when the request began."""
    left = file.bytes
    with _opened(file) as opened:
        while left > 0:
            try:
                part = opened.read(min(left, _PART_BYTES))
            except OSError as error:
                raise _unreadable(file, error.strerror) from error
            if not part:
                raise _unreadable(file, "it became shorter while it was sent")
            left -= len(part)
            yield part


def _opened(file: FileToSend) -> IO[bytes]:
    try:
        return open(file.path, "rb")
    except OSError as error:
        raise _unreadable(file, error.strerror) from error


def _unreadable(file: FileToSend, why: str | None) -> RecordarError:
    return RecordarError("unreadable", f"{file.path} cannot be read: {why}", "check the path and its permissions, and try again")


class Download:
    """A file that is received. Only its owner can read it, and it appears once it is complete."""

    def __init__(self, path: str, force: bool) -> None:
        self._path, self._force = path, force
        if os.path.isdir(path):
            raise RecordarError("unwritable", f"{path} is a folder", "name a file in it")
        if os.path.exists(path) and not os.path.isfile(path):
            raise RecordarError("unwritable", f"{path} is not a regular file", "choose another name")
        if not force and os.path.lexists(path):
            raise self._exists()
        # A link stays a link; its target is replaced.
        self._target = os.path.realpath(path) if os.path.islink(path) else path
        try:
            descriptor, self._partial = tempfile.mkstemp(suffix=".partial", dir=os.path.dirname(self._target) or ".")
        except OSError as error:
            raise self._unwritable(error) from error
        self._file = os.fdopen(descriptor, "w+b")

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        with suppress(OSError):
            os.unlink(self._partial)

    def receive(self, reply: HTTPResponse) -> None:
        """Begins anew, if it was begun before."""
        try:
            self._file.seek(0)
            self._file.truncate()
        except OSError as error:
            raise self._unwritable(error) from error
        while part := reply.read(_PART_BYTES):
            try:
                self._file.write(part)
            except OSError as error:
                raise self._unwritable(error) from error

    def spaces(self) -> list[dict[str, Any]]:
        """The spaces of an export. Each has its own line, and an end with the number of its rows."""
        found: list[dict[str, Any]] = []
        name, line = "", b""
        self._file.seek(0)
        for line in self._file:
            if line.startswith(b'{"space":'):
                name = json.loads(line)["space"]["name"]
            elif line.startswith(b'{"end":') and name:
                found.append({"space": name, **json.loads(line)["end"]})
        if not line.startswith(b'{"done":'):
            raise from_code("connection_lost", f"{self._path} was not received completely", "repeat the call")
        return found

    def keep(self) -> None:
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            if self._force:
                os.replace(self._partial, self._target)
            else:
                _put(self._partial, self._target)
        except FileExistsError:
            raise self._exists() from None
        except OSError as error:
            raise self._unwritable(error) from error

    def _exists(self) -> RecordarError:
        return from_code("exists", f"{self._path} already exists", "choose another name, or overwrite it with force=True")

    def _unwritable(self, error: OSError) -> RecordarError:
        what = f"{self._path} cannot be written: {error.strerror}"
        return RecordarError("unwritable", what, "check the path, its permissions and the free disk space")


def _put(partial: str, target: str) -> None:
    """Moves a file to a name that nothing has."""
    try:
        os.link(partial, target)
    except FileExistsError:
        raise
    except OSError:
        # There are no hard links here.
        if os.path.lexists(target):
            raise FileExistsError from None
        os.rename(partial, target)
