"""Every verb, on the three databases, synchronous and asynchronous (A12)."""

from __future__ import annotations

import inspect
import json
import shutil
import subprocess
import types
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from conftest import REPOSITORY, TEXTS, ModelServer

from recordar import AsyncRecordar, Record, Records, Recordar, _client, _native, errors, results


def fill(memory: Any) -> list[int]:
    said = memory.remember(
        [{"text": "I take the 8:15 train to Lisbon.", "speaker": "Ada"}, "The hotel is near the harbour."], thread="trip"
    )
    return list(said.items)


def test_a12_remember_and_recall(memory: Any) -> None:
    items = fill(memory)
    found = memory.recall("When does the train leave?")
    assert found.memories[0].content == "I take the 8:15 train to Lisbon."
    assert found.memories[0].provenance.item_id == items[0]
    assert found.memories[0].speaker == "Ada"
    assert found.memories[0].timestamp.tzinfo is timezone.utc
    assert abs(found.memories[0].timestamp - datetime.now(timezone.utc)) < timedelta(minutes=5)
    assert "8:15" in found.text and str(found) == found.text
    assert found.problem is None and found.receipt is None
    assert {stage.name for stage in found.trace.stages} >= {"question", "hybrid", "gate", "budget", "compose"} - {"compose"}
    assert memory.recall("When does the train leave?", use_memory=False).skipped == "use_memory"
    assert memory.recall("anything", user_id="nobody").problem.code == "COLLECTION_NOT_FOUND"


def test_a12_an_operation_is_done_once(memory: Any) -> None:
    first = memory.remember("Once.", operation="once")
    again = memory.remember("Once.", operation="once")
    assert (first.items, first.repeated, again.repeated) == (again.items, False, True)
    assert [part.state for part in memory.operation("once")] == ["done"]
    with pytest.raises(errors.ConflictError, match="already used for another request"):
        memory.remember("Something else.", operation="once")


def test_a12_documents(memory: Any, tmp_path: Path) -> None:
    report = memory.ingest_text("# Guide\n\nThe harbour opens at nine.", name="guide.md", tags=["docs"], topic="harbour")
    assert (report.totals.added, report.files[0].status, report.files[0].version) == (1, "added", 1)
    assert memory.ingest_text("# Guide\n\nThe harbour opens at nine.", name="guide.md", tags=["docs"], topic="harbour").totals.unchanged == 1
    memory.ingest_text("# Guide\n\nThe harbour opens at ten.", name="guide.md", tags=["docs"])
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "notes.txt").write_text("The museum is closed on Mondays.")
    (tmp_path / "a" / "more.md").write_text("Tickets cost five euros.")
    assert memory.ingest_file(tmp_path / "a").totals.added == 2
    assert memory.ingest_file([str(tmp_path / "a" / "notes.txt")]).totals.unchanged == 1
    assert {document.filename for document in memory.documents()} == {"guide.md", "notes.txt", "more.md"}
    assert [version.number for version in memory.document_versions("guide.md")] == [1, 2]
    assert memory.document_text("guide.md", version=1).text.endswith("at nine.")
    assert memory.document_text("guide.md").verified


def test_c2_retrieve_document_from_metadata(memory: Any) -> None:
    memory.ingest_text("The first version.", name="memory_storage.md", tags=["docs", "design"], topic="memory design")
    between = memory.document_versions("memory_storage.md")[0].ingested_at
    memory.ingest_text("The second version, which is longer.", name="memory_storage.md", tags=["docs", "design"])
    meta = {"filename": "memory_storage.md", "tags": ["docs"]}
    get = memory.retrieve_document_from_metadata
    assert get(meta) == "The second version, which is longer."
    assert get(meta, user_id="ada", k=50, default_tags=["design"], strategy="latest", as_of=None) == get(meta)
    assert get(meta, as_of=between) == "The first version."
    assert get(meta, as_of=between.isoformat()) == "The first version."
    assert get(meta, strategy="earliest") == "The first version."
    assert get({"file_name": "memory_storage.md"}, strategy="longest") == "The second version, which is longer."
    parameters = inspect.signature(Recordar.retrieve_document_from_metadata).parameters
    assert list(parameters) == ["self", "meta", "user_id", "k", "default_tags", "strategy", "as_of"]
    assert memory.document(meta).candidate_versions == 2
    with pytest.raises(errors.NotFoundError):
        get(meta, user_id="nobody")


def test_a12_search_in_several_spaces(memory: Any) -> None:
    fill(memory)
    memory.ingest_text("Trains to Lisbon leave from platform two.", name="platforms.md", space="shared:handbook")
    found = memory.search("train to Lisbon", also=["shared:handbook"], limit=5)
    assert {hit.space for hit in found.hits} == {"user:ada", "shared:handbook"}
    best = found.hits[0]
    assert abs(sum(best.parts.to_dict().values()) - best.score) < 1e-9
    assert memory.search_threads("train to Lisbon").threads[0].thread == "trip"
    assert memory.search("train", mode="keyword").mode == "keyword"
    assert sorted(memory.spaces()) == ["shared:handbook", "user:ada"]
    assert [thread.name for thread in memory.threads()] == ["trip"]
    assert [message.text for message in memory.messages("trip")] == [
        "I take the 8:15 train to Lisbon.",
        "The hotel is near the harbour.",
    ]


def test_a12_why_and_why_not(memory: Any) -> None:
    items = fill(memory)
    found = memory.recall("When does the train leave?", receipt=True)
    proof = memory.why(found.receipt)
    assert proof.identical and proof.text == found.text
    assert proof.body.query == "When does the train leave?"
    assert memory.receipts()[0].receipt == found.receipt
    reason = memory.why_not(items[0], "When does the train leave?", min_score=1.0)
    assert reason.stage == "gate" and reason.changes[0].setting == "min_score"


def test_a12_forget(memory: Any) -> None:
    items = fill(memory)
    assert memory.forget(items=[items[1]], dry_run=True).forgotten.messages == 1
    report = memory.forget(items=[items[1]])
    assert report.forgotten.messages == 1 and not report.dry_run
    assert [message.text for message in memory.messages("trip")] == ["I take the 8:15 train to Lisbon."]
    assert memory.forget(thread="trip").forgotten.threads == 1
    memory.remember("Everything goes.")
    memory.forget(whole_space=True)
    assert memory.spaces() == []


def test_a12_export_import_backup_restore(memory: Any, tmp_path: Path) -> None:
    fill(memory)
    before = memory.recall("When does the train leave?").to_dict()
    report = memory.export(tmp_path / "ada.jsonl")
    assert report.spaces[0].space == "user:ada"
    memory.backup(tmp_path / "all.jsonl")
    memory.forget(whole_space=True)
    assert not memory.import_(tmp_path / "ada.jsonl").spaces[0].known
    assert memory.import_(tmp_path / "ada.jsonl").spaces[0].known
    memory.remember("Later.", user_id="bob")
    assert memory.restore(tmp_path / "all.jsonl").removed == ["user:bob"]
    after = memory.recall("When does the train leave?").to_dict()
    assert {**after, "timing": 0} == {**before, "timing": 0}
    with pytest.raises(errors.ConflictError, match="already exists"):
        memory.export(tmp_path / "ada.jsonl")
    transcript = tmp_path / "talk.txt"
    transcript.write_text("Ada: Where is the violin?\nBob: In the garden house.\n")
    imported = memory.import_(transcript)
    assert (imported.format, imported.conversations[0].added) == ("transcript", 2)
    assert memory.import_(transcript).conversations[0].known == 2


def test_b9_standing_texts_and_important_items(memory: Any) -> None:
    items = fill(memory)
    assert (memory.standing_text("rules").version, str(memory.standing_text("rules"))) == (0, "")
    assert memory.set_standing_text("rules", "Be brief.", operation="rules").version == 1
    assert memory.set_standing_text("rules", "Be brief.", operation="rules").repeated
    assert not memory.set_standing_text("rules", "Be brief.").changed
    between = memory.standing_text("rules").set_at
    memory.set_standing_text("rules", "Cite every source.")
    assert str(memory.standing_text("rules")) == "Cite every source."
    assert str(memory.standing_text("rules", as_of=between)) == str(memory.standing_text("rules", version=1)) == "Be brief."
    assert [version.version for version in memory.standing_text_history("rules").versions] == [2, 1]
    difference = memory.standing_text_diff("rules")
    assert (difference.from_, difference.to) == (1, 2) and "-Be brief." in str(difference)
    with pytest.raises(errors.InvalidError, match="line 1 of the synonyms"):
        memory.set_standing_text("synonyms", "NVH")
    with pytest.raises(errors.InvalidError, match="one of rules, project, synonyms"):
        memory.standing_text("laws")
    assert memory.important(items[0]).changed and memory.item(items[0]).important
    assert memory.important(items[0], off=True).changed and not memory.item(items[0]).important


def test_ch_03_5_items_carry_the_versions_that_they_are_about(memory: Any) -> None:
    memory.ingest_text("The lamp burns oil.", name="guide.md")
    memory.ingest_text("A new lens in May.", name="plan.md")
    first = memory.remember("Oil is expensive.", about=["guide.md"]).items[0]
    memory.ingest_text("The lamp is electric.", name="guide.md")
    second, third = memory.remember([{"text": "No oil is needed.", "about": ["guide.md"]}, "It rains."], about=["plan.md"]).items
    shown = {item: [(about.document, about.version) for about in memory.item(item).about] for item in (first, second, third)}
    assert shown == {first: [("guide.md", 1)], second: [("guide.md", 2)], third: [("plan.md", 1)]}
    with pytest.raises(errors.InvalidError, match="is not a stored document"):
        memory.remember("x", about=["none.md"])
    with pytest.raises(errors.InvalidError, match="about"):
        memory.remember("x", about="guide.md")


def test_i25_keys_are_made_listed_and_revoked(memory: Any) -> None:
    made = memory.make_key("laptop", spaces=["user:ada"], read=["shared:*"], expires="90d", max_usd_per_day=1.5)
    assert made.key.startswith("rk_") and len(made.key) == 67 and made.key not in repr(made)
    assert (made.admin, made.spaces, made.read, made.max_usd_per_day, made.spent_today_usd) == (False, ["user:ada"], ["shared:*"], 1.5, 0)
    assert timedelta(days=89) < made.expires_at - datetime.now(timezone.utc) < timedelta(days=91)
    *_, key = memory.keys()
    assert (key.id, key.name, key.revoked_at, key.last_used_at) == (made.id, "laptop", None, None)
    assert made.key not in json.dumps(key.to_dict())
    with pytest.raises(errors.InvalidError, match="already an API key with the name"):
        memory.make_key("laptop", admin=True)
    with pytest.raises(errors.InvalidError, match="would open nothing"):
        memory.make_key("nothing")
    with pytest.raises(errors.InvalidError, match="spaces=\\['user:ada'\\]"):
        memory.make_key("one", spaces="user:ada")
    assert memory.revoke_key(made.id).revoked_at == memory.revoke_key("laptop").revoked_at is not None
    assert memory.make_key("laptop", admin=True).admin
    with pytest.raises(errors.NotFoundError, match="no API key"):
        memory.revoke_key("nobody")


@pytest.mark.embedded("the folders of models are the server's")
def test_i22_models_from_folders(sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "mine"
    shutil.copytree(REPOSITORY / "crates/recordar-judge/tests/fixtures/bert-reranker", folder)
    memory = Recordar(sqlite)
    assert [model.name for model in memory.check_models().models] == ["judge"]
    added = memory.add_model(folder)
    assert (added.name, added.kind, added.path, added.replaced) == ("mine", "reranker", str(folder), False)
    assert added.bytes > 10_000 and len(added.sha256) == 64 and added.added_at.tzinfo is timezone.utc
    assert [model.sha256 for model in memory.models().model_folders] == [added.sha256]
    assert memory.check_models("mine").passed
    (folder / "model.onnx").write_bytes(b"short")
    failed = memory.check_models()
    assert not failed.passed and failed.models[0].passed
    assert "not those that were added" in str(failed.models[1].problem) and "recordar models add" in str(failed.models[1].remedy)
    with pytest.raises(errors.ModelError, match="model.onnx"):
        memory.add_model(folder)
    assert memory.remove_model("mine").path == str(folder) and folder.is_dir()
    with pytest.raises(errors.NotFoundError, match="no model folder"):
        memory.remove_model("mine")


def test_errors_say_what_to_do(memory: Any) -> None:
    fill(memory)
    for wrong, kind, words in [
        (lambda: memory.recall("x", top_k=100), errors.InvalidError, "top_k 100 is out of range: 1 to 20"),
        (lambda: memory.recall("x", top_k="many"), errors.InvalidError, "top_k"),
        (lambda: memory.recall("x", asked_at="someday"), errors.InvalidError, "asked_at.*ISO 8601"),
        (lambda: memory.document({"filename": ["x"]}), errors.InvalidError, "filename must be a string"),
        (lambda: memory.remember([]), errors.InvalidError, "no message"),
        (lambda: memory.remember({"txt": "x"}), errors.InvalidError, "unknown field `txt`"),
        (lambda: memory.remember("x", space="user:ada", user_id="bob"), errors.InvalidError, "both space and user_id"),
        (lambda: memory.remember(object()), errors.InvalidError, "must be a list"),
        (lambda: memory.remember(5), errors.InvalidError, "must be a list"),
        (lambda: memory.ingest_text("x", name="x", tags="work"), errors.InvalidError, "tags=\\['work'\\]"),
        (lambda: memory.forget(items="12"), errors.InvalidError, "must be a list"),
        (lambda: memory.remember({"text": "x", "metadata": {"a": float("nan")}}), errors.InvalidError, "finite numbers"),
        (lambda: memory.remember("half \ud83d"), errors.InvalidError, "a lone surrogate"),
        (lambda: memory.remember("x", user_id=b"m"), errors.InvalidError, "user_id"),
        (lambda: memory.remember({"text": object()}), errors.InvalidError, ""),
        (lambda: memory.forget(), errors.InvalidError, "nothing to forget"),
        (lambda: memory.forget(items=[1], thread="x"), errors.InvalidError, "more than one thing"),
        (lambda: memory.document_text("nope"), errors.NotFoundError, "there is no document \"nope\""),
        (lambda: memory.import_("nope.json"), errors.RecordarError, "cannot be read"),
        (lambda: memory.why("zzzz"), errors.InvalidError, "not a valid receipt id"),
    ]:
        with pytest.raises(kind, match=f"(?s){words}") as caught:
            wrong()
        if isinstance(caught.value, errors.RecordarError):
            assert caught.value.remedy and caught.value.what in str(caught.value)
    with pytest.raises(ValueError):
        memory.recall("x", top_k=100)
    with pytest.raises(errors.RecordarError, match="nope.txt"):
        memory.ingest_file("nope.txt").raise_for_failures()
    with pytest.raises(errors.UnavailableError, match="nothing answers|cannot open"):
        Recordar("postgres://nobody@127.0.0.1:1/none")


def check_fields(record: Record, seen: set[type]) -> None:
    """Every key of the document is a field, and every field that must be there is a key."""
    hints = get_type_hints(type(record))
    fields = {name for name in hints if not name.startswith("_")}
    # What has its own kind in it ends where there is none.
    optional = {name for name in fields if {type(None), type(record)} & set(get_args(hints[name]))}
    # Replies leave these out where they are empty.
    optional |= fields & {"about", "filter", "important", "metadata", "sections", "skipped", "stored", "unchanged", "warnings"}
    data = record.to_dict()
    # A word of Python's own has an underscore behind it.
    data = {name if name in fields else f"{name}_": value for name, value in data.items()}
    assert set(data) <= fields, f"{type(record).__name__} lacks {set(data) - fields}"
    assert fields - optional <= set(data), f"{type(record).__name__} has too much: {fields - optional - set(data)}"
    seen.add(type(record))
    for name in data:
        value = getattr(record, name)
        assert get_origin(hints[name]) is not Records or isinstance(value, Records)
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, Record):
                check_fields(inner, seen)


@pytest.mark.embedded("the configuration is the server's")
def test_a12_results_are_typed_to_the_last_field(sqlite: str, tmp_path: Path, model: ModelServer) -> None:
    memory = Recordar(sqlite, user_id="ada", config=model.config("when_away = 'built_in'"))
    items = fill(memory)
    seen: set[type] = set()
    memory.ingest_text("short", name="x.md", note="n")
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00")
    recalled = memory.recall("When does the train leave?", receipt=True)
    assert recalled.receipt
    (tmp_path / "talk.txt").write_text("Ada: Hello there.\nBob: Good morning.\nsome\x00thing\n")
    with Recordar(sqlite, user_id="bob") as tree:
        for name, text in TEXTS.items():
            tree.ingest_text(text, name=name)
        tree.ingest_text("Chess is a game of kings and pawns.", name="bees.md")
    memory.ingest_text("It waits.", name="waiting.md", classify=False)
    with Recordar(sqlite, user_id="ada") as plain:
        plain.remember("I moved to Lisbon.", speaker="Ada")
        plain.extract_facts()
    summed_up = Recordar(sqlite, user_id="carla", settings={"summaries.enabled": True, "summaries.recent_messages": 1})
    summed_up.remember([{"text": f"The hotel number {number} is fine."} for number in range(12)], thread="hotels")
    summed_up.work()
    checked: list[Any] = [
        memory.remember("x"),
        memory.ingest_file(tmp_path / "bad.md"),
        memory.ingest_text("longer", name="y.md"),
        recalled,
        memory.recall("x", user_id="nobody"),
        memory.search("train"),
        memory.search_threads("train"),
        memory.document({"filename": "x.md", "tags": ["nope"]}),
        memory.document_text("x.md"),
        *memory.documents(),
        *memory.document_versions("x.md"),
        memory.document_diff("x.md", from_=1),
        memory.tag_document("x.md", ["kept"]),
        memory.untag_document("x.md", ["kept"]),
        memory.set_document("x.md", topic="trains"),
        memory.move_document("y.md", "z.md"),
        *memory.threads(),
        *memory.messages("trip"),
        memory.item(items[0]),
        memory.items(limit=1),
        memory.items(ids=["none"]),
        memory.why(recalled.receipt),
        memory.ask("When does the train leave?", dry_run=True),
        answered := memory.ask("When does the train leave?", receipt=True),
        memory.why(str(answered.receipt)),
        memory.query("bees", user_id="bob", n=9),
        memory.tree(user_id="bob"),
        memory.ask("bees", user_id="bob", n=9),
        memory.classify(),
        memory.helper("x.md"),
        memory.vocabulary(),
        memory.enrich(dry_run=True),
        memory.queue(),
        memory.work(),
        *memory.messages("trip"),
        staged := memory.recall("Where is my parcel?", staged=True, session_id="trip", receipt=True),
        memory.why(str(staged.receipt)),
        *memory.suggestions(min_frequency=1),
        memory.approve_term("gift cards"),
        memory.undo_approval("gift cards"),
        memory.reject_term("gift cards"),
        memory.import_vocabulary(memory.vocabulary(version="2024-01-15").text),
        *memory.vocabulary_history(),
        memory.retry_jobs(),
        memory.cancel_jobs(),
        memory.make_key("laptop", spaces=["user:ada"], read=["shared:*"], expires="90d", max_usd_per_day=1.5),
        *memory.keys(),
        memory.revoke_key("laptop"),
        memory.deepen_tree(4),
        memory.models(),
        memory.test_models(),
        memory.add_model(REPOSITORY / "crates/recordar-judge/tests/fixtures/bert-reranker", name="tiny"),
        memory.check_models(),
        memory.entail("A man is asleep on a bench.", "A person is asleep."),
        memory.models(),
        memory.remove_model("tiny"),
        memory.why_not(items[0], "harbour", min_score=1.0),
        *memory.receipts(),
        memory.extract_facts(),
        summed_up.summaries(),
        summed_up.summarise_threads(),
        memory.standing_text("rules"),
        memory.set_standing_text("rules", "Be brief."),
        memory.standing_text("rules"),
        memory.standing_text_history("rules"),
        memory.standing_text_diff("rules"),
        memory.important(items[1]),
        composed := memory.compose("Where is the harbour?", thread="trip", file=["x.md"], receipt=True),
        memory.compose_diff(str(composed.receipt)),
        memory.why(str(composed.receipt)),
        memory.remember("It is short.", about=["x.md"]),
        memory.items(filter=["kind=message"]),
        memory.facts(all=True),
        memory.correct_fact(memory.facts().facts[0].fact, "Faro"),
        memory.confirm_fact(memory.facts().facts[0].fact, review_by="2099-01-01"),
        memory.retire_fact(memory.facts().facts[0].fact),
        memory.restore_fact(memory.facts(all=True).facts[0].fact),
        memory.fact_history(memory.facts(all=True).facts[0].fact),
        memory.set_expiry(thread="trip", expires="2099-01-01"),
        *memory.expiries(),
        memory.expire(dry_run=True),
        memory.put_records([{"bucket": "a", "key": "k", "value": b"\xff"}, {"bucket": "a", "key": "t", "value": "text"}]),
        *memory.records("a"),
        memory.records("a", limit=1),
        *memory.buckets(),
        memory.buckets(),
        memory.delete_records("a"),
        memory.forget(items=[items[0]]),
        memory.operation("nope") if False else memory.remember("y", operation="op"),
        *memory.operation("op"),
        memory.export(tmp_path / "e.jsonl"),
        memory.import_(tmp_path / "e.jsonl"),
        memory.import_(tmp_path / "talk.txt"),
        memory.backup(tmp_path / "b.jsonl"),
        memory.restore(tmp_path / "b.jsonl"),
    ]
    for record in checked:
        check_fields(record, seen)
        json.dumps(record.to_dict())
        assert repr(record).startswith(type(record).__name__) and "</" in record._repr_html_()


def test_a12_both_clients_have_the_same_verbs_and_options() -> None:
    def verbs(client: type) -> dict[str, str]:
        public = {name: member for name, member in vars(client).items() if not name.startswith("_") and callable(member)}
        return {name: str(inspect.signature(member)) for name, member in public.items()}

    assert verbs(Recordar) == verbs(AsyncRecordar)
    check = subprocess.run([REPOSITORY / "scripts/make-async-client", "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stderr


# What a method has beside the arguments of its verb: where it works, and what it gives in another form.
OTHERWISE = {
    "remember": ({"messages", "operation"}, None),
    "ingest_file": (None, {"path": "paths"}),
    "document": (None, {"meta": "meta filename file_name topic note provider tags query"}),
    "retrieve_document_from_metadata": (None, {"meta": "meta filename file_name topic note provider tags query strict"}),
    "search_threads": (None, {"": "threads"}),
    "search": (None, {"": "threads"}),
}
# What is written to the whole store: done twice, it leaves the same, or says that it is done.
WITHOUT_ID = {"restore", "work", "import_vocabulary", "approve_term", "reject_term", "undo_approval", "reembed", "make_key", "revoke_key"}
VERBS = {"ingest_file": "ingest", "import_": "import", "search_threads": "search", "retrieve_document_from_metadata": "document"}


TABLE = {verb["name"]: verb for verb in json.loads(_native.verbs())}


def test_a12_the_options_are_those_of_the_table() -> None:
    """No option is missing here, none is made up, closed sets have the same words, and defaults are the same."""
    called = set()
    for name, method in vars(Recordar).items():
        if name.startswith("_") or not inspect.isfunction(method) or name == "close":
            continue
        verb = VERBS.get(name, name)
        called.add(verb)
        properties = TABLE[verb]["arguments"].get("properties", {})
        options = set(properties) | ({"file_name"} if "document" in name else set())
        if name != "operation":
            writes = TABLE[verb]["effect"] != "reads"
            assert ("operation" in options or verb in WITHOUT_ID) == writes, f"{name} writes, and needs an id"
        parameters = inspect.signature(method).parameters
        given = {parameter.removesuffix("_") for parameter in parameters} - {"self", "space", "user_id"}
        only, renamed = OTHERWISE.get(name, (None, None))
        for theirs, ours in (renamed or {}).items():
            given = given - {theirs} | set(ours.split())
        expected = only if only is not None else options
        found = given & expected if only is not None else given
        if name in ("document", "retrieve_document_from_metadata", "document_text", "document_versions", "document_diff", "documents",
                    "tag_document", "untag_document", "set_document", "move_document"):
            found, expected = found - {"file_name"}, expected - {"file_name"}
        assert found == expected, f"{name}: {found ^ expected}"
        for option, hint in get_type_hints(method).items():
            words = properties.get(option, {}).get("enum")
            literals = [get_args(part) for part in (hint, *get_args(hint)) if get_origin(part) is Literal]
            if words and literals:
                assert set(literals[0]) == set(words), f"{name}.{option}"
        for option, parameter in parameters.items():
            default = properties.get(option, {}).get("default")
            # Nothing said is left to the engine.
            if parameter.default not in (inspect.Parameter.empty, None):
                assert parameter.default == default, f"{name}.{option}: {parameter.default!r}, and {default!r} in the table"
    assert called == set(TABLE), f"{called ^ set(TABLE)} are not in both"
    message = TABLE["remember"]["arguments"]["$defs"]["Message"]["properties"]
    assert set(message) - {"text"} == set(inspect.signature(Recordar.remember).parameters) - {
        "self", "messages", "operation", "space", "user_id"
    }
    assert set(get_args(_client.Role)) == set(message["role"]["enum"])
    assert set(get_args(_client.Kind)) == set(message["kind"]["enum"])


KINDS = {"string": (str, datetime), "integer": (int,), "number": (float, int), "boolean": (bool,), "object": (dict,)}


class Shapes:
    """Holds classes of results against the JSON schema of a reply."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.definitions = schema.get("$defs", {})
        self.wrong: list[str] = []
        self.seen: set[type[Record]] = set()

    def resolved(self, schema: Any) -> dict[str, Any]:
        # `true` is whatever there is.
        if schema is True:
            return {}
        while "$ref" in schema:
            schema = self.definitions[schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def fields(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Those of the object itself, and of what is flattened into it."""
        schema = self.resolved(schema)
        parts = [self.fields(part) for part in schema.get("allOf", [])]
        return {name: field for part in (*parts, schema.get("properties", {})) for name, field in part.items()}

    def check(self, hint: Any, schema: Any, place: str) -> None:
        schema = self.resolved(schema)
        options = [self.resolved(option) for option in schema.get("anyOf", schema.get("oneOf", []))]
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if get_origin(hint) in (Union, types.UnionType):
            (hint,) = (option for option in get_args(hint) if option is not type(None))
            options = [option for option in options if option.get("type") != "null"]
        elif "null" in kinds or {"type": "null"} in options:
            self.wrong.append(f"{place} may be null, and its class does not say so")
        kinds = [kind for kind in kinds if kind != "null"]
        if len(options) == 1:
            return self.check(hint, options[0], place)
        if get_origin(hint) in (list, Records):
            if kinds != ["array"]:
                return self.wrong.append(f"{place} is no list: {schema}")
            return self.check(get_args(hint)[0], schema["items"], f"{place}[]")
        if isinstance(hint, type) and issubclass(hint, Record):
            return self.check_record(hint, schema, place)
        if options and all("const" in option or "enum" in option for option in options):
            kinds = ["string"]
        expected = get_origin(hint) or hint
        if hint is not Any and kinds and expected not in KINDS.get(kinds[0], ()):
            self.wrong.append(f"{place} is {kinds}, and {hint} here")

    def check_record(self, record: type[Record], schema: dict[str, Any], place: str) -> None:
        # A category has categories below it.
        if record in self.seen:
            return
        self.seen.add(record)
        fields = self.fields(schema)
        hints = {name: hint for name, hint in get_type_hints(record).items() if not name.startswith("_")}
        names = {name.removesuffix("_") for name in hints}
        if names != set(fields):
            self.wrong.append(f"{place} ({record.__name__}): {sorted(names ^ set(fields))} are not in both")
        for name, hint in hints.items():
            if (field := fields.get(name.removesuffix("_"))) is not None:
                self.check(hint, field, f"{place}.{name}")


def test_a12_the_classes_of_results_are_those_of_the_table() -> None:
    """Every field of every reply, with its kind: a class that lags behind the engine is found here."""
    seen: set[type[Record]] = set()
    for name, method in vars(Recordar).items():
        if name.startswith("_") or not inspect.isfunction(method) or name in ("close", "retrieve_document_from_metadata"):
            continue
        schema = TABLE[VERBS.get(name, name)]["reply"]
        # One verb with two replies.
        if name in ("search", "search_threads"):
            reply = {"search": "SearchResult", "search_threads": "ThreadSearchResult"}[name]
            schema = {"$defs": schema["$defs"], "$ref": f"#/$defs/{reply}"}
        shapes = Shapes(schema)
        shapes.check(get_type_hints(method)["return"], schema, name)
        assert not shapes.wrong, "\n".join(shapes.wrong)
        seen |= shapes.seen
    defined = {kind for kind in vars(results).values() if isinstance(kind, type) and issubclass(kind, Record)}
    assert defined - seen - {Record} == set(), "every class is of some reply"
    shapes = Shapes({})
    shapes.check(int, {"type": "string"}, "planted")
    shapes.check(Records[Record], {"type": "object"}, "planted")
    shapes.check(str, {"type": ["string", "null"]}, "planted")
    assert len(shapes.wrong) == 3, "a check that finds nothing is worth something only if it would find something"


def test_the_wheel_is_for_every_newer_python() -> None:
    from importlib.metadata import distribution

    wheel = distribution("recordar").read_text("WHEEL")
    assert wheel and "Tag: cp310-abi3-" in wheel, wheel


def test_results_render_as_tables_and_hide_no_script(sqlite: str) -> None:
    memory = Recordar(sqlite)
    memory.remember("The <script>alert('train')</script> train & the harbour.", thread="<b>")
    for result in [memory.recall("train"), memory.search("train"), memory.threads(), memory.messages("<b>"), memory.search("train").trace]:
        html = result._repr_html_()
        assert html.count("<table>") >= 1 and "<script>" not in html and "<b>" not in html
    assert "&lt;script&gt;" in memory.recall("train")._repr_html_()
    assert Records()._repr_html_() == "<p>nothing</p>"


def test_results_cannot_be_changed_and_can_be_compared_and_pickled(sqlite: str) -> None:
    import pickle

    memory = Recordar(sqlite)
    memory.remember("The train.")
    found = memory.recall("train")
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(AttributeError, match="cannot be changed"):
        found.text = "x"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="has no field 'txt'; it has"):
        found.txt
    assert found.memories is found.memories
    found.to_dict()["text"] = "x"
    assert found.to_dict()["text"] == found.text != "x", "a copy"
