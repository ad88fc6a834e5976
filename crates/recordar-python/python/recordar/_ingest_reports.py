"""An ingestion that is sent in several requests: their ids, and their reports as one. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from ._carried import Failure

_MAX_ID_BYTES = 200
_TOTALS = (
    "files added updated moved unchanged attributes_changed vanished retired failed not_tried repeated skipped bytes chunks tokens "
    "classified unclassified"
).split()
_TIMES = ("read_cpu_s", "manifest_cpu_s", "chunk_cpu_s", "store_cpu_s", "place_cpu_s")
_LISTS = ("files", "skipped", "warnings", "batches", "responses")


def following(operation: str, number: int) -> str:
    """The id of a request of an operation. The first has the id itself."""
    if number == 0:
        return operation
    own = f"{operation}/{number + 1}"
    return own if len(own.encode()) <= _MAX_ID_BYTES else f"{hashlib.sha256(operation.encode()).hexdigest()}/{number + 1}"


def merged(space: str, operation: str, reports: Iterable[Mapping[str, Any]], failures: Iterable[Failure]) -> dict[str, Any]:
    """The reports of several requests as one, with the paths that could not be sent."""
    failed = [_failed(failure) for failure in failures]
    totals = dict.fromkeys(_TOTALS, 0) | {"files": len(failed), "failed": len(failed)}
    timing: dict[str, float] = dict.fromkeys(_TIMES, 0.0)
    lists: dict[str, list[Any]] = {name: [] for name in _LISTS} | {"files": failed}
    stages: list[Any] = []
    for report in reports:
        space = report["space"]
        for sums, own in ((totals, report["totals"]), (timing, report["timing"])):
            for name, value in own.items():
                sums[name] = sums.get(name, 0) + value
        for name, values in lists.items():
            values += report.get(name, [])
        stages += report["trace"]["stages"]
    return {"space": space, "operation": operation, "totals": totals, **lists, "trace": {"stages": stages}, "timing": timing}


def _failed(failure: Failure) -> dict[str, Any]:
    counts = dict.fromkeys(("bytes", "chunks", "tokens", "kept_chunks", "retired_chunks", "classified", "unclassified"), 0)
    error = {"code": failure.code, "what": failure.what, "remedy": failure.remedy}
    flags = {"attributes_changed": False, "repeated": False, "warnings": []}
    return {"path": failure.path, "status": "failed", **counts, **flags, "error": error}
