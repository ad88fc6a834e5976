"""LangGraph's store, on records. What is to be searched is an item as well, so that it is found by keyword and meaning, and recalled."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from hashlib import sha256
from typing import Any
from urllib.parse import quote, unquote

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    get_text_at_path,
)

from ._client import Id, Recordar
from ._originals import text_of
from .errors import NotFoundError
from .results import Bucket, RecordList, StoredRecord

_PAGE = 1000
_Namespace = tuple[str, ...]


class RecordarStore(BaseStore):
    """Long-term memory of a graph: values by namespace and key, in a space of a memory.

    It behaves like LangGraph's ``InMemoryStore``. ``fields`` are the parts of a value that are searched, as in its ``index``
    configuration: ``$`` is the whole value. Without fields, nothing is searched, and a ``query`` is ignored. Values must be JSON.

    What is searched can be recalled as well, with everything else in the space. A deleted value is deleted for good.
    """

    def __init__(
        self,
        memory: Recordar,
        *,
        space: str | None = None,
        user_id: Id | None = None,
        fields: Sequence[str] = ("$",),
        name: str = "store",
    ) -> None:
        if not isinstance(memory, Recordar):
            raise TypeError("the store requires a Recordar, not an AsyncRecordar; its asynchronous methods run on threads of their own")
        if isinstance(fields, str):
            raise TypeError(f"fields must be a list, not {fields!r}")
        self._memory = memory
        self._where: dict[str, Any] = {"space": space, "user_id": user_id}
        self._fields = list(fields)
        self._root = f"langgraph-store/{quote(name, safe='')}/"

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Runs operations. All see what was stored before the batch; then everything that it puts is stored in one transaction."""
        results: list[Result] = []
        puts: dict[tuple[_Namespace, str], PutOp] = {}
        for op in ops:
            if isinstance(op, GetOp):
                results.append(self._get(op))
            elif isinstance(op, SearchOp):
                results.append(self._search(op))
            elif isinstance(op, ListNamespacesOp):
                results.append(self._namespaces(op))
            elif isinstance(op, PutOp):
                puts[(op.namespace, op.key)] = op
                results.append(None)
            else:
                raise ValueError(f"Unknown operation type: {type(op)}")
        if puts:
            self._put(puts)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, on another thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _bucket(self, namespace: _Namespace) -> str:
        # Each label ends with a slash, so that a bucket begins with another one only if its namespace does.
        return self._root + "".join(f"{quote(label, safe='')}/" for label in namespace)

    def _namespace(self, bucket: str) -> _Namespace:
        return tuple(unquote(label) for label in bucket.removeprefix(self._root).split("/")[:-1])

    def _get(self, op: GetOp) -> Item | None:
        found = self._records(self._bucket(op.namespace), keys=[_key(op.key)])
        return _item(op.namespace, found.records[0]) if found else None

    def _records(self, bucket: str, **arguments: Any) -> RecordList:
        try:
            return self._memory.records(bucket, **arguments, **self._where)
        except NotFoundError as error:
            # The first value will create the database.
            if error.code != "no_database":
                raise
            return RecordList({"space": "", "records": []})

    def _below(self, prefix: _Namespace, offset: int = 0) -> Iterator[StoredRecord]:
        """All values of a namespace and those below it, by age, page by page."""
        while True:
            page = self._records(self._bucket(prefix), below=True, order="age", offset=offset, limit=_PAGE)
            yield from page
            if page.next is None:
                return
            offset = page.next

    def _search(self, op: SearchOp) -> list[SearchItem]:
        if op.query and self._fields:
            ranked = self._ranked(op)
            return [_found(self._namespace(record.bucket), record, score) for score, record in ranked[op.offset : op.offset + op.limit]]
        # What is skipped is not read, unless it has to be looked at.
        records = self._below(op.namespace_prefix, 0 if op.filter else op.offset)
        skipped = op.offset if op.filter else 0
        found: list[SearchItem] = []
        for record in records:
            if len(found) >= op.limit:
                break
            if not _passes(op, record):
                continue
            if skipped > 0:
                skipped -= 1
                continue
            found.append(_found(self._namespace(record.bucket), record, None))
        return found

    def _ranked(self, op: SearchOp) -> list[tuple[float | None, StoredRecord]]:
        """The values by their scores. Those that the search did not find follow with a score of 0, and those that are not searched without."""
        scores = self._scores(op)
        matching = [record for record in self._below(op.namespace_prefix) if _passes(op, record)]
        ranked: list[tuple[float | None, StoredRecord]] = []
        for record in matching:
            digest = _content(record).get("digest")
            # An item of an earlier value does not count.
            score = scores.get((record.bucket, record.key, digest), 0.0) if digest is not None else None
            ranked.append((score, record))
        return sorted(ranked, key=lambda found: -1.0 if found[0] is None else found[0], reverse=True)

    def _scores(self, op: SearchOp) -> dict[tuple[str, str, str], float]:
        condition = f"meta.langgraph_namespaces={self._bucket(op.namespace_prefix)}"
        try:
            found = self._memory.search(op.query or "", filter=[condition], limit=_PAGE, **self._where)
        except NotFoundError:
            return {}
        about = [(hit.metadata, hit.score) for hit in found.hits]
        return {
            (metadata["langgraph_namespaces"][-1], metadata["langgraph_key"], metadata["langgraph_digest"]): score
            for metadata, score in about
        }

    def _namespaces(self, op: ListNamespacesOp) -> list[_Namespace]:
        namespaces = [self._namespace(bucket.bucket) for bucket in self._buckets()]
        for condition in op.match_conditions or ():
            namespaces = [namespace for namespace in namespaces if _matches(condition, namespace)]
        if op.max_depth is not None:
            namespaces = list({namespace[: op.max_depth] for namespace in namespaces})
        return sorted(namespaces)[op.offset : op.offset + op.limit]

    def _buckets(self) -> Iterator[Bucket]:
        offset = 0
        while True:
            try:
                page = self._memory.buckets(prefix=self._root, offset=offset, limit=_PAGE, **self._where)
            except NotFoundError:
                return
            yield from page
            if page.next is None:
                return
            offset = page.next

    def _put(self, puts: dict[tuple[_Namespace, str], PutOp]) -> None:
        records, delete, searched, unsearched = [], [], [], []
        now = datetime.now(timezone.utc).isoformat()
        for (namespace, key), op in puts.items():
            bucket = self._bucket(namespace)
            own_id = f"{self._root}{sha256(f'{bucket} {key}'.encode()).hexdigest()}"
            if op.value is None:
                delete.append({"bucket": bucket, "key": _key(key)})
                unsearched.append(own_id)
                continue
            content: dict[str, Any] = {"value": dict(op.value), "created_at": now, "updated_at": now}
            text = self._text(op)
            if text is None:
                unsearched.append(own_id)
            else:
                content["digest"] = sha256(text.encode()).hexdigest()
                searched.append(self._searched(namespace, key, own_id, text, content["digest"]))
            records.append({"bucket": bucket, "key": _key(key), "value": json.dumps(content)})
        # What is deleted is forgotten first, and what is stored is searched last: no item is left without its value.
        self._forget(unsearched)
        if records or delete:
            self._memory.put_records(records, delete=delete, **self._where)
        if searched:
            self._memory.remember(searched, **self._where)

    def _text(self, op: PutOp) -> str | None:
        """What is searched of a value."""
        if op.index is False or not self._fields:
            return None
        paths = self._fields if op.index is None else op.index
        texts = [text for path in paths for text in get_text_at_path(op.value, path)]
        return text_of(texts, "") or None

    def _searched(self, namespace: _Namespace, key: str, own_id: str, text: str, digest: str) -> dict[str, Any]:
        prefixes = [self._bucket(namespace[:depth]) for depth in range(len(namespace) + 1)]
        about = {"langgraph_namespaces": prefixes, "langgraph_key": _key(key), "langgraph_digest": digest}
        # Its place is named as the speaker: a context shows it, and equal texts of different places are found.
        speaker = "/".join((*namespace, key)).replace("\0", " ").encode()[:256].decode(errors="ignore")
        return {"id": own_id, "text": text, "kind": "fact", "speaker": speaker, "source": "langgraph", "metadata": about}

    def _forget(self, own_ids: list[str]) -> None:
        for start in range(0, len(own_ids), _PAGE):
            part = own_ids[start : start + _PAGE]
            try:
                missing = set(self._memory.items(ids=part, **self._where).missing)
                there = [own_id for own_id in part if own_id not in missing]
                if there:
                    self._memory.forget(ids=there, **self._where)
            except NotFoundError:
                # There is no database yet, or another call was first.
                pass


def _key(key: str) -> str:
    # A record's key is not empty; a key may be.
    return f"={key}"


def _content(record: StoredRecord) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(record.text or "{}")
    return content


def _item(namespace: _Namespace, record: StoredRecord) -> Item:
    content = _content(record)
    times = {name: datetime.fromisoformat(content[name]) for name in ("created_at", "updated_at")}
    return Item(value=content["value"], key=record.key[1:], namespace=namespace, **times)


def _found(namespace: _Namespace, record: StoredRecord, score: float | None) -> SearchItem:
    item = _item(namespace, record)
    return SearchItem(item.namespace, item.key, item.value, item.created_at, item.updated_at, score)


def _passes(op: SearchOp, record: StoredRecord) -> bool:
    if not op.filter:
        return True
    value = _content(record)["value"]
    return all(_compare(value.get(name), wanted) for name, wanted in op.filter.items())


def _compare(value: Any, wanted: Any) -> bool:
    """As ``InMemoryStore`` compares: operators, parts of objects, lists element by element."""
    if isinstance(wanted, dict):
        if any(name.startswith("$") for name in wanted):
            return all(_operate(value, operator, operand) for operator, operand in wanted.items())
        return isinstance(value, dict) and all(_compare(value.get(name), inner) for name, inner in wanted.items())
    if isinstance(wanted, (list, tuple)):
        return isinstance(value, list) and len(value) == len(wanted) and all(map(_compare, value, wanted))
    return bool(value == wanted)


def _operate(value: Any, operator: str, operand: Any) -> bool:
    if operator == "$eq":
        return bool(value == operand)
    if operator == "$ne":
        return bool(value != operand)
    if operator not in ("$gt", "$gte", "$lt", "$lte"):
        raise ValueError(f"Unsupported operator: {operator}")
    left, right = float(value), float(operand)
    if operator == "$gt":
        return left > right
    if operator == "$gte":
        return left >= right
    return left < right if operator == "$lt" else left <= right


def _matches(condition: MatchCondition, namespace: _Namespace) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    if condition.match_type == "prefix":
        pairs = zip(namespace, path)
    elif condition.match_type == "suffix":
        pairs = zip(reversed(namespace), reversed(path))
    else:
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    return all(wanted in ("*", label) for label, wanted in pairs)
