"""Recordar for LangGraph: a store and a checkpointer. Requires ``langgraph-checkpoint``, which ``langgraph`` installs."""

from __future__ import annotations

from ._langgraph_saver import RecordarSaver
from ._langgraph_store import RecordarStore

__all__ = ["RecordarSaver", "RecordarStore"]
