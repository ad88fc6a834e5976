"""Recordar: memory and context for LLM applications, with a reason for every choice.

    from recordar import Recordar

    memory = Recordar("sqlite:memory.db", user_id="ada")
    memory.remember("I take the 8:15 train.", thread="trip")
    print(memory.recall("When does my train leave?").text)
"""

from . import errors, results
from ._async_client import AsyncRecordar
from ._client import Recordar
from ._embedder import Embedder
from ._native import __version__
from ._record import Record, Records
from .errors import RecordarError

__all__ = ["AsyncRecordar", "Embedder", "Record", "Records", "Recordar", "RecordarError", "__version__", "errors", "results"]
