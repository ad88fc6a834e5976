"""LangGraph's checkpointer, on records. A thread is a bucket, so that it is deleted at once; one put is one transaction.

Keys of a bucket: ``t`` has the thread's id; ``c/NS/ID`` a checkpoint; ``b/NS/CHANNEL/VERSION`` the value of a channel; ``w/NS/ID/TASK/INDEX``
a pending write. A value is a line of JSON, and the bytes of the serializer.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from ._client import Id, Recordar
from .errors import InvalidError, NotFoundError
from .results import RecordList, StoredRecord

_PAGE = 1000
_FEW = 50
_MAX_PART_BYTES = 280
_MAX_BATCH = 5000
_MAX_BATCH_BYTES = 32 * 1024 * 1024


class RecordarSaver(BaseCheckpointSaver[str]):
    """Checkpoints of graphs, in a space of a memory. They are kept as records: never searched, and deleted with their thread."""

    def __init__(
        self,
        memory: Recordar,
        *,
        space: str | None = None,
        user_id: Id | None = None,
        name: str = "checkpoints",
        serde: SerializerProtocol | None = None,
    ) -> None:
        if not isinstance(memory, Recordar):
            raise TypeError("the checkpointer requires a Recordar, not an AsyncRecordar; its asynchronous methods run on threads of their own")
        super().__init__(serde=serde)
        self._memory = memory
        self._where: dict[str, Any] = {"space": space, "user_id": user_id}
        self._root = f"langgraph-checkpoints/{quote(name, safe='')}/"

    def get_next_version(self, current: str | int | float | None, channel: None) -> str:
        """Versions are text that grows, so that two branches of a thread do not give the same one."""
        number = int(str(current).split(".")[0]) if current is not None else 0
        return f"{number + 1:032}.{random.random():016}"

    def put(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Saves a checkpoint, with the channels that changed, in one transaction."""
        thread, namespace = _thread(config), str(config["configurable"].get("checkpoint_ns", ""))
        rest: dict[str, Any] = {**checkpoint}
        values = rest.pop("channel_values")
        records = {"t": {"value": thread, "keep": True}}
        for channel, version in new_versions.items():
            blob = self.serde.dumps_typed(values[channel]) if channel in values else ("empty", b"")
            records[_blob(namespace, channel, version)] = {"value": _pack({}, blob)}
        about = {"ns": namespace, "id": checkpoint["id"], "parent": get_checkpoint_id(config)}
        known = get_checkpoint_metadata(config, metadata)
        about["run"] = known.get("run_id")
        parts = (self.serde.dumps_typed(rest), self.serde.dumps_typed(known))
        records[f"c/{_part(namespace)}/{_part(checkpoint['id'])}"] = {"value": _pack(about, *parts)}
        self._store(thread, records)
        return _config(thread, namespace, checkpoint["id"])

    def put_writes(self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = "") -> None:
        """Saves the writes of a task. Those that are there stay, except errors, interrupts and the like."""
        thread, namespace = _thread(config), str(config["configurable"].get("checkpoint_ns", ""))
        below = f"w/{_part(namespace)}/{_part(config['configurable']['checkpoint_id'])}/{_part(task_id)}"
        records = {}
        for place, (channel, value) in enumerate(writes):
            index = WRITES_IDX_MAP.get(channel, place)
            about = {"task": task_id, "path": task_path, "index": index, "channel": channel}
            records[f"{below}/{index}"] = {"value": _pack(about, self.serde.dumps_typed(value)), "keep": index >= 0}
        self._store(thread, records)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint of a configuration, or the latest one of its thread."""
        thread, namespace = _thread(config), str(config["configurable"].get("checkpoint_ns", ""))
        below = f"c/{_part(namespace)}/"
        if wanted := get_checkpoint_id(config):
            found = self._records(thread, keys=[below + _part(wanted)])
        else:
            found = self._records(thread, prefix=below, reverse=True, limit=1)
        if not found:
            return None
        saved = self._tuple(thread, found.records[0])
        return saved._replace(config=config) if wanted else saved

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """The checkpoints of a thread, or of all threads: in each namespace the latest first."""
        wanted = get_checkpoint_id(config) if config else None
        ends = get_checkpoint_id(before) if before else None
        left = limit
        for thread in [_thread(config)] if config else self._threads():
            for keys in self._keys(thread, config["configurable"].get("checkpoint_ns") if config else None):
                keys = [key for key in keys if not wanted or key.endswith(f"/{_part(wanted)}")]
                keys = [key for key in keys if not ends or key.rpartition("/")[2] < _part(ends)]
                for record in self._named(thread, keys):
                    if left is not None and left <= 0:
                        return
                    metadata = self.serde.loads_typed(_unpack(record)[1][1])
                    if filter and any(metadata.get(name) != value for name, value in filter.items()):
                        continue
                    left = None if left is None else left - 1
                    yield self._tuple(thread, record)

    def delete_thread(self, thread_id: str) -> None:
        """Deletes all checkpoints and writes of a thread."""
        if self._records(str(thread_id), values=False, limit=1):
            self._memory.delete_records(self._bucket(str(thread_id)), **self._where)

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Deletes the checkpoints, and their writes, of some runs."""
        runs = {str(run) for run in run_ids}
        for thread in self._threads() if runs else ():
            known = self._known(thread)
            checkpoints = [_unpack(record)[0] for keys in self._keys(thread, None) for record in self._named(thread, keys)]
            gone = [about for about in checkpoints if about["run"] is not None and str(about["run"]) in runs]
            if gone:
                self._keep_only(thread, {_place(about) for about in checkpoints} - {_place(about) for about in gone}, known)

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copies all checkpoints and writes of a thread to another."""
        copies: dict[str, dict[str, Any]] = {}
        size = 0
        for record in self._all(str(source_thread_id)):
            value = record.value
            if value is None:
                raise _hidden()
            if len(copies) >= _MAX_BATCH or size + len(value) > _MAX_BATCH_BYTES:
                self._store(str(target_thread_id), copies)
                copies, size = {}, 0
            size += len(value)
            copies[record.key] = {"value": str(target_thread_id) if record.key == "t" else value}
        self._store(str(target_thread_id), copies)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Deletes all checkpoints of threads (``delete``), or all but the latest of each namespace (``keep_latest``).

        Earlier checkpoints that a channel with a history of changes is restored from are kept.
        """
        if strategy not in ("keep_latest", "delete"):
            raise ValueError(f"Unknown prune strategy: {strategy}")
        for thread in map(str, thread_ids):
            if strategy == "delete":
                self.delete_thread(thread)
                continue
            known = self._known(thread)
            kept: set[tuple[str, str]] = set()
            for keys in self._keys(thread, None):
                for record in self._named(thread, keys[:1]):
                    kept |= self._needed(thread, record)
            if kept:
                self._keep_only(thread, kept, known)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        found = self.list(config, filter=filter, before=before, limit=limit)
        while (saved := await asyncio.to_thread(next, found, None)) is not None:
            yield saved

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        await asyncio.to_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        await asyncio.to_thread(lambda: self.prune(thread_ids, strategy=strategy))

    def _bucket(self, thread: str) -> str:
        return f"{self._root}{quote(thread, safe='')}/"

    def _store(self, thread: str, records: dict[str, dict[str, Any]]) -> None:
        if records:
            bucket = self._bucket(thread)
            given = [{"bucket": bucket, "key": key, **record} for key, record in records.items()]
            self._memory.put_records(given, **self._where)

    def _records(self, thread: str, **arguments: Any) -> RecordList:
        return self._read(self._bucket(thread), **arguments)

    def _read(self, bucket: str, **arguments: Any) -> RecordList:
        try:
            return self._memory.records(bucket, **arguments, **self._where)
        except NotFoundError as error:
            # The first checkpoint will create the database.
            if error.code != "no_database":
                raise
            return RecordList({"space": "", "records": []})

    def _all(self, thread: str, **arguments: Any) -> Iterator[StoredRecord]:
        offset = 0
        while True:
            page = self._records(thread, **arguments, offset=offset, limit=_PAGE)
            yield from page
            if page.next is None:
                return
            offset = page.next

    def _named(self, thread: str, keys: Sequence[str]) -> Iterator[StoredRecord]:
        """Records by their keys, in this order. Those that are not there are left out."""
        for start in range(0, len(keys), _FEW):
            part = keys[start : start + _FEW]
            found: dict[str, StoredRecord] = {}
            for record in self._all(thread, keys=part):
                found[record.key] = record
            yield from (found[key] for key in part if key in found)

    def _threads(self) -> Sequence[str]:
        """All threads, by age."""
        threads: list[str] = []
        offset: int | None = 0
        while offset is not None:
            page = self._read(self._root, below=True, keys=["t"], order="age", offset=offset, limit=_PAGE)
            threads += [record.text or "" for record in page]
            offset = page.next
        return threads

    def _keys(self, thread: str, namespace: str | None) -> Sequence[Sequence[str]]:
        """The keys of the checkpoints of each namespace, the latest first. Namespaces are in the order of their first ones."""
        prefix = "c/" if namespace is None else f"c/{_part(namespace)}/"
        keys: dict[str, list[str]] = {}
        for record in self._all(thread, prefix=prefix, order="age", values=False):
            keys.setdefault(record.key.rpartition("/")[0], []).append(record.key)
        return [sorted(of_namespace, reverse=True) for of_namespace in keys.values()]

    def _tuple(self, thread: str, record: StoredRecord) -> CheckpointTuple:
        about, (saved, metadata) = _unpack(record)
        namespace, id_ = about["ns"], about["id"]
        checkpoint = self.serde.loads_typed(saved)
        writes = [_unpack(write) for write in self._all(thread, prefix=f"w/{_part(namespace)}/{_part(id_)}/")]
        writes.sort(key=lambda write: (write[0]["path"], write[0]["task"], write[0]["index"]))
        blobs = self._channels(thread, namespace, checkpoint["channel_versions"])
        checkpoint["channel_values"] = {channel: self.serde.loads_typed(blob) for channel, blob in blobs.items()}
        return CheckpointTuple(
            config=_config(thread, namespace, id_),
            checkpoint=checkpoint,
            metadata=self.serde.loads_typed(metadata),
            parent_config=_config(thread, namespace, about["parent"]) if about["parent"] else None,
            pending_writes=[(write["task"], write["channel"], self.serde.loads_typed(blob)) for write, (blob,) in writes],
        )

    def _channels(self, thread: str, namespace: str, versions: ChannelVersions) -> dict[str, tuple[str, bytes]]:
        """The stored values of channels; empty ones are left out."""
        keys = {_blob(namespace, channel, version): channel for channel, version in versions.items()}
        found = {keys[record.key]: _unpack(record)[1][0] for record in self._named(thread, list(keys))}
        return {channel: found[channel] for channel in versions if channel in found and found[channel][0] != "empty"}

    def _needed(self, thread: str, record: StoredRecord) -> set[tuple[str, str]]:
        """A checkpoint, and the earlier ones from which its channels with a history are restored."""
        about, (saved, metadata) = _unpack(record)
        needed = {_place(about)}
        open_channels = set(self.serde.loads_typed(metadata).get("counters_since_delta_snapshot") or ())
        open_channels -= set(self._channels(thread, about["ns"], self.serde.loads_typed(saved)["channel_versions"]))
        while open_channels and about["parent"]:
            found = self._records(thread, keys=[f"c/{_part(about['ns'])}/{_part(about['parent'])}"])
            if not found:
                break
            about, (saved, _) = _unpack(found.records[0])
            needed.add(_place(about))
            open_channels -= set(self._channels(thread, about["ns"], self.serde.loads_typed(saved)["channel_versions"]))
        return needed

    def _known(self, thread: str) -> set[str]:
        """The keys of a thread as they are now. What is stored later is not deleted."""
        return {record.key for record in self._all(thread, values=False)}

    def _keep_only(self, thread: str, kept: set[tuple[str, str]], known: set[str]) -> None:
        """Deletes all other known checkpoints of a thread with their writes, and the values of channels that nothing else has."""
        below = {f"{_part(namespace)}/{_part(id_)}" for namespace, id_ in kept}
        later = self._known(thread) - known
        below |= {key.partition("/")[2] for key in later if key.startswith("c/")}
        blobs: set[str] = set()
        for record in self._named(thread, [f"c/{place}" for place in sorted(below)]):
            about, (saved, _) = _unpack(record)
            versions = self.serde.loads_typed(saved)["channel_versions"]
            blobs |= {_blob(about["ns"], channel, version) for channel, version in versions.items()}

        def is_kept(key: str) -> bool:
            kind, _, rest = key.partition("/")
            if key == "t":
                return bool(below or later)
            return key in blobs if kind == "b" else "/".join(rest.split("/")[:2]) in below

        bucket = self._bucket(thread)
        gone = [{"bucket": bucket, "key": key} for key in sorted(known) if not is_kept(key)]
        for start in range(0, len(gone), _MAX_BATCH):
            self._memory.put_records(delete=gone[start : start + _MAX_BATCH], **self._where)


def _thread(config: RunnableConfig) -> str:
    return str(config["configurable"]["thread_id"])


def _config(thread: str, namespace: str, id_: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": id_}}


def _place(about: dict[str, Any]) -> tuple[str, str]:
    return about["ns"], about["id"]


def _part(text: Any) -> str:
    """A part of a key: without a slash, and not too long. Keys have the order of the texts, so that the latest checkpoint is the last."""
    escaped = str(text).replace("%", "%25").replace("/", "%2F")
    return escaped if len(escaped.encode()) <= _MAX_PART_BYTES else f"%{sha256(escaped.encode()).hexdigest()}"


def _blob(namespace: str, channel: str, version: str | int | float) -> str:
    is_whole = isinstance(version, float) and version.is_integer()
    return f"b/{_part(namespace)}/{_part(channel)}/{_part(json.dumps(int(version) if is_whole else version))}"


def _pack(about: dict[str, Any], *parts: tuple[str, bytes]) -> bytes:
    head = json.dumps({**about, "parts": [(kind, len(content)) for kind, content in parts]})
    return b"".join([head.encode(), b"\n", *(content for _, content in parts)])


def _unpack(record: StoredRecord) -> tuple[dict[str, Any], list[tuple[str, bytes]]]:
    value = record.value
    if value is None:
        raise _hidden()
    head, _, rest = value.partition(b"\n")
    about = json.loads(head)
    parts, at = [], 0
    for kind, size in about.pop("parts"):
        parts.append((kind, rest[at : at + size]))
        at += size
    if at != len(rest):
        raise _hidden()
    return about, parts


def _hidden() -> InvalidError:
    what = "a checkpoint cannot be read: redaction is on, and has changed it or left it out"
    return InvalidError("invalid", what, "turn off recall.enable_redaction for the memory that the checkpointer uses")
