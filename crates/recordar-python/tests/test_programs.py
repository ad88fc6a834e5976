"""What programs need of the package (issue 19, points 9 and 12)."""

from __future__ import annotations

import inspect
import json
import multiprocessing
import os
import subprocess
import sys
import threading
import uuid
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY

from recordar import AsyncRecordar, Records, Recordar, errors


# Where pyright keeps what it runs with; the tests themselves have an empty home.
HOME = os.environ.get("HOME", "/")


def test_i19_9_own_ids(memory: Any) -> None:
    mine = uuid.uuid4()
    first = memory.remember("The gate is red.", id=mine, metadata={"page": 7})
    again = memory.remember("The gate is red.", id=str(mine), metadata={"page": 7})
    assert (again.items, again.unchanged, first.unchanged) == (first.items, 1, 0)
    changed = memory.remember([{"text": "The gate is green.", "id": mine}, {"text": "The lamp is lit.", "id": 12}])
    assert changed.unchanged == 0 and changed.items[0] != first.items[0]
    assert memory.item(id=mine).text == "The gate is green." and memory.item(id=12).own_id == "12"
    old = memory.item(first.items[0])
    assert (old.live, old.metadata, old.own_id) == (False, {"page": 7}, str(mine))
    assert memory.item(id=12).metadata == {}
    found = memory.items(ids=[12, mine, "lost"])
    assert [item.text for item in found] == ["The lamp is lit.", "The gate is green."] and found.missing == ["lost"]
    with pytest.raises(errors.NotFoundError, match="lost"):
        memory.item(id="lost")
    assert memory.forget(ids=[mine]).forgotten.messages == 2
    assert [item.own_id for item in memory.items()] == ["12"]


def test_i19_9_facts_are_listed(memory: Any) -> None:
    memory.remember([f"Message {n}." for n in range(3)])
    facts = memory.remember([f"Fact {n}." for n in range(5)], kind="fact").items
    page = memory.items(kind="fact", limit=2)
    seen = [item.item_id for item in page]
    while page.next is not None:
        page = memory.items(kind="fact", limit=2, after=page.next)
        assert page and len(page) <= 2
        seen += [item.item_id for item in page]
    assert seen == facts
    assert not memory.items(kind="summary")


def test_i19_9_hits_and_memories_carry_metadata(memory: Any) -> None:
    memory.remember("The gate is painted green.", metadata={"page": 7}, id="gate")
    memory.ingest_text("# Lamp\n\nThe lamp is painted blue.", name="lamp.md", tags=["blue"], topic="lamps", metadata={"page": 8})
    expected = [("gate", {"page": 7}), (None, {"page": 8, "tags": ["blue"], "topic": "lamps"})]
    hits = sorted(memory.search("What is painted?").hits, key=lambda hit: hit.item_id)
    assert [(hit.own_id, hit.metadata) for hit in hits] == expected
    memories = sorted(memory.recall("What is painted?", min_score=0.0).memories, key=lambda found: found.provenance.item_id)
    assert [(found.own_id, found.metadata) for found in memories] == expected


def test_i19_9_documents_and_nodes_of_frameworks_carry_metadata(sqlite: str) -> None:
    from recordar.langchain import RecordarRetriever
    from recordar.llama_index import RecordarRetriever as LlamaIndexRetriever

    memory = Recordar(sqlite)
    memory.remember("The gate is painted green.", metadata={"page": 7, "score": "high"}, id="gate")
    document = RecordarRetriever(memory=memory).invoke("gate")[0]
    node = LlamaIndexRetriever(memory).retrieve("gate")[0]
    assert (document.id, node.node.node_id) == ("gate", "gate")
    for metadata in (document.metadata, node.node.metadata):
        assert metadata["page"] == 7 and metadata["item_id"] == 1
        assert metadata["score"] == node.score and metadata["metadata"] == {"page": 7, "score": "high"}


def test_i19_12_an_empty_result_is_false(memory: Any) -> None:
    memory.remember("The train leaves at 8:15.", thread="trip")
    for call in (memory.recall, memory.search, memory.search_threads):
        assert call("When does the train leave?"), call
    assert not memory.recall("When does the train leave?", min_score=1.0)
    for call in (memory.recall, memory.search, memory.search_threads):
        assert not call("train", user_id="nobody"), call


def test_i19_12_a_path_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for given in ("x.db", str(tmp_path / "y.db"), tmp_path / "z.db", "sqlite:w.db"):
        with Recordar(given) as memory:
            memory.remember("Kept.")
    assert {path.name for path in tmp_path.iterdir()} >= {"x.db", "y.db", "z.db", "w.db"}
    with pytest.raises(errors.InvalidError, match="oracle"):
        Recordar("oracle://x/y")


def test_i19_12_ids_may_be_integers_or_uuids(sqlite: str) -> None:
    someone = uuid.uuid4()
    memory = Recordar(sqlite, user_id=someone)
    assert memory.space == f"user:{someone}"
    operation, thread = uuid.uuid4(), uuid.uuid4()
    memory.remember("Hello.", thread=thread, operation=operation)
    assert memory.remember("Hello.", thread=thread, operation=operation).repeated
    memory.remember("Good morning.", thread=7)
    assert [said.text for said in memory.messages(7)] == ["Good morning."]
    assert [said.text for said in memory.messages(thread)] == ["Hello."]
    assert memory.recall("Good morning", session_id=7).memories
    assert memory.forget(thread=7).forgotten.messages == 1
    with pytest.raises(errors.InvalidError, match="user_id must be"):
        Recordar(sqlite, user_id=True)


def test_i19_12_slices_keep_their_table(sqlite: str) -> None:
    memory = Recordar(sqlite)
    memory.remember([f"The train number {n}." for n in range(5)])
    hits = memory.search("train").hits
    assert isinstance(hits[1:3], Records) and hits[1:3][0] == hits[1] and len(hits[:2]) == 2
    assert hits[:2]._repr_html_().count("<tr>") == 3 and hits[0]._repr_html_()
    assert hits[-1] == list(hits)[-1]


def test_i19_12_a_store_in_ram(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    memory, other = Recordar(":memory:"), Recordar("sqlite::memory:")
    assert memory.database == "sqlite::memory:"
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(10):
                memory.remember(f"Worker {number} says {turn}.", thread=f"t{number}")
                assert memory.search(f"worker {number}", limit=1).hits
                assert len(memory.messages(f"t{number}")) == turn + 1
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures, failures
    assert memory.recall("What does worker 3 say?")
    memory.ingest_text("# Gate\n\nIt is green.", name="gate.md")
    assert memory.document_text("gate.md").verified
    assert memory.forget(document="gate.md").scrubbed
    memory.export(tmp_path / "all.jsonl", all=True)
    assert not other.spaces(), "each has its own"
    other.restore(tmp_path / "all.jsonl")
    assert len(other.messages("t3")) == 10
    memory.close()
    assert not Recordar(":memory:").spaces()
    assert {path.name for path in tmp_path.iterdir()} == {"all.jsonl"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_i19_12_a_store_in_ram_is_not_used_after_a_fork() -> None:
    memory = Recordar(":memory:")
    memory.remember("Hello.")

    def child(results: Any) -> None:
        try:
            memory.messages()
            results.put("it was used")
        except errors.RecordarError as error:
            results.put(str(error))

    context = multiprocessing.get_context("fork")
    results = context.Queue()
    process = context.Process(target=child, args=(results,))
    process.start()
    assert "in the parent's memory" in results.get(timeout=60)
    process.join()
    assert len(memory.messages()) == 1, "the parent goes on"


def test_i19_12_help_explains_every_argument() -> None:
    for client in (Recordar, AsyncRecordar):
        for name, method in vars(client).items():
            if name.startswith("_") or not inspect.isfunction(method) or name == "close":
                continue
            text = inspect.getdoc(method) or ""
            for argument in list(inspect.signature(method).parameters)[1:]:
                assert f"\n    {argument}: " in text, f"{client.__name__}.{name} does not explain {argument}"
    check = subprocess.run([sys.executable, REPOSITORY / "scripts/make-python-help", "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stderr


def test_i19_12_types_are_complete() -> None:
    """Every public name has a type that a checker knows."""
    checked = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--ignoreexternal", "--verifytypes", "recordar"],
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": HOME, "VIRTUAL_ENV": sys.prefix, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )
    report = json.loads(checked.stdout)["typeCompleteness"]
    wrong = [f"{symbol['name']}: {[found['message'] for found in symbol['diagnostics']]}" for symbol in report["symbols"] if not symbol["isTypeKnown"]]
    assert report["completenessScore"] == 1, "\n".join(wrong)


def test_i19_9_no_ids_are_no_items(memory: Any) -> None:
    memory.remember("One message.")
    assert len(memory.items()) == 1
    assert len(memory.items(ids=[])) == 0 and len(memory.items([])) == 0


def test_i20_filter_lists_searches_changes_and_histories(memory: Any, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lamp.md").write_text("# Lamps\n\nThe lamp burns oil.\n")
    (tmp_path / "rope.txt").write_text("The rope is near the lamp.\n")
    memory.ingest_file(tmp_path, tags=["draft"], metadata={"author": "Kim"})
    [message, fact] = memory.remember(
        [{"text": "The lamp was repaired.", "speaker": "Ana", "metadata": {"year": 2024}}, {"text": "The lamp is red.", "kind": "fact"}]
    ).items
    found = lambda *conditions: sorted(hit.kind for hit in memory.search("lamp", filter=conditions).hits)  # noqa: E731
    assert found("tag=draft") == ["chunk", "chunk"] and found("tag=draft", "path=docs/**") == ["chunk"]
    assert found("!tag=draft") == ["fact", "message"] and found("speaker=Ana") == ["message"] and found("tag=none") == []
    assert [hit.item_id for hit in memory.search("lamp", filter={"year": 2024}).hits] == [message]
    assert len(memory.search("lamp", filter={"author": ["Kim", "Lee"]}).hits) == 2
    assert memory.recall("lamp", filter=["kind=fact"], min_score=0.0).memories[0].content == "The lamp is red."
    assert [chunk.document.endswith("rope.txt") for chunk in memory.query("lamp", filter=["type=text"]).chunks] == [True]
    assert [item.item_id for item in memory.items(filter=["kind=fact"])] == [fact]
    assert [document.filename for document in memory.documents(filter=["path=docs/**"])] == ["lamp.md"]
    assert len(memory.documents(limit=1)) == 1 and "excluded by the filter tag=none" in memory.why_not(fact, "lamp", filter=["tag=none"]).reason
    with pytest.raises(errors.InvalidError, match="has no field"):
        memory.search("lamp", filter=["tags=a"])
    with pytest.raises(errors.InvalidError, match="must be a list"):
        memory.search("lamp", filter="tag=a")
    changed = memory.update(fact, text="The lamp is blue.", metadata={"by": "Ana"})
    assert changed.replaced == fact and changed.item_id != fact
    entries = memory.history(fact)
    assert [(entry.text, entry.live) for entry in entries] == [("The lamp is blue.", True), ("The lamp is red.", False)]
    assert entries.entries[0].retired_at is None and entries.entries[1].retired_at is not None and len(entries) == 2
