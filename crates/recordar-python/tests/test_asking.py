"""Answers: without a model, by one on loopback, and when it is away. The key is looked for in everything that comes back."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import MODEL_KEY, ModelServer
from recordar import AsyncRecordar, Recordar, errors

QUESTION = "When does the train leave?"


def test_a12_an_answer_without_a_model(memory: Any) -> None:
    memory.remember("The train to Lisbon leaves at 8:15.")
    answered = memory.ask(QUESTION, receipt=True)
    assert answered.answer == str(answered) == "The train to Lisbon leaves at 8:15."
    assert answered.method == "built_in" and answered.model is None and not answered.responses
    assert answered.citations[0].item_id == answered.memories[0].provenance.item_id
    proof = memory.why(answered.receipt)
    assert proof.identical and proof.answer.answer == answered.answer
    assert memory.ask("anything", user_id="nobody").method == "nothing"
    assert memory.models().llm is None and memory.test_models().passed


@pytest.mark.embedded("the configuration is the server's")
def test_a12_an_answer_by_a_model(model: ModelServer, sqlite: str) -> None:
    memory = Recordar(sqlite, config=model.config())
    memory.remember("The train to Lisbon leaves at 8:15.")
    assert memory.ask(QUESTION, dry_run=True).estimate.tokens_prompt_at_most > 100  # type: ignore[union-attr]
    assert model.requests == 0
    answered = memory.ask(QUESTION, receipt=True)
    assert (answered.answer, answered.method, answered.model) == ("At 8:15.", "model", "compatible small")
    assert answered.responses[0].tokens_prompt == 50 and answered.responses[0].nano_usd == 90_000
    assert memory.test_models().passed
    assert memory.models().llm.spent_today.tokens == 70 * 6  # type: ignore[union-attr]
    asked = model.requests
    model.stop()
    assert answered.receipt is not None
    proof = memory.why(answered.receipt)
    assert proof.identical and proof.answer is not None and proof.answer.answer == "At 8:15."
    assert model.requests == asked


@pytest.mark.embedded("the configuration is the server's")
def test_a12_an_answer_is_awaited(model: ModelServer, sqlite: str) -> None:
    async def ask() -> None:
        async with AsyncRecordar(sqlite, config=model.config()) as memory:
            await memory.remember("The train to Lisbon leaves at 8:15.")
            answers = await asyncio.gather(*(memory.ask(f"{QUESTION} {number}") for number in range(8)))
            assert {answer.answer for answer in answers} == {"At 8:15."}

    asyncio.run(ask())


@pytest.mark.embedded("the configuration is the server's")
def test_r7_4_a_model_that_is_away(model: ModelServer, sqlite: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    config = model.config()
    Recordar(sqlite).remember("The train to Lisbon leaves at 8:15.")
    seen = ""
    for status in (401, 429, 500):
        model.fail(status)
        with pytest.raises(errors.ModelError) as raised:
            Recordar(sqlite, config=config).ask(QUESTION)
        assert raised.value.code.startswith("model_") and "compatible small" in raised.value.what
        seen += repr(raised.value) + str(raised.value)
        fallback = Recordar(sqlite, config=model.config("when_away = 'built_in'")).ask(QUESTION)
        assert fallback.method == "built_in" and fallback.model_problem is not None
        seen += repr(fallback) + str(fallback.to_dict()) + fallback._repr_html_()
    with pytest.raises(errors.CeilingError) as refused:
        Recordar(sqlite, config=model.config("max_tokens_per_call = 10")).ask(QUESTION)
    assert "llm.max_tokens_per_call" in refused.value.remedy
    if kept := os.environ.get("RECORDAR_KEPT"):
        Path(kept, "asking-python").write_text(seen + caplog.text)
    assert "[key]" in seen, "the server did send it back"
    assert MODEL_KEY not in seen + caplog.text


@pytest.mark.embedded("the configuration is the server's")
def test_a12_forked_workers_share_one_ceiling(model: ModelServer, sqlite: str) -> None:
    """Every call is counted, also where workers were forked after the memory was opened."""
    memory = Recordar(sqlite, config=model.config())
    memory.remember("The train to Lisbon leaves at 8:15.")
    children = []
    for number in range(4):
        child = os.fork()
        if child == 0:
            answered = memory.ask(f"{QUESTION} {number}")
            os._exit(0 if answered.answer == "At 8:15." else 1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0, 0]
    assert memory.models().llm.spent_today.tokens == 70 * 4  # type: ignore[union-attr]


@pytest.mark.embedded("the configuration is the server's")
def test_a12_ctrl_c_is_heard_while_a_model_thinks(model: ModelServer, sqlite: str) -> None:
    program = f"""
import os, signal, sys
from recordar import Recordar
signal.signal(signal.SIGINT, signal.default_int_handler)
memory = Recordar({sqlite!r}, config={str(model.config())!r})
memory.remember("The train to Lisbon leaves at 8:15.")
print("asking", flush=True)
try:
    memory.ask({QUESTION!r})
except KeyboardInterrupt:
    print("heard")
"""
    model.think.clear()
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None and running.stdout.readline() == "asking\n"
    assert model.asked.wait(60)
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=60)[0] == "heard\n"
    model.think.set()
