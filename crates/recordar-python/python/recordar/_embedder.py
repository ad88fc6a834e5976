"""The caller's own embedder, as the engine calls it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from .errors import InvalidError

TextKind = Literal["passage", "question"]
Vectors = Iterable[Iterable[float]]
_MAX_SECONDS = 600.0


@runtime_checkable
class SupportsEmbed(Protocol):
    """An object that turns texts into vectors. ``kind`` is ``"passage"`` for stored texts and ``"question"`` for what is asked."""

    @property
    def name(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    def embed(self, texts: list[str], kind: TextKind) -> Vectors: ...


@dataclass(frozen=True)
class Embedder:
    """Your own embedder, made of functions: ``Recordar(embedder=Embedder("my-model", 384, model.encode))``.

    A function gets a list of texts and returns one vector for each: lists of numbers, or an array. The same name must always stand for the
    same vectors, because they are stored, and each text is asked for once. A changed model needs another name.

    Args:
        name: The model's name, which is stored with its vectors.
        dimension: The number of components of every vector. From 1 to 4096.
        passages: Embeds texts that are stored.
        questions: Embeds texts that are asked; by default the same function.
        timeout: How many seconds one call may take. At most 600.
    """

    name: str
    dimension: int
    passages: Callable[[list[str]], Vectors]
    questions: Callable[[list[str]], Vectors] | None = None
    timeout: float = 60.0

    def embed(self, texts: list[str], kind: TextKind) -> Vectors:
        function = self.questions if kind == "question" and self.questions is not None else self.passages
        return function(texts)


class WrappedEmbedder:
    """What the native half uses: checked attributes, and vectors as lists of numbers."""

    def __init__(self, given: SupportsEmbed) -> None:
        what = "an embedder is an object with name, dimension and embed(texts, kind)"
        remedy = "use recordar.Embedder(name, dimension, function)"
        if isinstance(given, type) or not isinstance(given, SupportsEmbed) or not callable(given.embed):
            raise InvalidError("invalid", f"{what}, not {given!r}", remedy)
        if not isinstance(given.name, str):
            raise InvalidError("invalid", f"{what}; its name is {given.name!r}", "use a string as its name")
        if not isinstance(given.dimension, int) or isinstance(given.dimension, bool) or not 1 <= given.dimension <= 4096:
            raise InvalidError("invalid", f"{what}; its dimension is {given.dimension!r}", "use an integer from 1 to 4096")
        timeout = getattr(given, "timeout", 60.0)
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout <= _MAX_SECONDS:
            raise InvalidError("invalid", f"{what}; its timeout is {timeout!r}", "use a number of seconds, at most 600")
        if inspect.iscoroutinefunction(given.embed):
            raise InvalidError("invalid", "an embedder's function must not be asynchronous", "use one that returns vectors")
        self._given = given
        self.name = given.name
        self.dimension = given.dimension
        self.timeout = float(timeout)

    def embed(self, texts: list[str], kind: TextKind) -> list[list[float]]:
        made = self._given.embed(texts, kind)
        if inspect.isawaitable(made):
            close = getattr(made, "close", None)
            if close is not None:
                close()
            raise TypeError("it returned an awaitable; an embedder's function must not be asynchronous")
        return _listed(made)


def _listed(made: Any) -> list[list[float]]:
    # Arrays and tensors of other libraries, much faster than item by item.
    if hasattr(made, "tolist"):
        made = made.tolist()
    if isinstance(made, (str, bytes)) or not isinstance(made, Iterable):
        raise TypeError(f"it returned {type(made).__name__} instead of a list of vectors")
    return [_vector(vector) for vector in made]


def _vector(vector: Any) -> list[float]:
    if hasattr(vector, "tolist"):
        vector = vector.tolist()
    if isinstance(vector, (str, bytes)) or not isinstance(vector, Iterable):
        raise TypeError(f"it returned {type(vector).__name__} as a vector")
    return [float(value) for value in vector]


def wrapped(embedder: SupportsEmbed | None) -> WrappedEmbedder | None:
    return None if embedder is None else WrappedEmbedder(embedder)
