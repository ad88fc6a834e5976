"""The caller's own embedder, from Python."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import Awaited
from test_running import in_child

from recordar import AsyncRecordar, Embedder, Recordar, RecordarError

pytestmark = pytest.mark.embedded("an embedder of one's own is in the process")

SAME = {"quimpet": "zorblax"}
DIMENSION = 256


def vectors(texts: list[str]) -> list[list[float]]:
    found = []
    for text in texts:
        vector = [0.0] * DIMENSION
        for word in text.lower().replace(".", "").split():
            word = SAME.get(word, word)
            vector[sum(index * ord(c) for index, c in enumerate(word, 3)) % DIMENSION] += 1.0
        found.append(vector)
    return found


class Toy:
    """An embedder that counts what it is asked for."""

    name = "toy-1"
    dimension = DIMENSION

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def embed(self, texts: list[str], kind: str) -> list[list[float]]:
        self.asked.append((kind, len(texts)))
        return vectors(texts)


class Array:
    """Like an array of another library: no sequence, but it can be listed."""

    def tolist(self) -> list[list[float]]:
        return vectors(["The zorblax lies on the table."])


@pytest.fixture(params=["sync", "async"])
def opened(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    made: list[Any] = []

    def open_memory(*arguments: Any, **named: Any) -> Any:
        made.append((Recordar if request.param == "sync" else Awaited)(*arguments, **named))
        return made[-1]

    yield open_memory
    for memory in made:
        memory.close() if request.param == "sync" else memory.stop()


def test_i21_embedder_finds_what_words_cannot(opened: Callable[..., Any], database: str) -> None:
    toy = Toy()
    memory = opened(database, user_id="ada", embedder=toy)
    memory.remember(["The zorblax lies on the table.", "Bruno has sold the boat.", "Clara repaired the lamp."])
    assert toy.asked == []
    assert memory.search("quimpet").hits[0].text == "The zorblax lies on the table."
    assert toy.asked == [("question", 1), ("passage", 3)]
    report = memory.models()
    assert (report.embedder, report.dimension, report.embedder_source) == ("toy-1", DIMENSION, "given")

    without = opened(database, user_id="ada")
    result = without.search("zorblax")
    assert result.hits[0].text == "The zorblax lies on the table."
    reasons = [decision.reason for stage in result.trace.stages for decision in stage.decisions]
    assert "words_only" in reasons
    assert without.models().embedder_source == "not_given"
    with pytest.raises(RecordarError) as caught:
        without.reembed("toy-1")
    assert caught.value.code == "no_embedder"

    assert without.reembed("recordar-static-256.1").changed
    assert memory.models().given_embedder == "toy-1"
    assert memory.reembed("toy-1").changed
    assert memory.search("quimpet").hits[0].text == "The zorblax lies on the table."


def test_i21_embedder_is_made_of_functions(opened: Callable[..., Any], sqlite: str) -> None:
    questions: list[str] = []

    def ask(texts: list[str]) -> list[list[float]]:
        questions.extend(texts)
        return vectors(texts)

    memory = opened(sqlite, embedder=Embedder("functions", DIMENSION, vectors, questions=ask, timeout=5))
    memory.remember("The zorblax lies on the table.")
    assert len(memory.search("quimpet").hits) == 1
    assert questions == ["quimpet"]


def test_i21_embedder_may_return_arrays(opened: Callable[..., Any], sqlite: str) -> None:
    memory = opened(sqlite, embedder=Embedder("arrays", DIMENSION, lambda texts: Array()))  # type: ignore[arg-type]
    memory.remember("The zorblax lies on the table.")
    assert memory.search("quimpet").hits[0].cosine > 0.9


@pytest.mark.parametrize(
    "function, expected",
    [
        (lambda texts: 1 / 0, "division by zero"),
        (lambda texts: [[1.0]] * len(texts), f"a vector with 1 components; its dimension is {DIMENSION}"),
        (lambda texts: [[float("nan")] * DIMENSION] * len(texts), "not a finite number"),
        (lambda texts: [], "0 vectors for 1 texts"),
        (lambda texts: "vectors", "returned str"),
        (lambda texts: None, "returned NoneType"),
        (lambda texts: [None] * len(texts), "NoneType as a vector"),
        (lambda texts: asyncio.sleep(0), "must not be asynchronous"),
        (lambda texts: threading.Event().wait(3), "has not answered within 100 ms"),
    ],
)
def test_i21_embedder_that_fails_stops_nothing(sqlite: str, function: Any, expected: str) -> None:
    with Recordar(sqlite, embedder=Embedder("bad", DIMENSION, function, timeout=0.1)) as memory:
        memory.remember("The zorblax lies on the table.")
        result = memory.search("zorblax")
    assert result.hits[0].text == "The zorblax lies on the table."
    details = [decision.detail for stage in result.trace.stages for decision in stage.decisions if decision.reason == "words_only"]
    assert expected in details[0], details


@pytest.mark.parametrize(
    "given, expected",
    [
        (vectors, "recordar.Embedder"),
        (Toy, "recordar.Embedder"),
        (Embedder("toy", 0, vectors), "from 1 to 4096"),
        (Embedder("toy", 5000, vectors), "from 1 to 4096"),
        (Embedder("toy", 8, vectors, timeout=0), "at most 600"),
        (Embedder("recordar-static-256.1", 8, vectors), "choose another name"),
        (Embedder("", 8, vectors), "200 bytes"),
        (Embedder(7, 8, vectors), "a string"),  # type: ignore[arg-type]
    ],
)
def test_i21_embedder_that_cannot_be_used_is_refused_at_once(sqlite: str, given: Any, expected: str) -> None:
    for client in (Recordar, AsyncRecordar):
        with pytest.raises(RecordarError) as caught:
            client(sqlite, embedder=given)
        assert expected in caught.value.remedy, caught.value


def test_i21_embedder_goes_on_after_a_fork(sqlite: str) -> None:
    with Recordar(sqlite, embedder=Toy()) as memory:
        memory.remember("The zorblax lies on the table.")

        def work() -> None:
            assert memory.search("quimpet").hits[0].text == "The zorblax lies on the table."

        assert in_child(work) == 0
        work()
