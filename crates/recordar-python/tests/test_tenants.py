"""Two tenants on one database, through every face: neither learns anything of the other, not even how much there is of it.

Each call of ada's is made twice: on a database that bob uses as well, and on one that he does not. Whatever she is told has to be the
same. RECORDAR_SOAK makes it ten thousand calls instead of a few hundred.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from recordar import Recordar, RecordarError, _native
from recordar.langchain import RecordarRetriever as LangChainRetriever
from recordar.llama_index import RecordarRetriever as LlamaIndexRetriever

pytestmark = pytest.mark.embedded("each tenant has a configuration of its own")

CALLS = 10_000 if os.environ.get("RECORDAR_SOAK") else 400
FACES = {"python": 0.45, "mcp": 0.2, "command": 0.1, "langchain": 0.125, "llama_index": 0.125}
# What reaches all spaces or files is the administrator's, and no tenant's.
ADMINISTRATION = {
    "spaces", "models", "test_models", "export", "import", "backup", "restore", "ingest", "reembed", "work", "queue", "metrics",
    "add_model", "check_models", "remove_model", "make_key", "keys", "revoke_key",
    "vocabulary", "vocabulary_history", "import_vocabulary", "suggestions", "approve_term", "reject_term", "undo_approval",
}
SUBJECTS = ["harbour", "lamp", "bees", "train", "violin", "bread", "clouds", "chess"]
CONFIG = "receipts.enabled = true\n[recall]\nper_minute = 0\ncache_seconds = 0\n"
# HIDDEN is in everything of bob's, and ada never says it. BOBNAME and BOBTEXT she guesses.


VOLATILE = re.compile("latency|timing|elapsed|_time$|_ms$|_s$|^receipt$|^id$|^made_at$|^database$")


class Tenants:
    """Ada beside bob, ada alone, and what is drawn for them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.draw = random.Random(seed)
        self.folders = [folder / "both", folder / "alone"]
        for one in self.folders:
            one.mkdir()
            (one / "recordar.toml").write_text(CONFIG)
        self.memories = [Recordar(f"sqlite:{one / 'memory.db'}", config=one / "recordar.toml", user_id="ada") for one in self.folders]
        self.receipts: list[str] = []
        self.operations: list[str] = []
        self.bobs_messages = self.bobs_documents = 0
        self.writes = 0

    def bob(self) -> None:
        """Bob stores something, and recalls it, so that there is a receipt to guess."""
        subject, number = self.draw.choice(SUBJECTS), self.bobs_messages
        memory, where = self.memories[0], {"user_id": "bob"}
        said = f"HIDDEN BOBTEXT keeps the {subject} number {number}."
        memory.remember(said, thread=self.draw.choice(["trip", "BOBNAME talk"]), speaker="HIDDEN BOBNAME", operation=f"bob-{number}", **where)
        self.bobs_messages += 1
        memory.set_standing_text("rules", said, **where)
        memory.put_records([{"bucket": bucket, "key": subject, "value": said} for bucket in ("talk", "BOBNAME")], **where)
        if number % 5 == 0:
            memory.ingest_text(f"# BOBTEXT {subject}\n\n{said}\n", name=f"BOBNAME/{subject}-{number}.md", tags=["BOBTAG", "HIDDEN"], **where)
            memory.ingest_text(f"# {subject}\n\n{said}\n", name=f"{subject}.md", topic="BOBNAME topic HIDDEN", **where)
            self.receipts.append(str(memory.recall(f"who keeps the {subject}?", receipt=True, **where).receipt))
            self.bobs_documents = len(memory.documents(**where))

    def call(self) -> tuple[str, dict[str, Any]]:
        """A verb and arguments for it, among them names, ids and receipts of bob's."""
        draw = self.draw
        subject = draw.choice(SUBJECTS)
        query = draw.choice([f"who keeps the {subject}?", subject, "BOBTEXT", f"BOBNAME {subject}", "what is there?"])
        name = draw.choice([f"{subject}.md", f"BOBNAME/{subject}-0.md", f"notes/{subject}.md", "id:1", "id:2", "id:9"])
        thread = draw.choice(["trip", "BOBNAME talk", "bees", "nothing"])
        item, receipt = draw.randint(1, 60), draw.choice([*self.receipts, "0123456789abcdef"])
        self.writes += 1
        write = {"operation": f"ada-{self.writes}"}
        category = draw.choice([str(draw.randint(1, 30)), subject, "BOBNAME topic"])
        message = {"text": f"Ada likes the {subject}, for the {self.writes}th time.", "time": "2026-01-31T09:30:00Z"}
        recall = {"query": query, "asked_at": "2026-02-01T00:00:00Z"}
        calls: list[tuple[str, dict[str, Any]]] = [
            ("remember", {"messages": [{**message, "thread": draw.choice(["trip", "bees"])}], **write}),
            ("ingest_text", {"text": f"# {subject}\n\n{message['text']}\n", "name": f"{subject}.md", "mtime": message["time"], **write}),
            ("recall", recall), ("ask", recall), ("compose", recall), ("compose", {**recall, "thread": thread, "file": [name]}), ("compose", {**recall, "off": [name]}), ("compose_diff", {"receipt": receipt}), ("search", {**recall, "limit": draw.randint(1, 50)}),
            ("search", {**recall, "threads": True}), ("query", {"query": query}), ("document", {"query": query}),
            ("document", {"filename": name}), ("document", {"tags": ["BOBTAG"]}), ("documents", {}), ("document_text", {"name": name}),
            ("document_versions", {"name": name}), ("document_diff", {"name": name}), ("tag_document", {"name": name, "tags": ["adatag"], **write}), ("untag_document", {"name": name, "tags": ["adatag"], **write}),
            ("set_document", {"name": name, "topic": subject, **write}), ("move_document", {"name": name, "to": f"moved/{subject}.md", **write}), ("threads", {}), ("messages", {"thread": thread}),
            ("messages", {}), ("item", {"item": item}), ("item", {"id": "BOBNAME"}), ("items", {"kind": "message"}), ("items", {"filter": [f"thread={thread}", "!tag=BOBTAG"]}),
            ("search", {**recall, "filter": ["!speaker=BOBNAME", "kind=message"]}), ("documents", {"filter": ["tag=BOBTAG"], "limit": 5}),
            ("update", {"item": item, "text": message["text"], **write}), ("history", {"item": item}), ("history", {"id": "BOBNAME"}),
            ("items", {"items": [item], "ids": ["BOBNAME"]}), ("forget", {"ids": ["BOBNAME"], **write}), ("tree", {}), ("classify", write), ("rename_category", {"category": category, "name": f"{subject} things", **write}),
            ("merge_categories", {"category": category, "into": str(draw.randint(1, 30)), **write}),
            ("move_category", {"category": category, "under": str(draw.randint(1, 30)), **write}), ("deepen_tree", {"depth": 3, **write}),
            ("helper", {"name": name}), ("why", {"receipt": receipt}), ("why_not", {"item": item, **recall}), ("receipts", {}),
            ("operation", {"operation": draw.choice([f"bob-{draw.randint(0, 20)}", "ada-1"])}),
            ("forget", {"dry_run": True, "document": name}), ("forget", {"dry_run": True, "thread": thread}),
            ("recall", {**recall, "staged": True, "preview": True, "session_id": thread}), ("search", {**recall, "topics": ["shipping"]}),
            ("enrich", {"outdated": True, **write}), ("expiries", {}), ("expire", write), ("facts", {"all": True}), ("facts", {"subject": "BOBNAME"}), ("fact_history", {"fact": item}), ("retire_fact", {"fact": item, **write}), ("restore_fact", {"fact": item, **write}),
            ("correct_fact", {"fact": item, "value": subject, **write}), ("confirm_fact", {"fact": item, "review_by": "2099-01-01", **write}), ("facts", {"unverified": True}), ("extract_facts", write), ("summaries", {"thread": thread}), ("summaries", {}), ("summarise_threads", write),
            ("set_standing_text", {"kind": "rules", "text": message["text"], **write}), ("standing_text", {"kind": "rules"}), ("standing_text_history", {"kind": "rules"}), ("standing_text_diff", {"kind": "rules"}), ("important", {"item": item, **write}), ("entail", {"passage": message["text"], "statement": query}),
            ("set_expiry", {draw.choice(["thread", "tag", "id"]): draw.choice([thread, "BOBTAG", "BOBNAME"]), "expires": "2099-01-01", **write}), ("retry_jobs", write), ("cancel_jobs", write),
            ("put_records", {"records": [{"bucket": draw.choice(["talk", "BOBNAME"]), "key": subject, "text": message["text"]}], **write}),
            ("records", {"bucket": draw.choice(["talk", "BOBNAME"])}), ("buckets", {}), ("delete_records", {"bucket": draw.choice(["talk", "BOBNAME"]), **write}),
            ("forget", {"items": [item], **write}), ("forget", {"receipts": [receipt], **write}),
            ("forget", {draw.choice(["document", "thread"]): draw.choice([name, thread]), **write}),
        ]
        # Each once, so that none is left out by luck.
        return calls[self.writes] if self.writes < len(calls) else draw.choice(calls)


def scrubbed(reply: Any) -> Any:
    """Without what is never the same twice: times, durations, and the ids of receipts and operations, which are made of them."""
    if isinstance(reply, dict):
        return {name: scrubbed(value) for name, value in reply.items() if not VOLATILE.search(name)}
    if isinstance(reply, list):
        return [scrubbed(value) for value in reply]
    if isinstance(reply, float):
        return round(reply, 3)
    if isinstance(reply, str):
        reply = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", reply)
        reply = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID", reply)
        return re.sub(r"\b[0-9a-f]{16,64}\b", "DIGEST", re.sub(r"\b\d+\.\d+\b", "NUMBER", reply))
    return reply


def by_python(memory: Recordar, verb: str, arguments: dict[str, Any]) -> Any:
    given = dict(arguments)
    if verb == "search" and given.pop("threads", False):
        verb = "search_threads"
    if verb == "document":
        given = {"meta": given}
    try:
        reply = getattr(memory, verb)(**given)
    except RecordarError as error:
        return {"error": type(error).__name__, "what": str(error)}
    return json.loads(json.dumps(reply, default=lambda record: record.to_dict() if hasattr(record, "to_dict") else str(record)))


# How a verb is called on the command line: its words, and the arguments that are given by their place.
COMMANDS: dict[str, tuple[list[str], list[str]]] = {
    "recall": (["recall"], ["query"]), "ask": (["ask"], ["query"]), "compose": (["compose"], ["query"]), "compose_diff": (["compose", "--diff"], ["receipt"]), "search": (["search"], ["query"]), "query": (["query"], ["query"]),
    "document": (["doc", "get"], ["filename"]), "documents": (["doc", "list"], []), "document_text": (["doc", "show"], ["name"]),
    "document_versions": (["doc", "versions"], ["name"]), "document_diff": (["doc", "diff"], ["name"]),
    "tag_document": (["doc", "tag"], ["name", "tags"]), "untag_document": (["doc", "untag"], ["name", "tags"]), "set_document": (["doc", "set"], ["name"]),
    "move_document": (["doc", "move"], ["name", "to"]), "threads": (["thread", "list"], []),
    "messages": (["thread", "show"], ["thread"]), "tree": (["tree"], []), "classify": (["classify"], []), "helper": (["helper"], ["name"]),
    "rename_category": (["tree", "rename"], ["category", "name"]), "merge_categories": (["tree", "merge"], ["category", "into"]),
    "move_category": (["tree", "move"], ["category", "under"]), "deepen_tree": (["tree", "deepen"], ["depth"]), "why": (["why"], ["receipt"]),
    "why_not": (["why-not"], ["item", "query"]), "receipts": (["receipts", "list"], []), "operation": (["operation"], ["operation"]),
    "item": (["item", "get"], ["item"]), "items": (["item", "list"], []),
    "update": (["item", "update"], ["item"]), "history": (["item", "history"], ["item"]),
    "enrich": (["enrich"], []), "retry_jobs": (["queue", "retry"], []), "cancel_jobs": (["queue", "cancel"], []),
    "set_expiry": (["expiry", "set"], []), "expiries": (["expiry", "list"], []), "expire": (["expire"], []),
    "facts": (["facts", "list"], []), "fact_history": (["facts", "history"], ["fact"]), "extract_facts": (["facts", "extract"], []), "summaries": (["summaries", "list"], []), "summarise_threads": (["summaries", "make"], []),
    "set_standing_text": (["rules", "set"], ["text"]), "standing_text": (["rules", "show"], []), "standing_text_history": (["rules", "history"], []), "standing_text_diff": (["rules", "diff"], []), "important": (["important"], ["item"]),
    "retire_fact": (["facts", "retire"], ["fact"]), "restore_fact": (["facts", "restore"], ["fact"]), "correct_fact": (["facts", "correct"], ["fact", "value"]), "confirm_fact": (["facts", "confirm"], ["fact"]),
    "entail": (["entail"], ["passage", "statement"]), "records": (["record", "list"], ["bucket"]), "buckets": (["record", "buckets"], []),
    "delete_records": (["record", "delete"], ["bucket"]),
}  # fmt: skip


def words_of(verb: str, arguments: dict[str, Any]) -> list[str]:
    given = dict(arguments)
    if verb == "remember":
        [message] = given.pop("messages")
        return ["remember", message.pop("text"), *options({**message, **given})]
    if verb == "put_records":
        [record] = given.pop("records")
        return ["record", "put", *options(given), "--", record["bucket"], record["key"], record["text"]]
    if verb == "ingest_text":
        return ["ingest", "-", *options({"name": given["name"], "operation": given["operation"]})]
    if verb == "forget":
        if ids := given.pop("ids", None):
            return ["forget", "item", "--yes", *options({"id": ids, **given})]
        [kind] = {"items", "document", "thread", "receipts"} & set(given)
        what = given.pop(kind)
        target = {"items": "item", "receipts": "receipt"}.get(kind, kind)
        sure = {} if given.get("dry_run") else {"yes": True}
        return ["forget", target, *options({**given, **sure}), "--", *map(str, what if isinstance(what, list) else [what])]
    words, places = COMMANDS[verb]
    if "standing_text" in verb:
        given.pop("kind")  # The command says which.
    placed = [str(given.pop(place)) for place in places if place in given]
    return [*words, *options(given), *(["--", *placed] if placed else [])]


def options(given: dict[str, Any]) -> list[str]:
    words: list[str] = []
    for name, value in given.items():
        flag = {"tags": "--tag", "topics": "--topic", "ids": "--id", "items": "--item"}.get(name, f"--{name.replace('_', '-')}")
        for one in value if isinstance(value, list) else [value]:
            words += [flag] if one is True else [flag, str(one)]
    return words


def by_command(binary: str, folder: Path, verb: str, arguments: dict[str, Any]) -> Any:
    words = words_of(verb, json.loads(json.dumps(arguments)))
    base = [binary, "--config", "recordar.toml", "--database", "sqlite:memory.db", "--user", "ada", "--json"]
    text = arguments.get("text", "") if verb == "ingest_text" else ""
    done = subprocess.run([*base, *words], cwd=folder, capture_output=True, text=True, input=text, timeout=120)
    reply = done.stdout or done.stderr
    assert not re.search(r"unexpected argument|Usage:", reply), (words, reply)
    try:
        return [done.returncode, json.loads(reply)]
    except json.JSONDecodeError:
        return [done.returncode, reply]


def by_langchain(memory: Recordar, query: str) -> Any:
    found = LangChainRetriever(memory=memory, k=20).invoke(query)
    return [[document.page_content, scrubbed(document.metadata)] for document in found]


def by_llama_index(memory: Recordar, query: str) -> Any:
    found = LlamaIndexRetriever(memory, similarity_top_k=20).retrieve(query)
    return [[node.node.get_content(), scrubbed(node.node.metadata)] for node in found]


@pytest.fixture
def tenants(tmp_path: Path) -> Iterator[Tenants]:
    tenants = Tenants(tmp_path, 6)
    yield tenants
    for memory in tenants.memories:
        memory.close()


def test_a12_two_tenants_learn_nothing_of_each_other_by_any_face(tenants: Tenants) -> None:
    binary = str(Path(os.environ["RECORDAR_BINARY"]).resolve())
    made = dict.fromkeys(FACES, 0)
    verbs: set[str] = set()
    # A database that is not there would be told from one that is.
    for memory in tenants.memories:
        memory.remember("A first message.")

    def servers() -> list[Client]:
        words = ["--config", "recordar.toml", "--database", "sqlite:memory.db", "--user", "ada", "mcp"]
        return [Client(StdioServerParameters(command=binary, args=words, cwd=one)) for one in tenants.folders]

    async def run() -> None:
        both, alone = servers()
        async with both, alone:
            tools = {tool.name for tool in (await both.list_tools()).tools}
            for number in range(CALLS):
                if number % 10 == 0:
                    tenants.bob()
                face = tenants.draw.choices(list(FACES), weights=list(FACES.values()))[0]
                verb, arguments = tenants.call()
                if face == "mcp" and verb not in tools:
                    face = "python"
                if face in ("langchain", "llama_index"):
                    verb, arguments = "search", {"query": arguments.get("query", "what is there?")}
                replies: list[Any]
                if face == "mcp":
                    results = [await client.call_tool(verb, arguments) for client in (both, alone)]
                    replies = [[result.content[0].text, result.structured_content, result.is_error] for result in results]
                elif face == "command":
                    replies = [by_command(binary, folder, verb, arguments) for folder in tenants.folders]
                else:
                    by: dict[str, Callable[[Recordar], Any]] = {
                        "python": lambda memory: by_python(memory, verb, arguments),
                        "langchain": lambda memory: by_langchain(memory, arguments["query"]),
                        "llama_index": lambda memory: by_llama_index(memory, arguments["query"]),
                    }
                    replies = [by[face](memory) for memory in tenants.memories]
                beside, without = map(scrubbed, replies)
                assert beside == without, (face, verb, arguments, beside, without)
                assert "HIDDEN" not in json.dumps(replies[0], default=str), (face, verb, arguments, replies[0])
                made[face] += 1
                verbs.add(verb)

    asyncio.run(run())
    table = {verb["name"] for verb in json.loads(_native.verbs())}
    assert table - ADMINISTRATION == verbs if CALLS >= 400 else verbs
    assert len(tenants.memories[0].documents(user_id="bob")) == tenants.bobs_documents
    threads = tenants.memories[0].threads(user_id="bob")
    stored = sum(len(tenants.memories[0].messages(thread.name, user_id="bob")) for thread in threads)
    assert stored == tenants.bobs_messages, "nothing that ada did touched him"
    assert tenants.memories[1].spaces() == ["user:ada"]
    print(f"{sum(made.values())} calls: {made}")
