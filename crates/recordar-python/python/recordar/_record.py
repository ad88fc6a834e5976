"""Results: plain data with named fields.

A result holds the same JSON document as in every other interface of Recordar; ``to_dict()`` returns it. Fields are parsed when they
are first read, so reading only the text costs little more than the text.
"""

from __future__ import annotations

import copy
import html
import json
import types
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, ClassVar, Generic, SupportsIndex, TypeVar, Union, get_args, get_origin, get_type_hints, overload

from ._native import Later

R = TypeVar("R", bound="Record")


class Record:
    """The base of all results. Fields cannot be set; ``to_dict()`` is a copy."""

    _columns: ClassVar[tuple[str, ...]] = ()
    _readers: ClassVar[dict[str, Callable[[Any], Any]]]

    _data: dict[str, Any] | None
    _unread: dict[str, str | Later]
    _texts: dict[str, str]

    def __init__(self, data: dict[str, Any] | None, unread: dict[str, str | Later] | None = None) -> None:
        self.__dict__["_data"] = data
        self.__dict__["_unread"] = unread or {}

    @classmethod
    def _of_json(cls: type[R], fields: tuple[dict[str, str], dict[str, str | Later]]) -> R:
        """A result whose fields are text or JSON that is not parsed yet."""
        texts, unread = fields
        record = cls(None, unread)
        record.__dict__["_texts"] = texts
        # Some texts are times.
        readers = _readers_of(cls)
        record.__dict__.update((name, readers[name](text) if name in readers else text) for name, text in texts.items())
        return record

    # A type checker uses the declared fields.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            reader = _readers_of(type(self)).get(name)
            if reader is None:
                raise AttributeError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(_readers_of(type(self)))}")
            value = reader(self._get(name))
            # Later accesses find it directly.
            self.__dict__[name] = value
            return value

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __dir__(self) -> list[str]:
        return [*_readers_of(type(self)), "to_dict"]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Record) and self.to_dict() == other.to_dict()

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.to_dict(),))

    def __repr__(self) -> str:
        shown = (f"{name}={_shortened(getattr(self, name))}" for name in self._columns or _readers_of(type(self)))
        return f"{type(self).__name__}({', '.join(shown)})"

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, ready for JSON."""
        if self._data is None:
            return self._texts | {name: _read(field) for name, field in self._unread.items()}
        return copy.deepcopy(self._data)

    def _get(self, name: str) -> Any:
        # A field named like a Python keyword has a trailing underscore.
        name = name.removesuffix("_")
        if self._data is not None:
            return self._data.get(name)
        return _read(self._unread[name]) if name in self._unread else None

    def _repr_html_(self) -> str:
        rows = [(name, getattr(self, name)) for name in _readers_of(type(self))]
        return _table(("", ""), ((html.escape(name), _cell(value)) for name, value in rows))


class Records(list[R], Generic[R]):
    """A list of results, which a notebook shows as a table. So is a slice of it."""

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> R: ...
    @overload
    def __getitem__(self, index: slice, /) -> Records[R]: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> R | Records[R]:
        return Records(super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def to_dicts(self) -> list[dict[str, Any]]:
        """The results as plain data, ready for JSON."""
        return [record.to_dict() for record in self]

    def _repr_html_(self) -> str:
        return records_table(self)


def records_table(records: Iterable[Record]) -> str:
    """A table with one row per record."""
    listed = list(records)
    if not listed:
        return "<p>nothing</p>"
    columns = listed[0]._columns or tuple(_readers_of(type(listed[0])))
    return _table(columns, ([_cell(getattr(record, column)) for column in columns] for record in listed))




def _read(field: str | Later) -> Any:
    return json.loads(field if isinstance(field, str) else field.json())


def _readers_of(cls: type[Record]) -> dict[str, Callable[[Any], Any]]:
    if "_readers" not in cls.__dict__:
        hints = get_type_hints(cls)
        cls._readers = {name: _reader(hint) for name, hint in hints.items() if not name.startswith("_")}
    return cls._readers


def _reader(hint: Any) -> Callable[[Any], Any]:
    """The function that turns a JSON value into a field."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        (inner,) = (_reader(option) for option in get_args(hint) if option is not type(None))
        return lambda value: None if value is None else inner(value)
    if origin in (list, Records):
        inner = _reader(get_args(hint)[0])
        make = Records if origin is Records else list
        return lambda value: make(map(inner, value or ()))
    if hint is datetime:
        return _time
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint
    # Replies leave out some fields that are empty.
    if origin is dict:
        return lambda value: {} if value is None else value
    if hint is int:
        return lambda value: 0 if value is None else value
    return lambda value: value


def _time(value: str) -> datetime:
    """A time, always in UTC. A time out of Python's range becomes the nearest one in range."""
    whole, _, fraction = value.removesuffix("Z").partition(".")
    try:
        return datetime.fromisoformat(f"{whole}.{fraction:0<6}+00:00")
    except ValueError:
        return (datetime.min if value.startswith("-") else datetime.max).replace(tzinfo=timezone.utc)


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _cell(value: Any) -> str:
    if isinstance(value, Record):
        return value._repr_html_()
    if isinstance(value, list) and value and isinstance(value[0], Record):
        return records_table(value)
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, list):
        return html.escape(", ".join(map(str, value)))
    return "" if value is None else html.escape(str(value)).replace("\n", "<br>")


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    def cells(row: Iterable[str], tag: str) -> Iterator[str]:
        return (f'<{tag} style="text-align:left;vertical-align:top">{cell}</{tag}>' for cell in row)

    head = "".join(cells(map(html.escape, header), "th"))
    body = "".join(f"<tr>{''.join(cells(row, 'td'))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
