"""LangChain and LlamaIndex, the real packages; and the types, by a real type checker."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableLambda
from llama_index.core.schema import QueryBundle

from recordar import AsyncRecordar, Recordar
from recordar.langchain import RecordarChatMessageHistory
from recordar.langchain import RecordarRetriever as LangChainRetriever
from recordar.llama_index import RecordarRetriever as LlamaIndexRetriever


def filled(database: str) -> Recordar:
    memory = Recordar(database, user_id="ada")
    memory.remember("I take the 8:15 train to Lisbon.", thread="trip", speaker="Ada")
    memory.ingest_text("The harbour opens at nine.", name="guide.md")
    return memory


def test_langchain_retriever(sqlite: str) -> None:
    memory = filled(sqlite)
    retriever = LangChainRetriever(memory=memory, k=3)
    best = retriever.invoke("When does the train leave?")[0]
    assert best.page_content == "I take the 8:15 train to Lisbon."
    assert best.metadata["thread"] == "trip" and best.metadata["score"] > 0.3
    chain = retriever | RunnableLambda(lambda documents: documents[0].page_content)
    assert chain.invoke("When does the harbour open?") == "The harbour opens at nine."
    assert asyncio.run(retriever.ainvoke("train"))[0].page_content == best.page_content
    awaited = LangChainRetriever(memory=memory, async_memory=AsyncRecordar(sqlite, user_id="ada"))
    assert asyncio.run(awaited.ainvoke("train"))[0].page_content == best.page_content
    assert LangChainRetriever(memory=memory, user_id="nobody").invoke("train") == []


def test_langchain_chat_history_comes_back_as_it_was(sqlite: str) -> None:
    memory = Recordar(sqlite)
    history = RecordarChatMessageHistory(memory, "chat-1", user_id="ada")
    assert history.messages == []
    said = [
        SystemMessage("You are kind."),
        HumanMessage("Find the train.", name="Ada"),
        AIMessage("", tool_calls=[{"name": "trains", "args": {"to": "Lisbon"}, "id": "call-1"}]),
        ToolMessage("8:15", tool_call_id="call-1"),
        AIMessage([{"type": "text", "text": "It leaves at 8:15."}], id="m-5"),
        HumanMessage("Thank you!", additional_kwargs={"mood": "glad"}),
    ]
    history.add_messages(said)
    assert history.messages == said
    assert "8:15" in memory.recall("When does it leave?", user_id="ada").text
    memory.remember("From elsewhere.", thread="chat-1", role="assistant", user_id="ada")
    assert history.messages[-1] == AIMessage("From elsewhere.")
    asyncio.run(history.aadd_messages([HumanMessage("And later.")]))
    assert len(asyncio.run(history.aget_messages())) == 8
    history.clear()
    history.clear()
    assert history.messages == []


def test_llama_index_retriever(sqlite: str) -> None:
    memory = filled(sqlite)
    retriever = LlamaIndexRetriever(memory, similarity_top_k=3)
    best = retriever.retrieve("When does the train leave?")[0]
    assert best.node.get_content() == "I take the 8:15 train to Lisbon." and best.score and best.score > 0.3
    assert best.node.metadata["thread"] == "trip"
    assert asyncio.run(retriever.aretrieve(QueryBundle("train")))[0].node.node_id == best.node.node_id
    awaited = LlamaIndexRetriever(memory, async_memory=AsyncRecordar(sqlite, user_id="ada"), mode="keyword")
    assert asyncio.run(awaited.aretrieve("train"))[0].node.node_id == best.node.node_id


def test_a12_a_type_checker_knows_the_results(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from datetime import datetime\n"
        "from recordar import AsyncRecordar, Recordar\n"
        "memory = Recordar('sqlite:x.db')\n"
        "score: float = memory.recall('x', top_k=3).memories[0].score\n"
        "when: datetime = memory.search('x').hits[0].occurred_at\n"
        "text: str = memory.retrieve_document_from_metadata({'filename': 'x'})\n"
        "async def ask(memory: AsyncRecordar) -> str:\n"
        "    return (await memory.recall('x')).text\n"
    )
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "from recordar import Recordar\n"
        "memory = Recordar('sqlite:x.db')\n"
        "memory.recall('x', search_type='magic')\n"
        "memory.recall('x').memories[0].scor\n"
        "number: int = memory.recall('x').text\n"
    )
    check = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache")]
    for what in [[str(program)], ["-p", "recordar"]]:
        right = subprocess.run([*check, *what], capture_output=True, text=True, cwd=tmp_path)
        assert right.returncode == 0, right.stdout + right.stderr
    found = subprocess.run([*check, str(wrong)], capture_output=True, text=True, cwd=tmp_path).stdout
    for line, words in [(3, "arg-type"), (4, "has no attribute"), (5, "Incompatible types")]:
        assert any(f"wrong.py:{line}:" in told and words in told for told in found.splitlines()), found


def shared(database: str, **options: object) -> Recordar:
    """Two tenants in one database, each with several things to find."""
    memory = Recordar(database, **options)  # type: ignore[arg-type]
    for user in ["ada", "bob"]:
        for number in range(4):
            memory.remember(f"{user} keeps key {number} of the harbour gate.", user_id=user)
    return memory


def test_a12_retrievers_do_what_a_call_says(sqlite: str) -> None:
    memory = shared(sqlite, user_id="ada")
    awaited = AsyncRecordar(sqlite, user_id="ada")
    query = "Who keeps the key of the harbour gate?"
    for async_memory in [None, awaited]:
        chain = LangChainRetriever(memory=memory, async_memory=async_memory)
        index = LlamaIndexRetriever(memory, async_memory=async_memory)
        for found in [
            lambda **said: [one.page_content for one in chain.invoke(query, **said)],
            lambda **said: [one.page_content for one in asyncio.run(chain.ainvoke(query, **said))],
            lambda **said: [one.page_content for one in chain.batch([query], **said)[0]],
            lambda **said: [one.node.get_content() for one in index.retrieve(query, **said)],
            lambda **said: [one.node.get_content() for one in asyncio.run(index.aretrieve(query, **said))],
        ]:
            assert len(found()) == 4 and all("ada" in text for text in found())
            assert len(found(k=1)) == 1
            for said in [{"user_id": "bob"}, {"space": "user:bob"}]:
                texts = found(**said)
                assert len(texts) == 4 and all("bob" in text for text in texts), (said, texts)
            assert len(found(user_id="bob", k=2, mode="keyword")) == 2
            assert found(user_id="nobody") == []
            with pytest.raises(TypeError, match="user_id is None"):
                found(user_id=None)
            for unknown in [{"filters": {"user": "bob"}}, {"userid": "bob"}, {"top_k": 3}]:
                try:
                    found(**unknown)
                except TypeError as error:
                    assert next(iter(unknown)) in str(error) and "user_id" in str(error)
                else:
                    raise AssertionError(f"{unknown} was dropped")


def test_a12_a_langchain_retriever_reads_what_is_configurable(sqlite: str) -> None:
    retriever = LangChainRetriever(memory=shared(sqlite), user_id="ada", k=3)
    chain = RunnableLambda(lambda query: query) | retriever
    for config, user, count in [
        ({}, "ada", 3),
        ({"user_id": "bob", "thread_id": "for somebody else"}, "bob", 3),
        ({"space": "user:bob", "k": 1}, "bob", 1),
    ]:
        for runnable in [retriever, chain]:
            documents = runnable.invoke("Who keeps the key of the harbour gate?", config={"configurable": config})
            assert len(documents) == count and all(user in one.page_content for one in documents), config
    said = retriever.invoke("harbour gate", config={"configurable": {"user_id": "bob"}}, space="user:ada")
    assert all("ada" in document.page_content for document in said)


def test_a12_a_retriever_refuses_what_it_does_not_know_when_it_is_made(sqlite: str) -> None:
    for make in [lambda: LlamaIndexRetriever(Recordar(sqlite), filters={}), lambda: LangChainRetriever(memory=Recordar(sqlite), top=3)]:
        try:
            make()
        except (TypeError, ValueError):
            continue
        raise AssertionError("it was dropped")


@pytest.mark.embedded("the configuration is the server's")
def test_e5_redaction_holds_on_every_way_out(sqlite: str, tmp_path: Path) -> None:
    config = tmp_path / "recordar.toml"
    config.write_text("[recall]\nenable_redaction = true\ncustom_redaction_patterns = ['sk-test-[0-9a-z]+']\n")
    memory = Recordar(sqlite, config=config)
    secrets = ["sk-test-5ecre7", "ada@example.com"]
    memory.remember("The key of the gate is sk-test-5ecre7, says ada@example.com.", thread="gate", metadata={"by": "ada@example.com"})
    memory.ingest_text("The gate opens with sk-test-5ecre7.", name="gate/ada@example.com.md", note="ask ada@example.com")
    history = RecordarChatMessageHistory(memory, "chat")
    history.add_messages([HumanMessage("My key is sk-test-5ecre7."), AIMessage([{"type": "text", "text": "Noted: ada@example.com"}])])
    document = memory.documents()[0].document_id
    shown = {
        "search": memory.search("key of the gate").to_dict(),
        "search_threads": memory.search_threads("key of the gate").to_dict(),
        "recall": memory.recall("key of the gate").to_dict(),
        "messages": [message.to_dict() for message in memory.messages("gate")],
        "documents": [one.to_dict() for one in memory.documents()],
        "document": memory.document({"query": "gate"}).to_dict(),
        "document_text": memory.document_text(f"id:{document}").to_dict(),
        "history": [message.model_dump() for message in history.messages],
        "langchain": [one.model_dump() for one in LangChainRetriever(memory=memory).invoke("key of the gate")],
        "llama_index": [one.model_dump() for one in LlamaIndexRetriever(memory).retrieve("key of the gate")],
    }
    for way, said in shown.items():
        assert "[REDACTED]" in str(said), way
        for secret in secrets:
            assert secret not in str(said), (way, said)
    exact, redacted = tmp_path / "exact.jsonl", tmp_path / "redacted.jsonl"
    memory.export(exact)
    memory.export(redacted, redact=True)
    assert all(secret in exact.read_text() for secret in secrets), "an export is the store"
    assert not any(secret in redacted.read_text() for secret in secrets)
    # What is stored is exact: without redaction everything is there.
    assert "sk-test-5ecre7" in Recordar(sqlite).document_text(f"id:{document}").text
