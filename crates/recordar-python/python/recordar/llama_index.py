"""Recordar for LlamaIndex: a retriever. Requires ``llama-index-core``."""

from __future__ import annotations

import asyncio
import copy
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, QueryType, TextNode

from ._async_client import AsyncRecordar
from ._client import Id, Recordar
from ._retriever import at_call, searched
from .results import Hit, SearchResult

__all__ = ["RecordarRetriever"]


class RecordarRetriever(BaseRetriever):
    """Retrieves items by keyword and meaning. A node's metadata has what was stored with it, its source and its score.

    The arguments apply to every call, unless the call overrides them: ``retrieve(query, similarity_top_k=3,
    user_id="bob")``. An unknown argument raises ``TypeError``.
    """

    def __init__(
        self,
        memory: Recordar,
        *,
        async_memory: AsyncRecordar | None = None,
        similarity_top_k: int = 10,
        space: str | None = None,
        user_id: Id | None = None,
        **search_kwargs: Any,
    ) -> None:
        super().__init__()
        self._memory = memory
        self._async_memory = async_memory
        made_with = {"limit": similarity_top_k, "space": space, "user_id": user_id}
        self._arguments = searched(made_with, at_call(search_kwargs, "similarity_top_k"))

    def retrieve(self, str_or_query_bundle: QueryType, **kwargs: Any) -> list[NodeWithScore]:
        if kwargs:
            return self._saying(kwargs).retrieve(str_or_query_bundle)
        return super().retrieve(str_or_query_bundle)

    async def aretrieve(self, str_or_query_bundle: QueryType, **kwargs: Any) -> list[NodeWithScore]:
        if kwargs:
            return await self._saying(kwargs).aretrieve(str_or_query_bundle)
        return await super().aretrieve(str_or_query_bundle)

    def _saying(self, given: dict[str, Any]) -> RecordarRetriever:
        """A copy of the retriever with the arguments of one call: other calls may use this one meanwhile."""
        other = copy.copy(self)
        other._arguments = searched(self._arguments, at_call(given, "similarity_top_k"))
        return other

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(self._memory.search(query_bundle.query_str, **self._arguments))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._async_memory is None:
            return await asyncio.to_thread(self._retrieve, query_bundle)
        return _nodes(await self._async_memory.search(query_bundle.query_str, **self._arguments))


def _nodes(found: SearchResult) -> list[NodeWithScore]:
    return [NodeWithScore(node=_node(hit), score=hit.score) for hit in found.hits]


def _node(hit: Hit) -> TextNode:
    about = {name: value for name, value in hit.to_dict().items() if name not in ("text", "words", "parts")}
    metadata = {**hit.metadata, **about}
    # The source helps neither an embedding nor a model; the text does.
    hidden = list(metadata)
    return TextNode(
        id_=hit.own_id if hit.own_id is not None else f"{hit.space}/{hit.item_id}",
        text=hit.text,
        metadata=metadata,
        excluded_embed_metadata_keys=hidden,
        excluded_llm_metadata_keys=hidden,
    )
