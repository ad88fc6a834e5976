"""The same clients against a server: keys, errors, files, cancelling, and connections that go away (chapter 25)."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import stat
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from conftest import TEXTS, Awaited, Served, until
from test_running import held

from recordar import AsyncRecordar, Recordar, errors


@pytest.fixture(params=["sqlite", "postgres", "mysql"])
def served(request: pytest.FixtureRequest, make_stored: Callable[[str], str], serve: Callable[..., Served]) -> Served:
    return serve(make_stored(request.param))


@pytest.fixture
def on_sqlite(make_stored: Callable[[str], str], serve: Callable[..., Served]) -> Served:
    return serve(make_stored("sqlite"))


@pytest.fixture(params=["sync", "async"])
def client(request: pytest.FixtureRequest, served: Served) -> Iterator[Any]:
    if request.param == "sync":
        with Recordar(served.url, api_key=served.key, user_id="ada") as memory:
            yield memory
    else:
        awaited = Awaited(served.url, api_key=served.key, user_id="ada")
        yield awaited
        awaited.stop()


def test_ch_25_a_server_is_used_like_a_database(client: Any, served: Served) -> None:
    assert (client.space, client.database) == ("user:ada", served.url)
    shown = repr(getattr(client, "client", client))
    assert served.url in shown and served.key not in shown
    told = client.remember([{"text": "I take the 8:15 train to Lisbon.", "speaker": "Ada"}, "The hotel is near the harbour."], thread="trip")
    found = client.recall("When does the train leave?", receipt=True)
    assert found.memories[0].provenance.item_id == told.items[0] and "8:15" in str(found)
    assert client.why(found.receipt).identical
    assert [message.text for message in client.messages("trip")] == ["I take the 8:15 train to Lisbon.", "The hotel is near the harbour."]
    assert client.remember("Once.", operation="é-1").items == client.remember("Once.", operation="é-1").items
    assert [part.state for part in client.operation("é-1")] == ["done"]
    client.remember("Elsewhere.", space="project:ä & ö?")
    assert sorted(client.spaces()) == ["project:ä & ö?", "user:ada"]


def test_ch_25_the_key_may_be_in_the_environment(on_sqlite: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECORDAR_API_KEY", on_sqlite.key)
    with Recordar(on_sqlite.url) as memory:
        memory.remember("Stored.")
        assert memory.space == "user:default" and memory.spaces() == ["user:default"]
    with pytest.raises(errors.UnauthorizedError):
        Recordar(on_sqlite.url, api_key="rk_wrong")


def test_ch_25_a_key_stays_in_its_space(served: Served) -> None:
    with Recordar(served.url, api_key=served.key, user_id="bob") as admin:
        admin.remember("Bob's secret is in the drawer.")
        admin.remember("The handbook is on the shelf.", space="shared:handbook")
    key = served.new_key("ada", "--write", "user:ada", "--read", "shared:*")
    with Recordar(served.url, api_key=key) as memory:
        assert memory.space == "user:ada"
        memory.remember("Ada's secret is under the mat.")
        assert len(memory.search("secret").hits) == 1
        assert len(memory.search("secret handbook", also=["shared:handbook"]).hits) == 2
        for refused in (
            lambda: memory.search("secret", user_id="bob"),
            lambda: memory.remember("x", space="shared:handbook"),
            lambda: memory.backup("backup.jsonl"),
            memory.queue,
        ):
            with pytest.raises(errors.UnauthorizedError) as caught:
                refused()
            assert caught.value.code == "out_of_reach" and caught.value.remedy
        assert sorted(memory.spaces()) == ["shared:handbook", "user:ada"]
        with pytest.raises(errors.RecordarError, match="no such data in the spaces of this caller|may not"):
            memory.search("secret", also=["user:bob"])
        assert not Path("backup.jsonl").exists()
    with Recordar(served.url, api_key=served.new_key("both", "--write", "user:*", "--write", "shared:*")) as several:
        with pytest.raises(errors.InvalidError, match="several spaces"):
            several.space
        assert several.search("secret", user_id="ada").hits


def test_ch_25_a_wrong_key_and_no_server_are_noticed_at_once(on_sqlite: Served) -> None:
    for key, said in ((None, "none was sent"), ("rk_wrong", "not valid")):
        with pytest.raises(errors.UnauthorizedError, match=said) as wrong:
            Recordar(on_sqlite.url, api_key=key)
        assert wrong.value.code == "unauthorized" and "recordar keys new" in wrong.value.remedy
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(errors.UnavailableError, match="nothing answers") as away:
            Recordar(address, api_key="rk_wrong")
    assert away.value.code == "cannot_connect" and address in away.value.remedy
    with pytest.raises(errors.UnavailableError):
        Recordar(on_sqlite.url.replace("http:", "https:"), api_key=on_sqlite.key)


def test_ch_25_a_certificate_is_checked(
    make_stored: Callable[[str], str], serve: Callable[..., Served], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run(["openssl", *words.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    served = serve(make_stored("sqlite"), f"[server]\ntls_certificate = '{certificate}'\ntls_key = '{key}'\n")
    assert served.url.startswith("https://")
    url = served.url.replace("127.0.0.1", "localhost")
    with pytest.raises(errors.UnavailableError, match="is not trusted"):
        Recordar(url, api_key=served.key)
    with pytest.raises(errors.UnavailableError):
        Recordar(url.replace("https:", "http:"), api_key=served.key)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with Recordar(url, api_key=served.key) as memory:
        memory.remember("Said in private.", thread="t")
        served.stop()
        served.start()
        assert len(memory.messages("t")) == 1
    with pytest.raises(errors.UnavailableError, match="is not trusted"):
        Recordar(served.url, api_key=served.key)


def test_ch_25_what_is_too_large_is_refused_with_a_remedy(on_sqlite: Served) -> None:
    with Recordar(on_sqlite.url, api_key=on_sqlite.key) as memory:
        with pytest.raises(errors.InvalidError, match="larger than") as caught:
            memory.remember("x" * 17 * 1024 * 1024)
        assert caught.value.code == "too_large" and "server.max_body_mib" in caught.value.remedy
        memory.remember("Short.")


def test_ch_25_what_makes_no_sense_is_refused(on_sqlite: Served, tmp_path: Path) -> None:
    for arguments, words in [
        ({"settings": {}}, "settings cannot be given for a server"),
        ({"config": {"recall.top_k": 3}}, "settings cannot be given"),
        ({"config": "x.toml"}, "config cannot be given"),
        ({"api_key": "two words"}, "the API key is not one"),
    ]:
        with pytest.raises(errors.InvalidError, match=words):
            Recordar(on_sqlite.url, **arguments)  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidError, match="api_key is for a server"):
        Recordar(tmp_path / "x.db", api_key=on_sqlite.key)
    for url in ("http://ada:secret@127.0.0.1", "http://127.0.0.1:x", "http:///x", "http://127.0.0.1?x=1"):
        with pytest.raises(errors.InvalidError, match="is not the address of a server") as caught:
            Recordar(url)
        assert "secret" not in str(caught.value)


def test_ch_25_errors_are_those_without_a_server(client: Any, tmp_path: Path) -> None:
    client.remember("The train.")
    with Recordar(tmp_path / "own.db", user_id="ada") as own:
        own.remember("The train.")
        for wrong in (
            lambda memory: memory.recall("x", top_k=100),
            lambda memory: memory.recall("x", top_k="many"),
            lambda memory: memory.remember({"txt": "x"}),
            lambda memory: memory.remember([]),
            lambda memory: memory.document_text("nope"),
            lambda memory: memory.why("zzzz"),
            lambda memory: memory.query("x"),
            lambda memory: memory.forget(),
            lambda memory: [memory.remember(text, operation="used") for text in ("a", "b")],
        ):
            raised: list[errors.RecordarError] = []
            for memory in (own, client):
                with pytest.raises(errors.RecordarError) as caught:
                    wrong(memory)
                raised.append(caught.value)
            one, other = raised
            assert type(one) is type(other) and one.args == other.args and one.details == other.details


def test_ch_25_a_folder_is_sent(client: Any, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "old").mkdir(parents=True)
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    (folder / "old" / 'a "quoted" ñame.md').write_text("The pier is made of stone.")
    (folder / "empty.md").write_text("")
    (folder / "picture.bin").write_bytes(b"\x00\x01")
    (folder / ".gitignore").write_text("ignored.md\n")
    (folder / "ignored.md").write_text("Nobody reads this.")
    report = client.ingest_file(folder, tags=["sent"], operation="folder")
    assert (report.totals.added, report.totals.failed, report.space) == (4, 0, "user:ada")
    assert client.ingest_file(folder, tags=["sent"], operation="folder").totals.repeated == 4
    assert {document.filename for document in client.documents()} == {*TEXTS, 'a "quoted" ñame.md'}
    assert {document.name for document in client.documents(filter=["path=old/**"])} == {'old/a "quoted" ñame.md'}
    assert "stone" in client.document_text('old/a "quoted" ñame.md').text
    (folder / "bees.md").write_text("# Bees\n\nThe bees have moved.")
    again = client.ingest_file([folder, folder / "bees.md", folder / "lost.md", folder / "picture.bin"], include=["*.md"])
    assert (again.totals.updated, again.totals.unchanged, again.totals.failed) == (1, 3, 1)
    with pytest.raises(errors.RecordarError, match="lost.md"):
        again.raise_for_failures()
    assert client.ingest_file(folder / "picture.bin").files[0].error.code == "other_type"
    assert client.ingest_file(folder / "lamps.md").totals.unchanged == 1
    for option in ({"prune": True}, {"root": folder}):
        with pytest.raises(errors.InvalidError, match="is for folders of the server's machine"):
            client.ingest_file(folder, **option)
    with pytest.raises(errors.InvalidError, match="not a valid glob"):
        client.ingest_file(folder, include=["["])
    helper = {"text": "A note about bees."}
    client.ingest_file(folder, helpers={str(folder / "bees.md"): helper})
    assert str(client.helper("bees.md")) == helper["text"]


def test_ch_25_folders_that_hold_the_same_names_stay_apart(on_sqlite: Served, tmp_path: Path) -> None:
    for name in ("one/notes", "two/notes", "three"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "readme.md").write_text(f"This is {name}.")
    with Recordar(on_sqlite.url, api_key=on_sqlite.key) as memory:
        assert memory.ingest_file([tmp_path / "one/notes", tmp_path / "three"]).totals.added == 2
        assert {(document.collection, document.name) for document in memory.documents()} == {("notes", "readme.md"), ("three", "readme.md")}
        with pytest.raises(errors.RecordarError, match="the collection notes has its root at") as caught:
            memory.ingest_file([tmp_path / "one/notes", tmp_path / "two/notes"])
        assert caught.value.code == "other_root"
        with pytest.raises(errors.InvalidError, match="would have the same name"):
            memory.ingest_file([tmp_path / "one/notes", tmp_path / "three"], collection="mine")
        assert memory.ingest_file(tmp_path / "two/notes", collection="other").totals.added == 1


def test_ch_25_many_files_are_sent_in_parts(on_sqlite: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recordar._carried._MAX_FILES", 4)
    monkeypatch.setattr("recordar._carried._MAX_BYTES", 200)
    for number in range(10):
        (tmp_path / f"{number}.md").write_text(f"Note number {number}." + " More." * (20 if number == 5 else 0))
    with Recordar(on_sqlite.url, api_key=on_sqlite.key) as memory:
        report = memory.ingest_file(tmp_path, operation="x" * 200)
        assert (report.totals.added, len(report.files), report.operation) == (10, 10, "x" * 200)
        assert report.totals.chunks == 10 and report.trace.stages and report.timing.store_cpu_s > 0
        assert memory.ingest_file(tmp_path, operation="x" * 200).totals.repeated == 10


def test_ch_25_exports_and_backups_are_received_and_sent(client: Any, served: Served, make_stored: Callable[[str], str], tmp_path: Path) -> None:
    client.remember("The train leaves at 8:15.", thread="trip")
    client.remember("Something of Bob's.", user_id="bob")
    with Recordar(make_stored("sqlite")) as own:
        exported = client.export(tmp_path / "ada.jsonl")
        assert exported.file == str(tmp_path / "ada.jsonl") and [space.space for space in exported.spaces] == ["user:ada"]
        assert stat.S_IMODE((tmp_path / "ada.jsonl").stat().st_mode) == 0o600
        imported = own.import_(tmp_path / "ada.jsonl")
        assert imported.spaces.to_dicts() == [{**exported.spaces[0].to_dict(), "known": False}]
        own.export(tmp_path / "own.jsonl", user_id="ada")
    assert (tmp_path / "own.jsonl").read_bytes() == (tmp_path / "ada.jsonl").read_bytes()
    with pytest.raises(errors.ConflictError, match="already exists"):
        client.export(tmp_path / "ada.jsonl")
    client.export(tmp_path / "ada.jsonl", force=True, redact=True)
    with pytest.raises(errors.NotFoundError):
        client.export(tmp_path / "nobody.jsonl", user_id="nobody")
    backup = client.backup(tmp_path / "all.jsonl")
    assert {space.space for space in backup.spaces} == {"user:ada", "user:bob"}
    client.forget(thread="trip")
    client.remember("Later.", user_id="carla")
    restored = client.restore(tmp_path / "all.jsonl")
    assert restored.removed == ["user:carla"] and len(client.messages("trip")) == 1
    assert client.import_(tmp_path / "own.jsonl").spaces[0].known, "it is imported to the space that it names"
    (tmp_path / "talk.txt").write_text("Ada: Hello there.\nBob: Good morning.\n")
    assert client.import_(tmp_path / "talk.txt", thread="talk").conversations[0].added == 2
    with pytest.raises(errors.InvalidError):
        client.import_(tmp_path / "own.jsonl", user_id="bob")
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".partial") == []
    for file, words in [("nope.json", "cannot be read"), (tmp_path, "is a folder")]:
        with pytest.raises(errors.RecordarError, match=words):
            client.import_(file)
    with pytest.raises(errors.RecordarError, match="is a folder"):
        client.backup(tmp_path)
    (tmp_path / "bad.jsonl").write_text("{}")
    with pytest.raises(errors.RecordarError, match="export"):
        client.restore(tmp_path / "bad.jsonl")


def test_ch_25_a_key_for_one_space_imports_only_there(on_sqlite: Served, tmp_path: Path) -> None:
    with Recordar(on_sqlite.url, api_key=on_sqlite.key, user_id="bob") as admin:
        admin.remember("Bob's.")
        admin.export(tmp_path / "bob.jsonl")
    with Recordar(on_sqlite.url, api_key=on_sqlite.new_key("ada", "--write", "user:ada")) as memory:
        memory.remember("Ada's.")
        memory.export(tmp_path / "ada.jsonl")
        assert memory.import_(tmp_path / "ada.jsonl").spaces[0].known
        with pytest.raises(errors.RecordarError, match="user:bob|another space"):
            memory.import_(tmp_path / "bob.jsonl")
        with pytest.raises(errors.UnauthorizedError):
            memory.export(tmp_path / "all.jsonl", all=True)
    assert not (tmp_path / "all.jsonl").exists()


def open_connections(served: Served) -> int:
    """How many connections the server has, with the one that asks."""
    request = urllib.request.Request(f"{served.url}/metrics", headers={"Authorization": f"Bearer {served.key}"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        found = re.search(r"^recordar_http_connections (\d+)$", reply.read().decode(), re.M)
    assert found is not None
    return int(found[1])


def test_ch_25_a_cancelled_call_is_cancelled_on_the_server(make_stored: Callable[[str], str], serve: Callable[..., Served]) -> None:
    database = make_stored("sqlite")
    served = serve(database)

    async def main() -> None:
        async with AsyncRecordar(served.url, api_key=served.key) as memory:
            await memory.remember("Before.", thread="t")
            with held(database.removeprefix("sqlite:")):
                started = time.monotonic()
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(memory.remember("Given up.", thread="t"), 0.5)
                assert time.monotonic() - started < 5
                # It hears of it while the database is still busy.
                until(lambda: open_connections(served) == 1)
            await memory.remember("After.", thread="t")
            assert [message.text for message in await memory.messages("t")] == ["Before.", "After."]

    asyncio.run(main())


def test_ch_25_tasks_and_threads_share_a_client(served: Served) -> None:
    with Recordar(served.url, api_key=served.key) as memory, ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda number: memory.remember(f"Message {number}.", thread="t"), range(40)))
        found = list(pool.map(lambda number: memory.search(f"Message {number}").hits[0].text, range(40)))
        assert found == [f"Message {number}." for number in range(40)]
        assert len(memory.messages("t")) == 40

    async def main() -> None:
        async with AsyncRecordar(served.url, api_key=served.key) as memory:
            await asyncio.gather(*(memory.remember(f"Task {number}.", thread="tasks") for number in range(40)))
            assert len(await memory.messages("tasks")) == 40

    asyncio.run(main())


def test_ch_25_a_server_that_is_restarted_is_found_again(on_sqlite: Served) -> None:
    with Recordar(on_sqlite.url, api_key=on_sqlite.key) as memory:
        memory.remember("Before.", thread="t")
        on_sqlite.stop()
        with pytest.raises(errors.UnavailableError) as away:
            memory.remember("Meanwhile.", thread="t")
        assert away.value.code == "cannot_connect"
        on_sqlite.start()
        memory.remember("After.", thread="t")
        on_sqlite.stop()
        on_sqlite.start()
        assert [message.text for message in memory.messages("t")] == ["Before.", "After."]


def test_ch_25_a_forked_process_has_connections_of_its_own(on_sqlite: Served) -> None:
    memory = Recordar(on_sqlite.url, api_key=on_sqlite.key)
    memory.remember("Before.", thread="t")
    for _ in range(3):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                memory.remember("From the child.", thread="t")
                status = 0
            finally:
                os._exit(status)
        memory.remember("From the parent.", thread="t")
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(memory.messages("t")) == 7
    memory.close()
    with pytest.raises(errors.RecordarError, match="closed"):
        memory.messages("t")


# A status, a body and headers.
Step = tuple[int, Any, dict[str, str]]


class Unreliable:
    """A server that does, for each request, what it is told: replies, problems, or hanging up."""

    def __init__(self) -> None:
        self.script: list[Step | str] = []
        self.seen: list[tuple[str, str | None, int]] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.reply(200, {"key": "k", "admin": True, "space": "user:default"}, {})

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                owner.seen.append((self.path, self.headers["idempotency-key"], self.client_address[1]))
                step = owner.script.pop(0)
                if step == "hang up":
                    self.close_connection = True
                    return
                self.reply(*step)
                if len(owner.script) and owner.script[0] == "close":
                    owner.script.pop(0)
                    self.close_connection = True

            def reply(self, status: int, body: Any, headers: dict[str, str]) -> None:
                text = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Length": str(len(text)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def unreliable() -> Iterator[Unreliable]:
    server = Unreliable()
    yield server
    server.server.shutdown()
    server.server.server_close()


STORED: Step = (200, {"space": "user:default", "operation": "o", "revision": 1, "items": [1], "unchanged": 0, "repeated": False}, {})
BUSY: Step = (503, {"code": "busy", "detail": "too many calls are running", "remedy": "try again in a moment"}, {"Retry-After": "0"})


def test_ch_25_what_is_lost_is_sent_again_once_with_the_same_id(unreliable: Unreliable) -> None:
    with Recordar(unreliable.url) as memory:
        unreliable.script = [STORED, "hang up", STORED]
        memory.remember("One.")
        memory.remember("Two.")
        (_, first, one), (_, second, again), (_, third, fresh) = unreliable.seen
        assert first and second and first != second == third and one == again != fresh
        unreliable.script = [STORED, "close", STORED]
        memory.remember("Three.")
        memory.remember("Four.")
        assert len(unreliable.seen) == 5, "a connection that was closed meanwhile costs nothing"
        unreliable.script = ["hang up", "hang up"]
        with pytest.raises(errors.UnavailableError, match="was lost") as lost:
            memory.remember("Five.", operation="five")
        assert lost.value.code == "connection_lost" and len(unreliable.seen) == 7


def test_ch_25_a_busy_server_is_asked_again_a_few_times(unreliable: Unreliable) -> None:
    with Recordar(unreliable.url) as memory:
        unreliable.script = [BUSY, (429, "slow down", {"Retry-After": "0"}), STORED]
        memory.remember("One.")
        assert len({operation for _, operation, _ in unreliable.seen}) == 1
        assert len({port for _, _, port in unreliable.seen}) == 1, "a problem does not cost the connection"
        unreliable.script = [BUSY] * 6
        with pytest.raises(errors.UnavailableError, match="too many calls") as busy:
            memory.remember("Two.")
        assert busy.value.code == "busy" and not unreliable.script
        for reply, kind, code in [
            ((503, BUSY[1], {"Retry-After": "3600"}), errors.UnavailableError, "busy"),
            ((503, {"code": "database_busy", "detail": "locked", "remedy": ""}, {"Retry-After": "1"}), errors.UnavailableError, "database_busy"),
            ((429, {"code": "model_ceiling", "detail": "too dear", "remedy": ""}, {"Retry-After": "1"}), errors.CeilingError, "model_ceiling"),
            ((502, "<html>", {}), errors.UnavailableError, "bad_reply"),
            ((404, "<html>", {}), errors.RecordarError, "bad_reply"),
            ((200, "{half", {}), errors.RecordarError, "bad_reply"),
        ]:
            unreliable.script = [reply]
            with pytest.raises(kind) as raised:
                memory.remember("Three.")
            assert raised.value.code == code and not unreliable.script


def test_ch_25_a_download_that_breaks_off_leaves_nothing(unreliable: Unreliable, tmp_path: Path) -> None:
    short: Step = (200, '{"recordar_export":1}\n{"space":{"name":"user:ada"}}\n', {})
    broken: Step = (200, "ff\r\nhalf of it", {"Transfer-Encoding": "chunked"})
    with Recordar(unreliable.url) as memory:
        unreliable.script = [short]
        with pytest.raises(errors.UnavailableError, match="was not received completely"):
            memory.backup(tmp_path / "b.jsonl")
        unreliable.script = [broken, "close"] * 2
        with pytest.raises(errors.UnavailableError, match="was lost"):
            memory.backup(tmp_path / "b.jsonl")
    assert list(tmp_path.iterdir()) == []
