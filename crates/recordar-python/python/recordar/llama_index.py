"""Recordar in LlamaIndex: a retriever. Needs ``llama-index-core``."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from ._async_client import AsyncRecordar
from ._client import Recordar
from .results import Hit, SearchResult

__all__ = ["RecordarRetriever"]


class RecordarRetriever(BaseRetriever):
    """Finds items by words and meaning. A node's metadata tells where it is from and the parts of its score."""

    def __init__(
        self,
        memory: Recordar,
        *,
        async_memory: AsyncRecordar | None = None,
        similarity_top_k: int = 10,
        space: str | None = None,
        user_id: str | None = None,
        **search_kwargs: Any,
    ) -> None:
        super().__init__()
        self._memory = memory
        self._async_memory = async_memory
        self._arguments = {"limit": similarity_top_k, "space": space, "user_id": user_id, **search_kwargs}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(self._memory.search(query_bundle.query_str, **self._arguments))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._async_memory is None:
            return await asyncio.to_thread(self._retrieve, query_bundle)
        return _nodes(await self._async_memory.search(query_bundle.query_str, **self._arguments))


def _nodes(found: SearchResult) -> list[NodeWithScore]:
    return [NodeWithScore(node=_node(hit), score=hit.score) for hit in found.hits]


def _node(hit: Hit) -> TextNode:
    metadata = {name: value for name, value in hit.to_dict().items() if name not in ("text", "words", "parts")}
    # Where it is from helps neither an embedding nor a model; what it says does.
    hidden = list(metadata)
    return TextNode(
        id_=f"{hit.space}/{hit.item_id}",
        text=hit.text,
        metadata=metadata,
        excluded_embed_metadata_keys=hidden,
        excluded_llm_metadata_keys=hidden,
    )
