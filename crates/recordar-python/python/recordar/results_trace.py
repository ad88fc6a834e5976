"""Parts of many results: the reasons for choices, problems, and model calls."""

from __future__ import annotations

from datetime import datetime

from ._record import Record, Records, records_table


class Decision(Record):
    """A decision about a subject, and the rule behind it."""

    subject: str
    action: str
    reason: str
    detail: str | None


class Stage(Record):
    """The decisions of one stage."""

    name: str
    decisions: Records[Decision]


class Trace(Record):
    """Every decision, stage by stage."""

    stages: list[Stage]

    def _repr_html_(self) -> str:
        return "".join(f"<h4>{stage.name}</h4>{records_table(stage.decisions)}" for stage in self.stages)


class Problem(Record):
    code: str
    what: str
    remedy: str


class CallReport(Record):
    """One call of a language model, successful or not."""

    _columns = ("timestamp", "model", "tokens_prompt", "tokens_completion", "nano_usd", "latency_ms", "outcome")
    timestamp: datetime
    latency_ms: float
    provider: str
    model: str
    structured: str
    temperature: float | None
    seed: int | None
    max_output_tokens: int
    tokens_prompt: int
    tokens_completion: int
    is_counted: bool
    nano_usd: int | None
    price_dated: str | None
    request_sha256: str
    outcome: str
    replayed: bool


class Reranking(Record):
    """What reranking did with a candidate: the search's score and the judge's opinion, and both mixed."""

    judged: bool
    score: float
    search: float
    judge: float | None
    item_id: int | None
    read: list[int] | None


class JudgeConfidence(Record):
    """How sure the reranker is that any candidate answers the question. If nothing ``judged`` them, nothing more is known."""

    judged: bool
    best: float | None
    least: float | None
    enough: bool | None
