"""What a second reading of the seeds found (issue 19), as Python sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recordar import Recordar, RecordarError
from recordar.errors import ConfigurationError, InvalidError


def test_i19_5_c2_a_description_skips_what_is_empty_or_unknown_and_says_so(memory: Any) -> None:
    memory.ingest_text("The lamp is cleaned with a soft cloth.", name="lamp.md")
    memory.ingest_text("The soup takes two onions.", name="soup.md")
    meta = {"file_name": "lamp.md", "topic": "", "note": None, "tags": None, "colour": "red"}
    found = memory.document(meta)
    assert found.filename == "lamp.md"
    assert [(fallback.step, fallback.what) for fallback in found.fallbacks] == [
        ("meta", "the field topic of the description is empty"),
        ("meta", 'the description has an unknown field "colour"'),
    ]
    assert memory.retrieve_document_from_metadata(meta) == "The lamp is cleaned with a soft cloth."
    with pytest.raises(RecordarError, match="topic of the description is empty"):
        memory.document(meta, strict=True)
    assert [fallback.step for fallback in memory.document({"topic": "soup with onions"}).fallbacks] == ["topic"]


def test_i19_7_e8_the_metrics_are_shown(memory: Any) -> None:
    memory.remember("The boat comes on Tuesday.")
    assert memory.metrics().retrieval.latency_ms.count == 0
    memory.recall("When does the boat come?")
    memory.recall("When does the boat come?")
    retrieval = memory.metrics().retrieval
    assert (retrieval.latency_ms.count, retrieval.results_count.mean, retrieval.cache_hit_rate.mean) == (2, 1.0, 0.5)


def test_i19_8_settings_from_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recordar.toml").write_text('space = "user:file"\n[recall]\nmax_tokens = 500\n')
    monkeypatch.setenv("RECORDAR_DATABASE", "sqlite:elsewhere.db")
    settings = {
        "database": {"url": "sqlite:code.db"},
        "tokens.model": "gpt-4",
        "receipts": {"enabled": True},
        "tree": {"max_categories_per_level": {1: 7}},
        "recall.cache_seconds": None,
    }
    for arguments in ({"settings": settings}, {"config": settings}):
        with Recordar(**arguments) as memory:
            assert memory.database.endswith("/code.db") and memory.space == "user:file"
            assert memory.models().tokens_of == "gpt-4"
            memory.ingest_text("The lamp is cleaned with a soft cloth.", name="lamp.md")
            assert memory.recall("lamp").receipt is not None
            assert memory.tree().levels[0].limit == 7
    with pytest.raises(ConfigurationError) as wrong:
        Recordar(settings={"recall": {"top_k": 99}, "recall.topk": 1})
    told = str(wrong.value)
    assert "recall.top_k" in told and "1 to 20" in told and "did you mean recall.top_k" in told
    with pytest.raises(InvalidError, match="both config and settings"):
        Recordar(config={}, settings={})
    # A file that is named, and what the program says over it.
    (tmp_path / "named.toml").write_text('space = "user:named"\n[tokens]\nmodel = "gpt-4o"\n')
    with Recordar(config="named.toml", settings={"space": "user:code"}) as memory:
        assert (memory.space, memory.models().tokens_of) == ("user:code", "gpt-4o")
