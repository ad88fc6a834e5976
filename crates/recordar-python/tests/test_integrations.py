"""LangChain and LlamaIndex, the real packages; and the types, by a real type checker."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

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
