"""The category tree: documents are classified on the way in, and found by descent on the way out (A4–A12)."""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path
from typing import Any

import pytest
from conftest import TEXTS, ModelServer, path_of

from recordar import AsyncRecordar, Recordar, errors

QUESTION = "When do the bees give honey?"
HELPER = {"date": "2026-01-31", "author": "Ada", "topic": "trains", "description": "When trains leave."}


def fill(memory: Any) -> None:
    for name, text in TEXTS.items():
        memory.ingest_text(text, name=name)


def paths_of(result: Any) -> list[str]:
    return [" > ".join(path.category_path) for path in result.paths]


def configured(folder: Path, text: str) -> Path:
    path = folder / "recordar.toml"
    path.write_text(text)
    return path


def test_a12_r6_2_ingest_text_finds_a_leaf_for_every_chunk(memory: Any) -> None:
    report = memory.ingest_text(TEXTS["lamps.md"], name="lamps.md")
    assert (report.totals.chunks, report.totals.classified, report.totals.unclassified) == (1, 1, 0)
    (file,) = report.files
    assert (file.classified, file.unclassified, file.model_problem) == (1, 0, None)
    assert file.helper.origin == "generated" and not file.helper.reused and file.helper.tokens > 0
    assert not report.batches and not report.responses, "no model was asked"
    assert memory.ingest_text("# Later\n\nThis one waits.", name="later.md", classify=False).totals.classified == 0
    assert (memory.tree().chunks, memory.tree().unclassified) == (1, 1)
    waited = memory.classify()
    assert (waited.classified, waited.unclassified, waited.documents[0].path) == (1, 0, "later.md")
    assert memory.tree().unclassified == 0


def test_a12_r6_3_query_finds_what_the_question_leads_to(memory: Any) -> None:
    fill(memory)
    found = memory.query(QUESTION, strategy="one_shot")
    assert (found.status, found.space, found.method) == ("ok", "user:ada", "built_in")
    (chunk,) = found.chunks
    assert chunk.document == "bees.md" and "honey in June" in chunk.text_content
    assert chunk.category_path == found.paths[0].category_path and len(chunk.category_path) == 3
    assert chunk.created_at.tzinfo is not None and chunk.ranked_relevance == found.paths[0].ranks[-1]
    (call,) = found.responses
    assert (call.level, call.under, call.outcome, call.model) == (1, [], "ok", None), "below there is one way only"
    assert [one.to_dict() for one in call.llm_output] == [{"category": chunk.category_path[0], "ranked_relevance": 1}]
    assert found.total_latency > 0 and found.next is None and {stage.name for stage in found.trace.stages} == {
        "question", "hybrid", "descend", "retrieve"
    }
    answered = memory.ask(QUESTION, route="tree", strategy="one_shot")
    assert (answered.route, answered.method, answered.used_chunks[0].chunk_id) == ("tree", "built_in", chunk.chunk_id)
    assert "honey" in str(answered) and answered.citations[0].document == "bees.md"


def test_a12_r6_4_and_6_5_results_have_a_status_and_errors_what_to_do(memory: Any) -> None:
    memory.remember("Nothing of this is in a document.")
    with pytest.raises(errors.NotFoundError, match="nothing in user:ada is classified yet") as absent:
        memory.query(QUESTION)
    assert (absent.value.code, absent.value.details) == ("no_tree", None) and "classify" in absent.value.remedy
    fill(memory)
    assert memory.query(QUESTION, strategy="one_shot").status == "ok"
    memory.ingest_text("Chess is a game of kings and pawns on a board of squares.", name="bees.md")
    assert memory.query(QUESTION, n=128).status == "ok", "a category that nothing hangs on any more is not offered"
    again = pickle.loads(pickle.dumps(absent.value))
    assert (again.code, again.details) == (absent.value.code, absent.value.details)
    for wrong, words in [
        (lambda: memory.query(QUESTION, strategy="magic"), "strategy"),
        (lambda: memory.query(QUESTION, n=0), "n 0 is out of range"),
        (lambda: memory.query(QUESTION, limit=0), "limit is out of range"),
        (lambda: memory.query(QUESTION, after="somewhere"), "not a cursor of this query"),
        (lambda: memory.ask(QUESTION, route="tree", dry_run=True), "dry_run does not apply"),
        (lambda: memory.ask(QUESTION, route="tree", also=["shared:x"]), "searches one space"),
        (lambda: memory.helper("lamps.md", helper={"text": "x", "topic": "y"}), "not both"),
        (lambda: memory.helper("lamps.md", helper={"texts": "x"}), "texts"),
        (lambda: memory.deepen_tree(101), "depth"),
    ]:
        with pytest.raises(errors.InvalidError, match=f"(?s){words}"):
            wrong()


def test_a12_r6_6_both_synchronous_and_asynchronous(database: str) -> None:
    memory = Recordar(database, user_id="ada")
    fill(memory)

    async def main() -> tuple[Any, Any, Any]:
        async with AsyncRecordar(database, user_id="ada") as awaited:
            return await asyncio.gather(awaited.query(QUESTION), awaited.ask(QUESTION, route="tree"), awaited.tree())

    def fixed(result: Any) -> dict[str, Any]:
        measured = {"total_latency", "responses"}
        return {name: value for name, value in result.to_dict().items() if name not in measured}

    found, answered, tree = asyncio.run(main())
    assert fixed(found) == fixed(memory.query(QUESTION))
    assert fixed(answered) == fixed(memory.ask(QUESTION, route="tree"))
    assert tree == memory.tree()


def test_a8_pages_of_chunks_are_the_whole_in_order(memory: Any) -> None:
    fill(memory)
    long = "\n\n".join(f"# Bees {n}\n\n" + f"The bees of hive {n} give honey in June and bees sleep in winter. " * 30 for n in range(5))
    assert memory.ingest_text(long, name="hives.md").totals.classified > 2
    whole = memory.query(QUESTION)
    assert whole.next is None and len(whole.chunks) > 3
    assert "honey" in whole.chunks[0].text_content, "what matches best comes first"
    assert sum(path.chunks for path in whole.paths) == len(whole.chunks)
    read, after = [], None
    while True:
        page = memory.query(QUESTION, limit=2, after=after)
        read += [chunk.chunk_id for chunk in page.chunks]
        after = page.next
        if after is None:
            break
    assert read == [chunk.chunk_id for chunk in whole.chunks]
    of_each = memory.query(QUESTION, limit_per_path=1)
    assert {path.chunks for path in of_each.paths} == {1}


def test_a9_strategies_follow_as_many_as_they_say(memory: Any) -> None:
    fill(memory)
    assert memory.query(QUESTION).traversal.to_dict() == {
        "strategy": "wide_branch", "n": 3, "n2": 0, "max_per_level": 128, "max_paths": 64
    }
    assert len(memory.query(QUESTION, strategy="one_shot").paths) == 1
    for strategy in ("zoom_in", "branch_out"):
        traversal = memory.query(QUESTION, strategy=strategy, max_per_level=9).traversal
        assert (traversal.n, traversal.n2, traversal.max_per_level) == (6, 2, 9)
    wide = memory.query(QUESTION, n=6)
    assert len(wide.paths) == 3
    narrow = memory.query(QUESTION, n=6, max_paths=1)
    assert (narrow.status, paths_of(narrow)) == ("partial", paths_of(wide)[:1])
    assert {path.reason for path in narrow.dropped_paths} == {"max_paths"}


def test_a10_an_answer_keeps_to_its_budget(memory: Any) -> None:
    fill(memory)
    whole = memory.ask(QUESTION, n=6)
    assert whole.route == "tree" and len(whole.used_chunks) == 3 and not whole.dropped_paths
    assert whole.total_latency > 0 and not whole.memories
    with pytest.raises(errors.InvalidError, match="max_token_budget") as small:
        memory.ask(QUESTION, n=6, max_token_budget=20)
    assert small.value.code == "budget_exceeded" and small.value.details is not None
    assert small.value.details["paths"]["considered"] == [], "it is refused before anything is looked for"
    budget = next(
        budget for budget in range(120, 600, 10) if len(_used(memory, budget)) in (1, 2)
    )
    pruned = memory.ask(QUESTION, n=6, max_token_budget=budget, use_rankings=True)
    assert {path.reason for path in pruned.dropped_paths} == {"max_token_budget"}
    assert pruned.used_chunks[0].document == "bees.md", "the best path is kept"


def _used(memory: Any, budget: int) -> list[Any]:
    try:
        return list(memory.ask(QUESTION, n=6, max_token_budget=budget).used_chunks)
    except errors.InvalidError:
        return []


def test_a11_summaries_stand_for_chunks_where_that_is_asked_for(memory: Any) -> None:
    long = "# Bees\n\n" + " ".join(f"The bees of hive {n} give honey in June." for n in range(30))
    memory.ingest_text(long, name="bees.md")
    fits = memory.ask(QUESTION, prompt_limiting_strategy="summarize")
    assert [chunk.summarized for chunk in fits.used_chunks] == [False]
    shortened = memory.ask(QUESTION, prompt_limiting_strategy="summarize", max_token_budget=400)
    assert {chunk.summarized for chunk in shortened.used_chunks} == {True} and not shortened.dropped_paths
    assert "summarize" in [stage.name for stage in shortened.trace.stages]


@pytest.mark.embedded("the configuration is the server's")
def test_a6_a_missing_helper_is_asked_for_before_anything_is_stored(sqlite: str, tmp_path: Path) -> None:
    config = configured(tmp_path, "[ingest]\nauto_source_identification = false\n")
    (tmp_path / "bees.md").write_text(TEXTS["bees.md"])
    memory = Recordar(sqlite, config=config)
    for ingest in (
        lambda: memory.ingest_text(TEXTS["lamps.md"], name="lamps.md"),
        lambda: memory.ingest_file(tmp_path / "bees.md"),
    ):
        with pytest.raises(errors.InvalidError, match="date, author, topic and description are missing") as missing:
            ingest()
        assert missing.value.code == "helper_missing" and "unknown" in missing.value.remedy
    with pytest.raises(errors.InvalidError, match="is missing topic, description"):
        memory.ingest_text(TEXTS["lamps.md"], name="lamps.md", helper={"date": "2026-01-31", "author": "Ada"})
    with pytest.raises(errors.InvalidError, match="31 January"):
        memory.ingest_text(TEXTS["lamps.md"], name="lamps.md", helper={**HELPER, "date": "31 January"})
    assert memory.documents() == []
    report = memory.ingest_text(TEXTS["lamps.md"], name="lamps.md", helper=HELPER)
    assert report.files[0].helper is not None
    assert (report.files[0].helper.origin, report.files[0].helper.text) == (
        "user", "Author: Ada. Date: 2026-01-31. Topic: trains. When trains leave."
    )
    assert memory.ingest_text(TEXTS["lamps.md"] + " More.", name="lamps.md").totals.updated == 1, "it is known by now"


def test_a6_a_given_helper_is_kept_and_a_generated_one_made_anew(memory: Any) -> None:
    fill(memory)
    first = memory.helper("lamps.md")
    assert (first.document, first.helper.origin, len(first.versions)) == ("lamps.md", "generated", 1)
    assert str(first) == first.helper.text == first.versions[0].text
    memory.ingest_text("# Lanterns\n\nA lantern hangs at the pier. The glass of the lantern is green.", name="lamps.md")
    assert memory.helper("lamps.md").helper.reused, "it is made once"
    anew = memory.helper("lamps.md", regenerate=True)
    assert "antern" in anew.helper.text and [version.is_live for version in anew.versions] == [False, True]
    given = memory.helper("lamps.md", helper={"text": "Notes of the keeper."}, operation="give")
    assert (str(given), given.helper.origin, len(given.versions)) == ("Notes of the keeper.", "user", 3)
    assert len(memory.helper("lamps.md", helper={"text": "Notes of the keeper."}, operation="give").versions) == 3
    report = memory.ingest_text(TEXTS["lamps.md"], name="lamps.md", regenerate_helper=True)
    assert report.files[0].helper.text == "Notes of the keeper."
    assert "lamp" in str(memory.helper("lamps.md", regenerate=True)).lower(), "by its name, a generated one comes back"
    with pytest.raises(errors.NotFoundError):
        memory.helper("nothing.md")


def test_a7_tree_edits(memory: Any) -> None:
    fill(memory)
    tree = memory.tree()
    assert (tree.depth, tree.chunks, tree.categories) == (3, 3, len(list(tree)))
    assert [(level.level, level.limit) for level in tree.levels] == [(1, 128), (2, 128), (3, 128)]
    assert sum(root.chunks for root in tree.roots) == 3
    names = [root.name for root in tree.roots]
    assert len(names) == 3, tree
    first, second, third = tree.roots
    edited = memory.rename_category(names[0], "Light")
    assert (edited.edit, edited.category_id, edited.repeated) == ("rename", first.id, False)
    child = first.children[0]
    moved = memory.move_category(f"Light > {child.name}", second.id)
    assert (moved.edit, moved.category_id) == ("move", child.id)
    merged = memory.merge_categories(third.id, second.id, operation="merge")
    assert (merged.edit, merged.category_id, merged.merged_categories >= 1) == ("merge", second.id, True)
    assert memory.merge_categories(third.id, second.id, operation="merge").repeated
    after = memory.tree()
    assert [(root.name, root.chunks) for root in after.roots] == [(names[1], 3)], "a name that nothing is left under is gone"
    assert {one.id for one in after} < {one.id for one in tree}
    assert str(after).splitlines()[0] == f"{names[1]} (3)" and f"  {child.name} (1)" in str(after)
    assert {chunk.document for chunk in memory.query(QUESTION, n=9).chunks} == set(TEXTS), "the chunks follow"
    with pytest.raises(errors.NotFoundError, match="Nowhere"):
        memory.rename_category("Nowhere", "x")
    with pytest.raises(errors.RecordarError):
        memory.rename_category(second.id, "a > b")


def test_a7_a_tree_as_deep_as_can_be(memory: Any) -> None:
    memory.ingest_text(TEXTS["bees.md"], name="bees.md")
    assert memory.deepen_tree(100).depth == 100
    tree = memory.tree()
    assert [one.level for one in tree] == list(range(1, 101)) and len(str(tree).splitlines()) == 100
    assert pickle.loads(pickle.dumps(tree)) == tree and "<pre>" in tree._repr_html_() and "id=" in repr(tree.roots)
    assert len(memory.query(QUESTION).chunks[0].category_path) == 100


@pytest.mark.embedded("the configuration is the server's")
def test_a5_a_model_classifies_selects_and_answers(model: ModelServer, sqlite: str) -> None:
    memory = Recordar(sqlite, config=model.config())
    train = "The train to Lisbon leaves at 8:15."
    report = memory.ingest_text(train, name="trains.md")
    assert {batch.method for batch in report.batches} == {"model"} and len(report.responses) == 4 == model.requests
    assert report.files[0].helper is not None and report.files[0].helper.tokens_used == 70
    assert report.files[0].helper.text == "Author: Ada. Date: 2026-01-31. Topic: trains. When trains leave."
    memory.ingest_text("The lamp is in the hall.", name="lamp.md")
    assert [one.name for one in memory.tree()] == path_of(train) + path_of("lamp")
    found = memory.query("When does the train leave?", strategy="wide_branch")
    assert found.method == "model" and {tuple(chunk.category_path) for chunk in found.chunks} == {
        tuple(path_of(text)) for text in ("lamp", train)
    }
    assert [(call.model, call.tokens_prompt, len(call.llm_output)) for call in found.responses] == [("compatible small", 50, 2)]
    answered = memory.ask("When does the train leave?", route="tree")
    assert (str(answered), answered.method, len(answered.responses)) == ("At 8:15.", "model", 2)


@pytest.mark.embedded("the configuration is the server's")
def test_a5_what_a_model_did_not_classify_waits(model: ModelServer, sqlite: str) -> None:
    memory = Recordar(sqlite, config=model.config())
    model.fail(500)
    report = memory.ingest_text("The train to Lisbon leaves at 8:15.", name="trains.md")
    assert (report.totals.added, report.totals.classified, report.totals.unclassified) == (1, 0, 1)
    assert report.files[0].model_problem is not None and report.files[0].warnings
    assert memory.search("train").hits[0].document == "trains.md", "it is stored and found all the same"
    waiting = memory.classify()
    assert (waiting.classified, waiting.unclassified) == (0, 1) and waiting.documents[0].model_problem is not None
    model.status = 200
    done = memory.classify()
    assert (done.classified, done.unclassified, done.documents[0].warnings) == (1, 0, [])
    assert done.documents[0].helper is not None and done.responses and done.batches


@pytest.mark.embedded("the configuration is the server's")
def test_r7a_mistakes_of_a_configuration_are_told_one_by_one(sqlite: str, tmp_path: Path) -> None:
    config = configured(tmp_path, "[tree]\nhierarchy_depth = 101\nbatch_size = 0\n")
    with pytest.raises(errors.ConfigurationError) as wrong:
        Recordar(sqlite, config=config)
    assert wrong.value.details is not None
    mistakes = {mistake["key"]: mistake for mistake in wrong.value.details["mistakes"]}
    assert set(mistakes) == {"tree.hierarchy_depth", "tree.batch_size"}
    assert all(mistake["fix"] and mistake["allowed"] for mistake in mistakes.values())
