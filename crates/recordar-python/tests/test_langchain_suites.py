"""The suites of LangChain's own package ``langchain-tests``, as they are (issue 19, point 9)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests

from recordar import AsyncRecordar, Recordar
from recordar.langchain import RecordarRetriever, RecordarVectorStore

pytestmark = pytest.mark.embedded("the suites open their own files")


class Retrieving(RetrieversIntegrationTests):
    """Most of the stored texts have nothing to do with the question."""

    texts = ["foo", "bar", "The train leaves at 8:15.", "baz"]
    # Those of a synchronous and an asynchronous memory.
    more: dict[str, Any] = {}

    @pytest.fixture(autouse=True)
    def filled(self, tmp_path: Path) -> None:
        self.database = f"sqlite:{tmp_path / 'memory.db'}"
        self.memory = Recordar(self.database)
        self.memory.remember(self.texts)

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return RecordarRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"memory": self.memory}

    @property
    def retriever_query_example(self) -> str:
        return "When does the train leave?"


class TestRetriever(Retrieving):
    pass


class TestRetrieverWithAnAsynchronousMemory(Retrieving):
    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"memory": self.memory, "async_memory": AsyncRecordar(self.database)}


class TestVectorStore(VectorStoreIntegrationTests):
    @pytest.fixture()
    def vectorstore(self, tmp_path: Path) -> Iterator[VectorStore]:  # type: ignore[override]
        with Recordar(tmp_path / "memory.db", user_id="ada") as memory:
            yield RecordarVectorStore(memory)


class TestVectorStoreInRam(VectorStoreIntegrationTests):
    @pytest.fixture()
    def vectorstore(self) -> Iterator[VectorStore]:  # type: ignore[override]
        with Recordar(":memory:") as memory:
            yield RecordarVectorStore(memory, user_id=7)


def test_i19_9_a_vector_store_keeps_ids_replaces_and_forgets(tmp_path: Path) -> None:
    memory = Recordar(tmp_path / "memory.db", user_id="ada")
    store = RecordarVectorStore(memory)
    said = memory.remember("The lamp was said to be red.", metadata={"by": "Ada"}).items[0]
    ids = store.add_texts(["The lamp is red.", "The lamp is green."], [{"n": 1}, {"n": 2}], ids=["a", "a"])
    assert ids == ["a", "a"] and [found.metadata for found in store.get_by_ids(["a"])] == [{"n": 2}], "the last one counts"
    number = f"user:ada/{said}"
    assert store.get_by_ids([number, "a", "lost", "user:eve/1"]) == [
        Document(id=number, page_content="The lamp was said to be red.", metadata={"by": "Ada"}),
        Document(id="a", page_content="The lamp is green.", metadata={"n": 2}),
    ]
    with pytest.raises(ValueError, match="no ids were given"):
        store.delete()
    assert store.delete([number, "a", "lost"]) is True
    assert memory.items().items == [] and store.similarity_search("lamp") == []
    with pytest.raises(TypeError, match="unknown argument: colour"):
        store.add_texts(["x"], colour="red")
    made = RecordarVectorStore.from_texts(["One.", "Two."], metadatas=[{"n": 1}, {"n": 2}])
    assert made.memory.database == "sqlite::memory:"
    found = made.similarity_search_with_relevance_scores("two", k=1)
    assert found[0][0].metadata == {"n": 2} and 0 < found[0][1] <= 1
    assert [document.metadata["n"] for document in made.as_retriever(search_kwargs={"k": 2}).invoke("two")] == [2, 1]


def test_i19_9_a_retriever_fills_up_only_where_k_is_given_and_nothing_is_filtered(tmp_path: Path) -> None:
    memory = Recordar(tmp_path / "memory.db")
    memory.remember([{"text": text, "metadata": {"n": n}} for n, text in enumerate(["foo", "bar", "The train leaves."])])
    query = "When does the train leave?"
    matching = [found.metadata["n"] for found in RecordarRetriever(memory=memory).invoke(query)]
    assert matching[0] == 2 and len(matching) < 3
    filled = RecordarRetriever(memory=memory, k=3).invoke(query)
    assert sorted(found.metadata["n"] for found in filled) == [0, 1, 2]
    assert filled[-1].metadata["score"] == 0
    assert len(RecordarRetriever(memory=memory).invoke(query, k=3)) == 3
    assert len(RecordarRetriever(memory=memory, k=3, fill=False).invoke(query)) == len(matching)
    assert RecordarRetriever(memory=memory, k=3, search_kwargs={"topics": ["refund"]}).invoke(query) == []
