"""`recordar mcp` with the official client of the Model Context Protocol, and with raw lines where a client would not send them.

RECORDAR_BINARY names the program. RECORDAR_SOAK makes the soak last a minute instead of five seconds.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import TextResourceContents

pytestmark = pytest.mark.embedded("agents speak to a process of their own")

TOOLS = {
    "recall", "remember", "search", "documents", "document", "document_text", "document_versions", "ingest_text", "why",
    "why_not", "forget", "threads", "messages", "ask", "query", "tree", "item", "items",
    "compose",
}
READING = TOOLS - {"remember", "ingest_text", "forget"}
LONG_TEXT = "The keeper writes down the wind, the swell and every sail that passes the rock. " * 100_000


@pytest.fixture(scope="session")
def binary() -> str:
    path = os.environ.get("RECORDAR_BINARY")
    if not path:
        pytest.fail("set RECORDAR_BINARY to the path of the recordar program, such as target/debug/recordar")
    return str(Path(path).resolve())


class Memory:
    """A database, a space in it, and servers on it."""

    def __init__(self, binary: str, folder: Path, url: str) -> None:
        self.binary, self.folder, self.url = binary, folder, url

    def words(self, *options: str) -> list[str]:
        return ["--database", self.url, "--space", "user:ada", *options]

    def client(self, *options: str) -> Client:
        words = self.words("mcp", *options)
        return Client(StdioServerParameters(command=self.binary, args=words, cwd=self.folder))

    def talk(self, *options: str, work: Callable[[Client], Awaitable[None]]) -> None:
        async def run() -> None:
            async with self.client(*options) as client:
                await work(client)

        asyncio.run(run())

    def command(self, *words: str) -> Any:
        done = subprocess.run(
            [self.binary, *self.words(*words, "--json")], cwd=self.folder, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def raw(self, lines: list[str | bytes], *options: str) -> list[dict[str, Any]]:
        """Everything a server says to these lines, the end of its input behind them. It must end with 0."""
        data = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in [INITIALIZE, *lines])
        done = subprocess.run(
            [self.binary, *self.words("mcp", *options)], input=data, cwd=self.folder, capture_output=True, timeout=120
        )
        assert (done.returncode, done.stderr) == (0, b""), done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


def request(number: int, method: str, params: dict[str, Any] | None = None) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})


def call(number: int, tool: str, **arguments: Any) -> str:
    return request(number, "tools/call", {"name": tool, "arguments": arguments})


INITIALIZE = request(
    0,
    "initialize",
    {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
)


@pytest.fixture
def memory(binary: str, tmp_path: Path) -> Memory:
    return Memory(binary, tmp_path, "sqlite:memory.db")


@pytest.fixture
def any_memory(binary: str, tmp_path: Path, database: str) -> Memory:
    return Memory(binary, tmp_path, database)


def structured(result: Any) -> dict[str, Any]:
    assert not result.is_error, result
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def text(result: Any) -> str:
    [block] = result.content
    return str(block.text)


async def read(client: Client, uri: str) -> str:
    [contents] = (await client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    return contents.text


def test_a12_mcp_client_lists_and_calls_every_tool(any_memory: Memory) -> None:
    called = set()

    async def work(client: Client) -> None:
        async def use(tool: str, **arguments: Any) -> Any:
            called.add(tool)
            result = await client.call_tool(tool, arguments)
            structured(result)
            return result

        messages = [
            {"text": "I take the 8:15 train to Lisbon on Mondays.", "thread": "trip"},
            {"text": "Ada is allergic to walnuts.", "kind": "fact"},
        ]
        stored = structured(await use("remember", messages=messages))
        train, walnuts = stored["items"]
        lamp = "# Lamp\n\nThe lamp of the lighthouse turns every ten seconds.\n"
        for seconds in ("nine", "ten"):
            report = structured(await use("ingest_text", name="notes/lamp.md", text=lamp.replace("ten", seconds)))
        assert (report["status"], report["version"]) == ("updated", 2)

        recalled = await use("recall", query="Which train do I take to Lisbon?")
        assert "8:15 train" in text(recalled)
        memories = structured(recalled)["memories"]
        assert memories[0]["item_id"] == train
        assert structured(await use("search", query="walnuts"))["hits"][0]["item_id"] == walnuts
        assert "walnuts" in text(await use("item", item=walnuts)) and "walnuts" in text(await use("items", kind="fact"))
        assert structured(await use("documents"))["documents"][0]["path"] == "notes/lamp.md"
        quoted = "\n".join(f"> {line}" for line in lamp.splitlines())
        assert text(await use("document", query="how fast does the lamp turn?")).endswith(quoted)
        assert text(await use("document_text", name="lamp.md")) == quoted
        assert structured(await use("document_text", name="lamp.md"))["text"] == lamp
        versions = structured(await use("document_versions", name="lamp.md"))["versions"]
        assert [version["number"] for version in versions] == [1, 2]
        assert "nine" in text(await use("document_text", name="lamp.md", version=1))
        why = structured(await use("why", receipt=structured(recalled)["receipt"]))
        assert (why["identical"], why["memories"]) == (True, memories)
        with_too_few = await client.call_tool("why", {"receipt": structured(recalled)["receipt"][:6]})
        assert with_too_few.is_error and "16 digits" in text(with_too_few)
        assert structured(await use("threads"))["threads"][0]["name"] == "trip"
        assert structured(await use("messages", thread="trip"))["messages"][0]["item_id"] == train
        assert structured(await use("why_not", item=train, query="walnuts", top_k=8))["stage"]
        asked = await use("ask", query="Which train do I take to Lisbon?")
        assert structured(asked)["citations"][0]["item_id"] == train and "no language model is configured" in text(asked)
        composed = await use("compose", query="How fast does the lamp turn?", thread="trip")
        assert structured(composed)["sources"][0]["document"] == "notes/lamp.md"
        assert "> [1] | The lamp of the lighthouse turns every ten seconds." in text(composed) and "8:15 train" in text(composed)
        found = structured(await use("query", query="How fast does the lamp turn?"))
        assert found["status"] == "ok" and found["chunks"][0]["text_content"] == lamp.strip() + "\n"
        names = [category["name"] for category in structured(await use("tree"))["categories"]]
        assert names[:3] == found["chunks"][0]["category_path"]
        assert structured(await use("forget", thread="trip", dry_run=True))["forgotten"]["messages"] == 1
        assert structured(await use("forget", thread="trip"))["forgotten"]["messages"] == 1
        assert "8:15" not in text(await use("recall", query="Which train do I take to Lisbon?"))

        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == called == TOOLS
        for tool in listed:
            assert tool.title and tool.description and tool.input_schema["type"] == "object"

    (any_memory.folder / "recordar.toml").write_text("[receipts]\nenabled = true\n")
    any_memory.talk(work=work)


def test_mcp_an_agent_sees_nothing_of_other_spaces_through_a_receipt(memory: Memory) -> None:
    memory.command("remember", "I like the harbour.")
    victim = ["--database", memory.url, "--space", "user:victim", "remember", "The launch code of the harbour is ZEBRA-77."]
    subprocess.run([memory.binary, *victim], cwd=memory.folder, check=True, capture_output=True)
    both = memory.command("recall", "What about the harbour?", "--also", "user:victim", "--receipt")
    assert "ZEBRA" in both["text"]

    async def work(client: Client) -> None:
        told = await client.call_tool("why", {"receipt": both["receipt"]})
        assert told.is_error and "ZEBRA" not in text(told)

    memory.talk(work=work)
    memory.talk("--read-only", work=work)

    async def with_both(client: Client) -> None:
        assert "ZEBRA" in text(await client.call_tool("why", {"receipt": both["receipt"]}))

    memory.talk("--also", "user:victim", work=with_both)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_mcp_both_ways_to_begin(memory: Memory, mode: str) -> None:
    async def run() -> None:
        client = memory.client()
        client.mode = mode
        async with client:
            assert client.server_info and client.server_info.name == "recordar"
            assert client.instructions and "user:ada" in client.instructions
            assert len((await client.list_tools()).tools) == len(TOOLS)
            structured(await client.call_tool("remember", {"messages": [{"text": "hello"}]}))

    asyncio.run(run())


def test_mcp_hints_say_what_a_tool_does(memory: Memory) -> None:
    async def work(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            hints = tool.annotations
            assert hints is not None
            assert hints.open_world_hint is False
            assert bool(hints.read_only_hint) is (tool.name in READING)
            if tool.name not in READING:
                assert hints.destructive_hint is (tool.name == "forget")
                assert hints.idempotent_hint is (tool.name != "remember")

    memory.talk(work=work)


def test_mcp_documents_are_resources(memory: Memory) -> None:
    async def work(client: Client) -> None:
        for name, content in [("a/lamp.md", "# One\n"), ("a/lamp.md", "# Two\n"), ("b.json", '{"b": 1}')]:
            structured(await client.call_tool("ingest_text", {"name": name, "text": content}))
        lamp, data = (await client.list_resources()).resources
        assert (lamp.name, lamp.title, lamp.mime_type, lamp.size) == ("lamp.md", "a/lamp.md", "text/markdown", 6)
        assert data.mime_type == "application/json"
        assert await read(client, lamp.uri) == "# Two\n"
        assert await read(client, f"{lamp.uri}/versions/1") == "# One\n"
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.name for template in templates] == ["document", "version"]
        for uri in ["recordar://user/bob/documents/1", f"{lamp.uri}/versions/9", "file:///etc/passwd"]:
            with pytest.raises(MCPError):
                await client.read_resource(uri)

    memory.talk(work=work)


def test_mcp_retired_documents_are_read_but_not_listed(memory: Memory) -> None:
    folder = memory.folder / "papers"
    folder.mkdir()
    for name in ("gone.md", "kept.md"):
        (folder / name).write_text(f"# {name}\n")
    memory.command("ingest", str(folder))
    (folder / "gone.md").unlink()
    memory.command("ingest", "--prune", str(folder))

    async def work(client: Client) -> None:
        [kept] = (await client.list_resources()).resources
        assert kept.name == "kept.md"
        documents = structured(await client.call_tool("documents", {}))["documents"]
        [gone] = [document for document in documents if document.get("retired")]
        assert await read(client, f"recordar://user/ada/documents/{gone['document_id']}") == "# gone.md\n"

    memory.talk(work=work)


def test_mcp_mistakes_are_results_that_say_what_to_do(memory: Memory) -> None:
    memory.command("remember", "Without a database, that would be the mistake.")

    async def work(client: Client) -> None:
        mistakes: list[tuple[str, dict[str, Any], str]] = [
            ("document_text", {"name": "nothing.md"}, "not_found"),
            ("recall", {"query": "x", "top_k": 100_000}, "invalid"),
            ("recall", {"query": "x", "also": ["user:bob"]}, "invalid"),
            ("forget", {"whole_space": True}, "invalid"),
            ("remember", {"messages": [{"text": "x", "colour": "red"}]}, "invalid"),
        ]
        for tool, arguments, code in mistakes:
            result = await client.call_tool(tool, arguments)
            assert result.is_error, (tool, result)
            error = result.structured_content["error"]
            assert error["code"] == code
            assert text(result) == f"{error['what']}\ntry: {error['remedy']}"
        with pytest.raises(MCPError):
            await client.call_tool("export", {"file": "x.jsonl"})

    memory.talk(work=work)


def test_mcp_read_only_server_only_reads(memory: Memory) -> None:
    memory.command("remember", "I take the 8:15 train to Lisbon.")

    async def work(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == READING
        for tool in ("recall", "ask"):
            recalled = await client.call_tool(tool, {"query": "Which train do I take?"})
            assert "8:15" in text(recalled) and "receipt" not in structured(recalled)
        for tool in TOOLS - READING:
            with pytest.raises(MCPError, match="is read-only"):
                await client.call_tool(tool, {})

    (memory.folder / "recordar.toml").write_text("[receipts]\nenabled = true\n")
    memory.talk("--read-only", work=work)
    assert memory.command("receipts", "list") == []


def test_mcp_cancelled_call_leaves_nothing(memory: Memory) -> None:
    async def work(client: Client) -> None:
        with pytest.raises(MCPError):
            arguments = {"name": "long.txt", "text": LONG_TEXT}
            await client.call_tool("ingest_text", arguments, read_timeout_seconds=0.05)
        structured(await client.call_tool("remember", {"messages": [{"text": "still here"}]}))
        assert structured(await client.call_tool("documents", {}))["documents"] == []

    memory.talk(work=work)
    cancelled = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})
    said = memory.raw([call(7, "ingest_text", name="long.txt", text=LONG_TEXT), cancelled, request(8, "tools/list")])
    assert sorted(answer["id"] for answer in said) == [0, 8]
    assert memory.command("doc", "list") == []


def test_mcp_calls_under_way_are_done_before_the_end(memory: Memory) -> None:
    slow = call(1, "ingest_text", name="long.txt", text=LONG_TEXT)
    said = memory.raw([slow, *(call(n, "remember", messages=[{"text": f"message {n}"}]) for n in range(2, 102))])
    assert sorted(answer["id"] for answer in said) == list(range(102))
    assert not any(answer["result"].get("isError") for answer in said)
    assert len(memory.command("thread", "show")) == 100
    assert len(memory.command("doc", "list")) == 1


def test_mcp_garbage_is_answered(memory: Memory) -> None:
    said = memory.raw(
        [
            b"\xff\xfe\x00", "not JSON", '{"jsonrpc": "2.0", "id": 1, "method"', "", "[" * 100_000, "a" * 10_000_000,
            "5", "null", "[]", json.dumps({"jsonrpc": "2.0", "method": "notifications/unknown"}),
            json.dumps({"jsonrpc": "2.0", "id": 99, "result": {}}),
            request(2, "unknown/method"),
            request(3, "tools/call", {"name": 5}),
            request(4, "tools/call", {"name": "unknown"}),
            call(5, "remember", messages=[{"text": "x" * 10_000_000}]),
            call(6, "remember", messages=[{"text": "after all that"}]),
        ]
    )
    answers = {answer["id"]: answer for answer in said if answer.get("id") is not None}
    assert set(answers) == {0, 1, 2, 3, 4, 5, 6}
    assert [answers[n]["error"]["code"] for n in (2, 3, 4)] == [-32601, -32602, -32602]
    assert (answers[5]["result"]["isError"], answers[6]["result"]["isError"]) == (True, False)
    nameless = [answer["error"]["code"] for answer in said if answer.get("id") is None and "method" not in answer]
    assert sorted(nameless) == [-32700] * 4 + [-32600] * 3


def test_a12_mcp_client_works_among_a_thousand_malformed_messages(memory: Memory) -> None:
    """The official client talks through a pipe into which somebody else writes a thousand messages that are none."""
    log = memory.folder / "answers.jsonl"
    noise = Path(__file__).with_name("noise.py")
    words = [str(noise), str(log), "1000", memory.binary, *memory.words("mcp")]
    client = Client(StdioServerParameters(command=sys.executable, args=words, cwd=memory.folder))

    async def run() -> None:
        async with client:
            for number in range(50):
                said = f"The keeper saw sail {number} pass the rock."
                [item] = structured(await client.call_tool("remember", {"messages": [{"text": said}]}))["items"]
                hits = structured(await client.call_tool("search", {"query": f"sail {number}", "mode": "keyword"}))["hits"]
                assert item in [hit["item_id"] for hit in hits]

    asyncio.run(run())
    asked, *answers = [json.loads(line) for line in log.read_text().splitlines()]
    ids = [answer["id"] for answer in answers if answer["id"] is not None]
    assert sorted(ids) == sorted(asked["ids"]), "each by its id"
    assert len(answers) - len(ids) == asked["nameless"], "and what has none"
    assert len(answers) == 1000 and all("error" in answer or "result" in answer for answer in answers)
    assert {finding["status"] for finding in memory.command("doctor")} <= {"ok", "warning"}


def test_mcp_client_is_told_that_a_call_goes_on(memory: Memory) -> None:
    told: list[float] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    lines = "".join(f"The keeper wrote line {number} about the lamp.\n" for number in range(600_000))

    async def work(client: Client) -> None:
        structured(await client.call_tool("ingest_text", {"name": "long.txt", "text": lines}, progress_callback=heard))

    memory.talk(work=work)
    assert told and told == sorted(told)


def test_mcp_message_that_is_too_long_is_refused(memory: Memory) -> None:
    lines = [INITIALIZE.encode(), b"a" * (65 * 1024 * 1024), request(1, "tools/list").encode()]
    words = [memory.binary, *memory.words("mcp")]
    done = subprocess.run(words, input=b"\n".join(lines) + b"\n", cwd=memory.folder, capture_output=True, timeout=60)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, [answer["id"] for answer in said]) == (0, [0, None, 1])
    assert "exceeds 64 MiB" in said[1]["error"]["message"]


def test_mcp_end_of_input_ends_with_zero(memory: Memory) -> None:
    words = [memory.binary, *memory.words("mcp")]
    done = subprocess.run(words, input=b"", cwd=memory.folder, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert [answer["id"] for answer in memory.raw([])] == [0]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no terminals to open")
def test_mcp_on_a_terminal_says_what_it_is(memory: Memory) -> None:
    terminal, stdin = os.openpty()
    words = [memory.binary, *memory.words("mcp")]
    with subprocess.Popen(words, stdin=stdin, stdout=-1, stderr=-1, cwd=memory.folder) as server:
        os.close(stdin)
        assert server.stderr and b"recordar install" in server.stderr.readline()
        os.write(terminal, b"\x04")
        assert (server.wait(60), server.stdout and server.stdout.read()) == (0, b"")
    os.close(terminal)


def test_mcp_server_that_cannot_start_says_so_on_standard_error(memory: Memory) -> None:
    for words, code in [
        (["--database", "sqlite:/nowhere/at/all/memory.db", "mcp"], 1),
        (["mcp", "--also", "handbook"], 2),
        (["--space", "x", "mcp", "--json"], 2),
    ]:
        done = subprocess.run([memory.binary, *words], input=b"", cwd=memory.folder, capture_output=True, timeout=60)
        assert (done.returncode, done.stdout) == (code, b""), done
        assert b"try: " in done.stderr


def test_mcp_five_processes_on_one_file_lose_nothing(memory: Memory, capsys: pytest.CaptureFixture[str]) -> None:
    seconds = 60 if os.environ.get("RECORDAR_SOAK") else 5
    counts = {"remember": 0, "recall": 0, "search": 0, "messages": 0, "rate_limited": 0}
    stored: dict[str, dict[int, str]] = {f"agent-{number}": {} for number in range(5)}

    async def agent(name: str, end: float) -> None:
        async with memory.client() as client:

            async def use(tool: str, **arguments: Any) -> dict[str, Any]:
                counts[tool] += 1
                return structured(await client.call_tool(tool, arguments))

            turn = 0
            while time.monotonic() < end:
                turn += 1
                mark = uuid.uuid4().hex
                texts = [f"{name} saw ship {mark} pass the lighthouse, mast {n}" for n in range(1 + turn % 3)]
                reply = await use("remember", messages=[{"text": said, "thread": name} for said in texts])
                stored[name].update(zip(reply["items"], texts, strict=True))
                counts["messages"] += len(texts)
                # What is acknowledged is found at once, whoever writes beside it.
                hits = await use("search", query=f"ship {mark}", mode="keyword", limit=len(texts))
                assert {hit["item_id"] for hit in hits["hits"]} == set(reply["items"])
                recalled = await use("recall", query=f"which ship did {name} see last?")
                counts["rate_limited"] += recalled.get("problem", {}).get("code") == "RATE_LIMITED"

    async def run() -> None:
        end = time.monotonic() + seconds
        await asyncio.gather(*(agent(name, end) for name in stored))

    asyncio.run(run())
    ids: set[int] = set()
    for name, acknowledged in stored.items():
        found = memory.command("thread", "show", name)
        assert {message["item_id"]: message["text"] for message in found} == acknowledged
        assert len(found) == len(acknowledged) > 0
        ids.update(acknowledged)
    assert len(ids) == counts["messages"]
    findings = memory.command("doctor")
    assert {finding["status"] for finding in findings} == {"ok"}, findings
    with capsys.disabled():
        print(f"\nfive processes on one file for {seconds} s: {counts}; lost 0, doubled 0; doctor: all ok")
