"""The store and the checkpointer of LangGraph, a chat history and a session: the projects' own suites, and comparisons with what the
projects keep in RAM (issue 23, the last paragraph). Every comparison is drawn from a seed."""

from __future__ import annotations

import asyncio
import json
import operator
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, TypedDict

import pytest
from agents import Agent, Runner
from agents.items import ModelResponse
from agents.memory import Session, SessionSettings, SQLiteSession
from agents.models.interface import Model
from agents.usage import Usage
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import GetOp, Item, ListNamespacesOp, MatchCondition, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command, interrupt
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from recordar import AsyncRecordar, Recordar, RecordarError
from recordar.langchain import RecordarChatMessageHistory
from recordar.langgraph import RecordarSaver, RecordarStore
from recordar.openai_agents import RecordarSession

OPERATIONS = 320


# The store


LABELS = ["users", "ada", "bob", "prefs", "a b", "ä/ö", "%2F", "*", "0"]
KEYS = ["theme", "k", "x/y", "", "ключ", "a", "b", "c", "=", "%"]


def drawn_value(draw: random.Random, depth: int = 0) -> Any:
    kinds = ["text", "number", "float", "bool", "none"] + (["list", "dict"] if depth < 2 else [])
    kind = draw.choice(kinds)
    if kind == "list":
        return [drawn_value(draw, depth + 1) for _ in range(draw.randint(0, 3))]
    if kind == "dict":
        return {draw.choice("abcde"): drawn_value(draw, depth + 1) for _ in range(draw.randint(0, 3))}
    simple = {"text": draw.choice(["red", "blue", "", "ünïcode \0 \U0001f600", "5"]), "number": draw.randint(-3, 3)}
    return {**simple, "float": draw.randint(-9, 9) / 4, "bool": draw.random() < 0.5, "none": None}[kind]


def drawn_namespace(draw: random.Random, least: int = 1) -> tuple[str, ...]:
    return tuple(draw.choice(LABELS) for _ in range(draw.randint(least, 3)))


def drawn_filter(draw: random.Random) -> dict[str, Any] | None:
    if draw.random() < 0.4:
        return None
    wanted: Any = draw.choice([drawn_value(draw), {draw.choice(["$eq", "$ne"]): drawn_value(draw)}, {"n": drawn_value(draw)}])
    return draw.choice([{"a": wanted}, {"n": {draw.choice(["$gt", "$gte", "$lt", "$lte", "$eq", "$ne"]): draw.randint(-2, 2)}}, {"b": wanted, "a": 1}])


def drawn_op(draw: random.Random) -> Op:
    kind = draw.random()
    if kind < 0.4:
        value = {"n": draw.randint(-3, 3), **{draw.choice("abcde"): drawn_value(draw) for _ in range(draw.randint(0, 3))}}
        return PutOp(drawn_namespace(draw), draw.choice(KEYS), value, draw.choice([None, False, ["a"], ["b", "c.d", "e[*]"]]))
    if kind < 0.5:
        return PutOp(drawn_namespace(draw), draw.choice(KEYS), None)
    if kind < 0.65:
        return GetOp(drawn_namespace(draw), draw.choice(KEYS))
    if kind < 0.85:
        return SearchOp(drawn_namespace(draw, 0)[: draw.randint(0, 2)], drawn_filter(draw), draw.choice([1, 3, 10, 100]), draw.choice([0, 0, 1, 5]))
    conditions = [MatchCondition(draw.choice(["prefix", "suffix"]), drawn_namespace(draw)[:2]) for _ in range(draw.randint(0, 2))]
    depth = draw.choice([None, None, 1, 2, 3])
    return ListNamespacesOp(tuple(conditions) or None, depth, draw.choice([1, 5, 100]), draw.choice([0, 0, 2]))


def plain(result: Any) -> Any:
    """A result without its times, which differ."""
    if isinstance(result, Item):
        assert result.created_at <= result.updated_at and result.updated_at.tzinfo is not None
        score = getattr(result, "score", None)
        return (type(result).__name__, result.namespace, result.key, result.value, score)
    return [plain(one) for one in result] if isinstance(result, list) else result


class InRam(InMemoryStore):
    """Without empty namespaces: one that was only asked for, or is empty again, is listed by this store, and by none of LangGraph's in a
    database."""

    def drop_empty(self) -> None:
        for namespace in [namespace for namespace, items in self._data.items() if not items]:
            del self._data[namespace]

    def _handle_list_namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        self.drop_empty()
        return super()._handle_list_namespaces(op)

    def _apply_put_ops(self, put_ops: Any) -> None:
        self.drop_empty()
        super()._apply_put_ops(put_ops)
        self.drop_empty()


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return plain(call())
    except (ValueError, TypeError, NotImplementedError) as error:
        return type(error).__name__, str(error).replace("RecordarStore", "InMemoryStore").replace("InRam", "InMemoryStore")


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_i23_6_the_store_does_what_the_one_in_ram_does(database: str, is_async: bool) -> None:
    draw = random.Random(23 + is_async)
    memory = Recordar(database, user_id="ada")
    store, reference = RecordarStore(memory), InRam()
    loop = asyncio.new_event_loop()
    done = 0
    while done < OPERATIONS:
        ops = [drawn_op(draw) for _ in range(draw.choice([1, 1, 1, 2, 6]))]
        done += len(ops)
        if is_async:
            found, expected = (
                outcome(lambda: loop.run_until_complete(one.abatch(ops))) for one in (store, reference)
            )
        else:
            found, expected = (outcome(lambda: one.batch(ops)) for one in (store, reference))
        assert found == expected, ops
        if done % 100 == 0 or (draw.random() < 0.02 and not is_async):
            # Whatever was stored is there in the next process.
            memory.close()
            memory = Recordar(database, user_id="ada")
            store = RecordarStore(memory)
    assert plain(store.search((), limit=10_000)) == plain(reference.search((), limit=10_000))
    assert store.list_namespaces(limit=10_000) == reference.list_namespaces(limit=10_000)
    loop.close()
    memory.close()


def test_i23_6_the_store_refuses_what_the_one_in_ram_refuses(sqlite: str) -> None:
    stores: list[Any] = [RecordarStore(Recordar(sqlite, user_id="ada")), InMemoryStore()]
    for store in stores:
        store.put(("a",), "k", {"n": "red"})
    calls: list[Callable[[Any], Any]] = [
        lambda store: store.put((), "k", {}),
        lambda store: store.put(("a.b",), "k", {}),
        lambda store: store.put(("langgraph",), "k", {}),
        lambda store: store.put(("",), "k", {}),
        lambda store: store.put(("a",), "k", {}, ttl=5),
        lambda store: store.search(("a.b",)),
        lambda store: store.search(("a",), filter={"n": {"$in": [1]}}),
        lambda store: store.search(("a",), filter={"n": {"$gt": 1}}),
        lambda store: store.search(("a",), filter={"m": {"$gt": 1}}),
        lambda store: store.batch([MatchCondition("prefix", ("a",))]),
        lambda store: store.list_namespaces(prefix=("a.b",)),
        lambda store: store.get(("a",), "k"),
        lambda store: store.get(("never",), "k"),
        lambda store: store.delete(("never",), "k"),
        lambda store: asyncio.run(store.aget(("a",), "k")),
        lambda store: store.supports_ttl,
    ]
    for number, call in enumerate(calls):
        found, expected = (outcome(lambda: call(store)) for store in stores)
        assert found == expected, number


def test_i23_6_the_store_searches_by_meaning_what_it_was_told_to(database: str) -> None:
    memory = Recordar(database, user_id="ada")
    store = RecordarStore(memory, fields=["text"])
    assert store.search(("notes",), query="train") == [] and store.get(("notes",), "a") is None
    for key, text in {"train": "The train to Lisbon leaves at 8:15.", "bees": "The bees give honey in June.", "boat": "The boat is red."}.items():
        store.put(("notes", "trip" if key == "train" else "house"), key, {"text": text, "kind": "note", "secret": "zebra"})
    store.put(("notes", "house"), "hidden", {"text": "The train of thought."}, index=False)
    store.put(("notes", "house"), "other", {"title": "The train set", "text": "Toys."}, index=["title"])
    store.put(("else",), "train", {"text": "The train to Lisbon leaves at 8:15."})
    found = store.search(("notes",), query="When does the train to Lisbon leave?")
    assert found[0].key == "train" and found[0].score and found[0].score > 0.3
    assert {item.key for item in found} == {"train", "bees", "boat", "hidden", "other"}
    assert found[-1].key == "hidden" and found[-1].score is None
    assert [item.score or 0 for item in found] == sorted((item.score or 0 for item in found), reverse=True)
    assert [item.key for item in store.search(("notes",), query="train", limit=2)] == ["train", "other"]
    assert [item.key for item in store.search(("notes",), query="train", limit=2, offset=1)][0] == "other"
    assert [item.key for item in store.search(("notes", "house"), query="zebra honey", filter={"kind": "note"})] == ["bees", "boat"]
    assert store.search(("else",), query="train")[0].score, "the same text elsewhere is found, too"
    assert "8:15" in memory.recall("When does the train to Lisbon leave?").text
    # A new value replaces what is searched; a deleted one leaves nothing.
    store.put(("notes", "house"), "boat", {"text": "The boat is made of chocolate."})
    assert store.search(("notes",), query="chocolate", limit=1)[0].value["text"].endswith("chocolate.")
    store.delete(("notes", "house"), "boat")
    assert "boat" not in json.dumps([item.to_dict() for item in memory.items(limit=1000)], default=str)
    unsearched = RecordarStore(memory, fields=[], name="other")
    unsearched.put(("a",), "k", {"text": "chocolate"})
    assert unsearched.search(("a",), query="chocolate")[0].score is None and store.search(("a",)) == []
    assert all("chocolate" not in hit.text for hit in memory.search("chocolate").hits)
    memory.close()


def test_i23_6_many_at_once_and_two_tenants_do_not_meet(database: str) -> None:
    memory = Recordar(database)
    ada, bob = (RecordarStore(memory, user_id=user) for user in ("ada", "bob"))

    async def put_all() -> None:
        await asyncio.gather(*(store.aput(("n", str(n % 3)), f"k{n}", {"text": f"{who} {n}"}) for n in range(20) for who, store in [("ada", ada), ("bob", bob)]))

    asyncio.run(put_all())
    for who, store in [("ada", ada), ("bob", bob)]:
        found = store.search(("n",), limit=100)
        assert {item.value["text"] for item in found} == {f"{who} {n}" for n in range(20)}
        assert store.list_namespaces() == [("n", "0"), ("n", "1"), ("n", "2")]
        assert {item.value["text"].split()[0] for item in store.search(("n",), query="ada bob", limit=100)} == {who}
    savers = {user: RecordarSaver(memory, user_id=user) for user in ("ada", "bob")}
    config: Any = {"configurable": {"thread_id": "1"}}
    graph(savers["ada"]).invoke({"log": ["HIDDEN"]}, config)
    assert savers["bob"].get_tuple(config) is None and list(savers["bob"].list(None)) == []
    savers["bob"].delete_thread("1")
    assert savers["ada"].get_tuple(config) is not None
    history = RecordarChatMessageHistory(memory, "chat", user_id="ada")
    history.add_messages([HumanMessage("HIDDEN")])
    session = RecordarSession("chat", memory, user_id="bob")
    assert asyncio.run(session.get_items()) == [] and asyncio.run(session.pop_item()) is None
    asyncio.run(session.clear_session())
    assert len(history.messages) == 1
    memory.close()


# The checkpointer


@pytest.mark.parametrize("engine", ["sqlite", "postgres", "mysql"])
def test_i23_6_the_checkpointer_conforms(engine: str, make_database: Callable[[str], str]) -> None:
    memory = Recordar(make_database(engine), user_id="ada")
    names = iter(range(100))

    @checkpointer_test(name=f"RecordarSaver on {engine}")
    async def registered():  # type: ignore[no-untyped-def]
        yield RecordarSaver(memory, name=str(next(names)))

    report = asyncio.run(validate(registered))
    assert not [failure for result in report.results.values() for failure in result.failures]
    assert report.passed_all() and all(result.passed for result in report.results.values()), report.to_dict()
    memory.close()


class State(TypedDict):
    log: Annotated[list[str], operator.add]


def graph(saver: Any) -> Any:
    """A graph with two branches, a step that asks, and a step that fails once."""

    def first(state: State) -> State:
        return {"log": ["first"]}

    def other(state: State) -> State:
        return {"log": ["other"]}

    def asks(state: State) -> State:
        return {"log": [f"answered {interrupt('really?')}"]} if "ask" in state["log"] else {"log": ["asked nothing"]}

    made = StateGraph(State)
    for name, step in {"first": first, "other": other, "asks": asks}.items():
        made.add_node(name, step)
    made.add_edge(START, "first")
    made.add_edge(START, "other")
    made.add_edge("first", "asks")
    made.add_edge("other", "asks")
    made.add_edge("asks", END)
    return made.compile(checkpointer=saver)


def told(saved: Any) -> Any:
    """A checkpoint without ids and times, which differ."""
    return saved.checkpoint["channel_values"].get("log"), saved.metadata["step"], saved.metadata["source"], [write[1:] for write in saved.pending_writes if write[1] == "log"]


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_i23_6_graphs_run_as_with_the_checkpointer_in_ram(database: str, is_async: bool) -> None:
    memory = Recordar(database, user_id="ada")
    reference = InMemorySaver()
    loop = asyncio.new_event_loop()

    def invoke(saver: Any, given: Any, config: Any) -> Any:
        made = graph(saver)
        result = loop.run_until_complete(made.ainvoke(given, config)) if is_async else made.invoke(given, config)
        return {name: value for name, value in result.items() if name != "__interrupt__"}, bool(result.get("__interrupt__"))

    draw = random.Random(6)
    for _ in range(12):
        config: Any = {"configurable": {"thread_id": draw.choice(["a", "b/c", "7"])}}
        given: Any = draw.choice([{"log": ["ask"]}, {"log": ["x"]}, Command(resume="yes"), {"log": []}])
        saver = RecordarSaver(memory)
        assert outcome(lambda: invoke(saver, given, config)) == outcome(lambda: invoke(reference, given, config))
        ours, theirs = ([told(saved) for saved in one.list(config)] for one in (RecordarSaver(memory), reference))
        assert ours == theirs
        assert [told(saved) for saved in saver.list(config, limit=2, filter={"source": "loop"})] == [
            told(saved) for saved in reference.list(config, limit=2, filter={"source": "loop"})
        ]
        if draw.random() < 0.3:
            memory.close()
            memory = Recordar(database, user_id="ada")
    threads = [[saved.config["configurable"]["thread_id"] for saved in one.list(None)] for one in (RecordarSaver(memory), reference)]
    assert threads[0] == [str(thread) for thread in threads[1]] and len(threads[0]) > 10
    saver = RecordarSaver(memory)
    saver.prune(["a", "b/c", "7"], strategy="keep_latest")
    kept = [record for bucket in memory.buckets() for record in memory.records(bucket.bucket, limit=1000)]
    assert len([record for record in kept if record.key.startswith("c/")]) == 3
    for thread in ["a", "b/c", "7"]:
        saver.delete_thread(thread)
    assert list(saver.list(None)) == [] and memory.buckets().buckets == []
    loop.close()
    memory.close()


@pytest.mark.embedded("the configuration is the server's")
def test_i23_6_redaction_never_changes_a_checkpoint_silently(sqlite: str) -> None:
    memory = Recordar(sqlite, user_id="ada")
    config: Any = {"configurable": {"thread_id": "1"}}
    graph(RecordarSaver(memory)).invoke({"log": ["ada@example.com"]}, config)
    redacting = Recordar(sqlite, user_id="ada", settings={"recall.enable_redaction": True})
    with pytest.raises(RecordarError, match="redaction is on"):
        RecordarSaver(redacting).get_tuple(config)
    store = RecordarStore(memory)
    store.put(("a",), "k", {"mail": "ada@example.com"})
    item = RecordarStore(redacting).get(("a",), "k")
    assert item is not None and item.value == {"mail": "[REDACTED]"}


def test_i23_6_adapters_say_what_memory_they_need(sqlite: str) -> None:
    awaited: Any = AsyncRecordar(sqlite)
    for make in [RecordarStore, RecordarSaver, lambda memory: RecordarSession("s", memory)]:
        with pytest.raises(TypeError, match="not an AsyncRecordar"):
            make(awaited)


def test_i23_6_the_frameworks_are_not_imported_with_the_package() -> None:
    code = "import recordar, sys; print([name for name in sys.modules if name.split('.')[0] in ('langgraph', 'agents', 'langchain_core')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


# The chat history


def drawn_message(draw: random.Random) -> BaseMessage:
    text = draw.choice(["Hello.", "", "  spaces  ", "ünï\0code \U0001f600", "line\nline", "x" * 70_000 if draw.random() < 0.2 else "x", "y" * 1_100_000 if draw.random() < 0.05 else "z"])
    blocks: list[Any] = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": "data:" + "A" * draw.choice([5, 50_000])}}]
    kwargs: dict[str, Any] = {"additional_kwargs": {"n": 2**70, "f": 0.1, "deep": [[[[{"x": None}]]]]}} if draw.random() < 0.3 else {}
    return draw.choice([
        HumanMessage(text, **kwargs), AIMessage(text, id=f"m{draw.randint(0, 9)}", **kwargs), SystemMessage(text), HumanMessage(blocks, name="Ada"),
        AIMessage(text, tool_calls=[{"name": "f", "args": {"a": [1, 2.5]}, "id": "1"}]), ToolMessage(text, tool_call_id="1", artifact=[1]),
        ChatMessage(text, role="critic"),
    ])


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_i23_6_the_chat_history_is_the_one_in_ram(database: str, is_async: bool) -> None:
    draw = random.Random(61 + is_async)
    memory = Recordar(database)
    references = {name: InMemoryChatMessageHistory() for name in ["one", "two/three"]}
    loop = asyncio.new_event_loop()
    for _ in range(40):
        name = draw.choice(list(references))
        both: list[Any] = [RecordarChatMessageHistory(memory, name, user_id="ada"), references[name]]
        said = [drawn_message(draw) for _ in range(draw.randint(0, 16))]
        clears = draw.random() < 0.06
        for history in both:
            if is_async:
                loop.run_until_complete(history.aclear() if clears else history.aadd_messages(said))
            elif clears:
                history.clear()
            else:
                history.add_messages(said)
        found, expected = (loop.run_until_complete(one.aget_messages()) if is_async else one.messages for one in both)
        assert found == expected
        if draw.random() < 0.1:
            memory.close()
            memory = Recordar(database)
    for name in references:
        RecordarChatMessageHistory(memory, name, user_id="ada").clear()
    assert memory.buckets(user_id="ada").buckets == [] and memory.items(user_id="ada").items == []
    loop.close()
    memory.close()


# The session


def drawn_item(draw: random.Random) -> Any:
    text = draw.choice(["When does the train leave?", "", "\0", "x" * 100_000 if draw.random() < 0.1 else "x", "At 8:15."])
    return draw.choice([
        {"role": draw.choice(["user", "assistant", "system", "developer"]), "content": text},
        {"role": "user", "content": [{"type": "input_text", "text": text}, {"type": "input_image", "image_url": "data:x", "detail": "auto"}]},
        {"type": "message", "id": "m1", "status": "completed", "role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": []}]},
        {"type": "function_call", "call_id": "c1", "name": "trains", "arguments": json.dumps({"to": text})},
        {"type": "function_call_output", "call_id": "c1", "output": text},
        {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": text}], "n": 2**80, "f": 1e300},
    ])


def test_i23_6_the_session_is_the_one_in_ram(database: str) -> None:
    draw = random.Random(67)
    references = {name: SQLiteSession(name, ":memory:") for name in ["one", "two/three"]}

    async def compare() -> Recordar:
        memory, done = Recordar(database), 0
        while done < OPERATIONS:
            name = draw.choice(list(references))
            both: list[Any] = [RecordarSession(name, memory, user_id="ada"), references[name]]
            kind, items, limit = draw.random(), [drawn_item(draw) for _ in range(draw.randint(0, 3))], draw.choice([None, 0, 1, 3, 100, -1])
            done += 1

            async def call(session: Any) -> Any:
                if kind < 0.55:
                    return await session.add_items(items)
                if kind < 0.62:
                    return await session.pop_item()
                return await session.clear_session() if kind < 0.66 else await session.get_items(limit)

            found, expected = [await call(session) for session in both]
            # In the same order, too: what a model is sent is the same text.
            assert json.dumps(found) == json.dumps(expected), (kind, limit)
            if draw.random() < 0.02:
                memory.close()
                memory = Recordar(database)
        for name, reference in references.items():
            session = RecordarSession(name, memory, user_id="ada", session_settings=SessionSettings(limit=4))
            assert await session.get_items() == (await reference.get_items())[-4:]
            while (item := await reference.pop_item()) is not None:
                assert await session.pop_item() == item
            assert await session.pop_item() is None
        return memory

    memory = asyncio.run(compare())
    assert memory.buckets(user_id="ada").buckets == [] and memory.items(user_id="ada").items == []
    memory.close()


class Echo(Model):
    """A model that repeats what it was told last."""

    async def get_response(self, system_instructions: Any, input: Any, *more: Any, **named: Any) -> ModelResponse:
        said = input if isinstance(input, str) else input[-1]["content"]
        text = ResponseOutputText(type="output_text", text=f"{len(input)} heard: {said}", annotations=[])
        message = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *arguments: Any, **named: Any) -> Any:
        raise NotImplementedError


def test_i23_6_an_agent_remembers_by_its_session(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
    memory = Recordar(sqlite, user_id="ada")
    agent = Agent(name="echo", model=Echo())
    outputs: list[Sequence[str]] = []
    for make in [lambda: RecordarSession("s", memory), lambda reference=SQLiteSession("s"): reference]:
        run: Callable[[str], Awaitable[Any]] = lambda said: Runner.run(agent, said, session=make())  # noqa: E731
        outputs.append([asyncio.run(run(said)).final_output for said in ["I take the 8:15 train.", "What do I take?"]])
    assert outputs[0] == outputs[1] and isinstance(RecordarSession("s", memory), Session)
    assert "8:15" in memory.recall("Which train do I take?").text
