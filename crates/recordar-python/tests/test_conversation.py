"""Labels, the vocabulary, the queue and staged recall (D1 to D7)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from conftest import ModelServer, until
from test_running import TELL_CALL, after_every_call, in_child, until_in_call

from recordar import AsyncRecordar, Recordar, errors

REFUND = "I was charged twice for order #5678 and I want a refund."
PREFERENCE = "I prefer refunds to my card, not as a voucher."
PARCEL = "When will my parcel arrive?"


def fill(memory: Any) -> None:
    memory.remember([REFUND, PREFERENCE], thread="refund", title="Refund for order 5678")
    memory.remember(PARCEL, thread="parcel", title="Where is the parcel?")


def waiting(memory: Any) -> int:
    return sum(kind.waiting + kind.running for kind in memory.queue().kinds)


def test_d2_without_a_model_messages_are_labelled_at_once(memory: Any) -> None:
    fill(memory)
    labels = memory.messages("refund")[0].labels
    assert (labels.topics, labels.category, labels.message_type) == (["refund"], "conversation", "statement")
    assert [(entity.type, entity.value) for entity in labels.entities] == [("order_id", "#5678")]
    assert (labels.enrichment_model, labels.vocabulary_version, labels.role) == ("built-in", "2024-01-15", "user")
    assert memory.messages("refund")[1].labels.category == "user_preference"
    memory.remember("I don't want a refund, I want to understand the policy.", thread="policy")
    assert memory.messages("policy")[0].labels.topics == ["general_inquiry"]
    assert memory.queue().kinds == [] and memory.work().labelled == 0


def test_d4_search_and_recall_by_labels(memory: Any) -> None:
    fill(memory)

    def found(**filters: Any) -> list[str]:
        hits = memory.search("refund parcel order card", **filters).hits
        threads = memory.search_threads("refund parcel order card", **filters).threads
        assert {thread.best_text for thread in threads} <= {hit.text for hit in hits}
        return sorted(hit.text for hit in hits)

    assert found(topics=["refund"]) == [PREFERENCE, REFUND]
    assert found(topics=["refund", "shipping"]) == [PREFERENCE, REFUND, PARCEL]
    assert found(category="user_preference") == [PREFERENCE]
    assert found(message_type="question") == [PARCEL]
    assert found(entities=["#5678"]) == found(entities=["5678"]) == [REFUND]
    assert found(entities=["5678"], message_type="question") == []
    recalled = memory.recall("refund", category="user_preference")
    assert [entry.content for entry in recalled.memories] == [PREFERENCE]
    assert PREFERENCE in memory.ask("Where do refunds go?", category="user_preference").answer
    item = memory.messages("parcel")[0].item_id
    assert memory.why_not(item, "parcel", topics=["refund"]).place is None
    for wrong, words in [
        (lambda: memory.search("x", topics=["refunds"]), '"refunds" is not a topic of the vocabulary'),
        (lambda: memory.recall("x", category="x"), '"x" is not a category'),
        (lambda: memory.search("x", topics="refund"), r"use topics=\['refund'\]"),
        (lambda: memory.search("x", entities="5678"), "entities must be a list"),
    ]:
        with pytest.raises(errors.InvalidError, match=words):
            wrong()


def test_d5_and_d6_a_staged_recall_says_where_and_why(memory: Any) -> None:
    fill(memory)
    memory.remember("I always want invoices by e-mail.", thread="old", time=datetime(2020, 1, 31, tzinfo=timezone.utc))
    found = memory.recall("What about my refund?", staged=True, session_id="refund", receipt=True)
    assert found.staged.method == "built_in" and found.staged.model_problem is None and found.staged.responses == []
    assert (found.staged.intent.topics, found.staged.intent.time_scope) == (["refund"], "all")
    assert [entry.provenance.stage for entry in found.memories] == ["current_thread", "current_thread", "expansion"]
    assert str(found).startswith("## Current Conversation:\n- [user] ")
    assert "\n\n## User Context & Preferences:\n- [preference] I always want invoices by e-mail." in found.text
    best = found.candidates[0].staged
    parts = best.topics + best.entities + best.recency + best.importance
    assert (best.source, best.topics, best.source_boost, best.tier_boost) == ("current_thread", 30.0, 1.3, 1.2)
    assert best.score == min(100.0, parts * best.source_boost * best.tier_boost)
    proof = memory.why(found.receipt)
    assert proof.identical and proof.body.staged.intent == found.staged.intent
    assert proof.body.memories[0]["place"]["source"] == "current_thread"

    elsewhere = memory.recall("What about my refund?", staged=True, session_id="parcel", preview=True)
    assert [entry.provenance.stage for entry in elsewhere.memories][:2] == ["cross_thread", "cross_thread"]
    assert elsewhere.memories[0].provenance.thread_title == "Refund for order 5678"
    assert "- [user] (from: Refund for order 5678) " in elsewhere.text
    plain = memory.recall("What about my refund?")
    assert plain.staged is None and plain.candidates[0].staged is None and plain.memories[0].provenance.stage is None


@pytest.mark.embedded("uses are written when the memory is closed")
def test_d2_uses_are_counted_unless_it_is_a_preview(database: str) -> None:
    with Recordar(database, user_id="ada") as memory:
        fill(memory)
        memory.recall("What about my refund?", staged=True, preview=True)
    with Recordar(database, user_id="ada") as memory:
        found = memory.recall("What about my refund?", staged=True)
        assert {candidate.staged.uses for candidate in found.candidates} == {0} and found.staged.uses_at == [0]
    with Recordar(database, user_id="ada") as memory:
        found = memory.recall("What about my refund?", staged=True, preview=True)
        assert {candidate.staged.uses for candidate in found.candidates} == {1} and found.staged.uses_at > [0]


def test_d1_a_vocabulary_is_exported_edited_and_imported(memory: Any) -> None:
    first = memory.vocabulary()
    assert first.current and first.version == "2024-01-15" and first.catch_all == "general_inquiry"
    assert [term.name for term in first.topics][:2] == ["refund", "shipping"] and len(first.entity_types) == 8
    assert memory.vocabulary_history() == [] and str(first) == first.text
    text = str(first).replace('"2024-01-15"', '"2026-11-16"').replace('"general_inquiry"]', '"general_inquiry", "warranty"]')
    edited = memory.import_vocabulary(text + '\n[about.topics]\nwarranty = "guarantee, repair of a broken device"\n')
    assert (edited.version, edited.kind, edited.term, edited.relabelled) == ("2026-11-16", None, None, 0)
    now = memory.vocabulary()
    assert now.current and now.topics[-1].to_dict() == {"name": "warranty", "about": "guarantee, repair of a broken device"}
    assert not memory.vocabulary(version="2024-01-15").current
    (change,) = memory.vocabulary_history()
    assert (change.action, change.version, change.term, change.pending) == ("import", "2026-11-16", None, False)
    assert change.made_at.tzinfo is timezone.utc
    memory.remember("Does the guarantee cover the repair of a broken screen?", thread="screen")
    labels = memory.messages("screen")[0].labels
    assert (labels.topics, labels.vocabulary_version) == (["warranty"], "2026-11-16")
    assert len(memory.search("screen", topics=["warranty"]).hits) == 1
    assert memory.import_vocabulary(now.text).version == "2026-11-16", "what is written can be read"
    for wrong, words in [
        ("version = 1", "cannot be read"),
        (text.replace('"refund", ', ""), "already exists with other terms"),
        (text.replace('"refund"', '"Re fund"').replace("2026-11-16", "x"), "is not a term"),
    ]:
        with pytest.raises(errors.InvalidError, match=words):
            memory.import_vocabulary(wrong)
    with pytest.raises(errors.InvalidError, match="there is no vocabulary version"):
        memory.vocabulary(version="nope")


@pytest.mark.embedded("the configuration is the server's")
def test_d7_a_suggestion_is_approved_and_undone(model: ModelServer, database: str) -> None:
    with Recordar(database, user_id="ada", config=model.config()) as memory:
        items = memory.remember([f"Can I pay with gift card {n}?" for n in range(6)], thread="cards").items
        assert memory.messages("cards")[0].labels is None, "only the model labels, and not while somebody waits"
        assert waiting(memory) == 6 and memory.queue().kinds[0].oldest_at is not None
        done = memory.work()
        assert (done.labelled, done.failed, done.dead, done.tokens, done.model_problem) == (6, 0, 0, 420, None)
        assert memory.queue().kinds == []
        before = [message.labels for message in memory.messages("cards")]
        assert {(labels.confidence, labels.suggested_topic) for labels in before} == {("low", "gift_cards")}
        (suggested,) = memory.suggestions()
        assert (suggested.term, suggested.kind, suggested.frequency) == ("gift_cards", "topic", 6)
        assert len(suggested.examples) == 5 and "gift card" in suggested.examples[0]
        assert memory.suggestions(kind="category") == [] == memory.suggestions(min_frequency=7)

        approved = memory.approve_term("gift cards")
        assert (approved.kind, approved.term, approved.relabelled) == ("topic", "gift_cards", 6)
        after = [message.labels for message in memory.messages("cards")]
        assert {tuple(labels.topics) for labels in after} == {("gift_cards", "general_inquiry")}
        assert {labels.vocabulary_version for labels in after} == {approved.version}
        assert {hit.item_id for hit in memory.search("card", topics=["gift_cards"]).hits} == set(items)
        assert memory.suggestions() == []

        assert memory.undo_approval("gift_cards").relabelled == 6
        assert [message.labels for message in memory.messages("cards")] == before
        with pytest.raises(errors.InvalidError, match="no approval of the topic gift_cards to undo"):
            memory.undo_approval("gift_cards")
        assert len(memory.suggestions()) == 1 and memory.reject_term("gift_cards").relabelled == 0
        assert memory.suggestions() == []
        assert [change.action for change in memory.vocabulary_history()] == ["approve", "undo", "reject"]


@pytest.mark.embedded("the configuration is the server's")
def test_d2_the_price_of_a_backlog_is_shown_before_anything_is_spent(model: ModelServer, database: str) -> None:
    with Recordar(database, user_id="ada") as memory:
        fill(memory)
        assert memory.enrich(dry_run=True).to_dict() == {
            "messages": 0, "labelled_by": "built-in", "tokens": 0, "usd": None, "queued": 0
        }
    with Recordar(database, user_id="ada", config=model.config()) as memory:
        price = memory.enrich(dry_run=True)
        assert (price.messages, price.labelled_by, price.queued) == (3, "compatible small", 0)
        assert price.tokens > 0 and price.usd is not None and 0 < price.usd < 0.1
        assert waiting(memory) == 0 and model.requests == 0
        assert memory.enrich(all_spaces=True, operation="once").queued == 3
        assert memory.work().labelled == 3 == model.requests
        assert {message.labels.enrichment_model for message in memory.messages("refund") if message.labels} == {"compatible small"}
        assert memory.enrich().messages == 0


@pytest.mark.embedded("the configuration is the server's")
def test_d2_the_model_is_away_and_returns_and_what_poisons_it_is_set_aside(model: ModelServer, database: str) -> None:
    with Recordar(database, user_id="ada", config=model.config("[work]\nattempts = 1")) as memory:
        model.fail(503)
        memory.remember("Where is my parcel?", thread="t")
        away = memory.work()
        assert (away.labelled, away.dead) == (0, 0) and away.model_problem is not None and away.model_problem.remedy
        assert waiting(memory) == 1 and memory.recall("parcel").memories, "it is recalled all the same"
        model.status = 200
        memory.remember("This is POISON.", thread="t")
        done = memory.work()
        assert (done.labelled, done.dead, done.model_problem) == (1, 1, None)
        report = memory.queue()
        (job,) = report.dead
        assert (job.space, job.kind, job.attempts, report.kinds[0].dead) == ("user:ada", "enrich", 1, 1)
        assert "no valid reply" in job.error and job.queued_at.tzinfo is timezone.utc and "</" in report._repr_html_()
        retried = memory.retry_jobs(operation="again")
        assert (retried.space, retried.jobs) == ("user:ada", 1) and waiting(memory) == 1
        assert memory.cancel_jobs().jobs == 1 and memory.queue().kinds == []


@pytest.mark.embedded("the configuration is the server's")
def test_d2_work_is_cancelled_like_other_long_calls(model: ModelServer, sqlite: str) -> None:
    memory, other = AsyncRecordar(sqlite, config=model.config()), Recordar(sqlite, config=model.config())

    async def main() -> None:
        await memory.remember("Where is my parcel?", thread="t")
        task = asyncio.create_task(memory.work(keep_running=True))
        await asyncio.get_running_loop().run_in_executor(None, until, lambda: waiting(other) == 0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    after_every_call(lambda: asyncio.run(memory.remember("And my refund?", thread="t")))
    assert waiting(other) == 1, "nobody works any more"
    assert asyncio.run(memory.work()).labelled == 1
    other.close()
    asyncio.run(memory.close())


def test_d2_ctrl_c_stops_a_worker(sqlite: str) -> None:
    Recordar(sqlite).close()
    program = TELL_CALL + textwrap.dedent(
        f"""
        import signal
        from recordar import Recordar
        signal.signal(signal.SIGINT, signal.default_int_handler)
        memory = Recordar({sqlite!r})
        try:
            memory.work(keep_running=True)
            print("finished")
        except KeyboardInterrupt:
            print("interrupted", memory.queue().kinds)
        """
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    until_in_call(child)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "interrupted []\n"


# What a worker had taken when it was interrupted is free again soon.
IN_PROCESS = "[work]\nin_process = true\nlease_seconds = 2"


@pytest.mark.embedded("the configuration is the server's")
def test_d2_a_worker_inside_the_process_labels_in_the_background(model: ModelServer, database: str) -> None:
    with Recordar(database, user_id="ada", config=model.config(IN_PROCESS)) as memory:
        memory.remember("Where is my parcel?", thread="t")
        until(lambda: memory.messages("t")[0].labels is not None)
        assert waiting(memory) == 0


@pytest.mark.embedded("the configuration is the server's")
def test_d2_a_fork_waits_for_workers_as_it_does_for_calls(model: ModelServer, database: str) -> None:
    memory = Recordar(database, user_id="ada", config=model.config(IN_PROCESS))
    memory.remember("Before the fork.", thread="parent")

    def work() -> None:
        memory.remember(f"From child {os.getpid()}.", thread="child")
        until(lambda: waiting(memory) == 0)
        assert memory.recall("From child").memories
        # Nothing of the parent is closed with it, and its own worker ends.
        memory.close()

    for number in range(5):
        memory.remember(f"From the parent, {number}.", thread="parent")
        assert in_child(work) == 0
    memory.remember("After the last fork.", thread="parent")
    until(lambda: waiting(memory) == 0)
    labelled = [message.labels for thread in ("parent", "child") for message in memory.messages(thread)]
    assert len(labelled) == 12 and None not in labelled
    memory.close()


@pytest.mark.embedded("the configuration is the server's")
def test_d2_a_fork_does_not_wait_for_a_model_that_is_thinking(model: ModelServer, sqlite: str) -> None:
    memory = Recordar(sqlite, config=model.config(IN_PROCESS))
    model.think.clear()
    memory.remember("Where is my parcel?", thread="t")
    assert model.asked.wait(30)
    started = time.monotonic()
    assert in_child(lambda: memory.remember("From the child.", thread="t")) == 0
    assert time.monotonic() - started < 10, "the call of the model is given up, and the job goes back into the queue"
    model.think.set()
    memory.remember("From the parent.", thread="t")
    until(lambda: waiting(memory) == 0)
    assert None not in [message.labels for message in memory.messages("t")]
    memory.close()


@pytest.mark.embedded("the configuration is the server's")
def test_d2_workers_and_forks_beside_busy_threads_lose_nothing(model: ModelServer, sqlite: str) -> None:
    memory = Recordar(sqlite, config=model.config(IN_PROCESS))
    memory.remember("First.", thread="parent")
    stop, stored = threading.Event(), [1]

    def write() -> None:
        while not stop.is_set():
            memory.remember(f"Message {stored[0]}.", thread="parent")
            stored[0] += 1

    def write_in_child(number: int) -> None:
        memory.remember(f"Child {number}.", thread="child")
        # A worker that is not ended keeps its jobs until its lease runs out.
        memory.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(10):
            assert in_child(lambda: write_in_child(number)) == 0
    finally:
        stop.set()
        writer.join(30)
    memory.work()
    until(lambda: waiting(memory) == 0)
    labels = [message.labels for thread in ("parent", "child") for message in memory.messages(thread)]
    assert len(labels) == stored[0] + 10 and None not in labels
    memory.close()


def test_d6_echoes_are_stored_and_found_once(memory: Any) -> None:
    fill(memory)
    for _ in range(3):
        memory.remember(REFUND, thread="parcel")
    assert len(memory.messages("parcel")) == 4
    assert [hit.text for hit in memory.search("charged twice").hits].count(REFUND) == 1
    assert [entry.content for entry in memory.recall("charged twice", staged=True).memories].count(REFUND) == 1


def test_d1_exports_carry_the_versions_they_use(memory: Any, make_database: Callable[[str], str], tmp_path: Path) -> None:
    text = str(memory.vocabulary()).replace('"2024-01-15"', '"2026-11-16"').replace('"refund", ', '"money_back", ')
    memory.import_vocabulary(text)
    memory.remember("I want my money back.", thread="t")
    labels = memory.messages("t")[0].labels
    assert (labels.topics, labels.vocabulary_version) == (["money_back"], "2026-11-16")
    memory.export(tmp_path / "ada.jsonl")
    with Recordar(make_database("sqlite"), user_id="ada") as other:
        other.import_(tmp_path / "ada.jsonl")
        assert other.messages("t")[0].labels == labels
        assert other.vocabulary().version == "2024-01-15", "what others bring does not change how we label"
        assert [change.action for change in other.vocabulary_history()] == ["foreign"]
        assert not other.vocabulary(version="2026-11-16").current
