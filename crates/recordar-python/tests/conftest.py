"""Throwaway databases, a language model on loopback, and one way to call the synchronous and the asynchronous client alike.

With RECORDAR_OVER_HTTP=1, every database of a test is behind a server (`recordar serve`), and the test gets its address in place of the database's.
Tests marked ``embedded`` are skipped then; their reason says what a server cannot do for them.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pymysql
import pytest

from recordar import AsyncRecordar, Recordar

REPOSITORY = Path(__file__).resolve().parents[3]
OVER_HTTP = bool(os.environ.get("RECORDAR_OVER_HTTP"))
# Three documents that have nothing to do with each other.
TEXTS = {
    "lamps.md": "# Lamps\n\nThe lamp burns oil. The lamp is lit at dusk, and the wick of the lamp is trimmed every morning.",
    "bees.md": "# Bees\n\nBees are kept behind the tower. The hives of the bees face south, and the bees give honey in June.",
    "boats.md": "# Boats\n\nThe boat brings oil on Tuesday. The sails of the boat are red, and the boat is tied up at the pier.",
}


def server(variable: str) -> str:
    """Where the servers are missing, tests fail and say so; none is skipped."""
    url = os.environ.get(variable)
    assert url, f"{variable} is not set: run the tests with `make test`, or under scripts/with-databases"
    return url


def administer(engine: str, sql: str) -> None:
    if engine == "postgres":
        with psycopg.connect(server("RECORDAR_TEST_POSTGRES"), autocommit=True) as connection:
            connection.execute(sql)
    else:
        url = urlsplit(server("RECORDAR_TEST_MYSQL"))
        with pymysql.connect(host=url.hostname, port=url.port, user=url.username) as connection:
            connection.cursor().execute(sql)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "embedded(reason): not run with RECORDAR_OVER_HTTP, for this reason")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        marker = item.get_closest_marker("embedded")
        if OVER_HTTP and marker is not None:
            item.add_marker(pytest.mark.skip(reason=f"embedded: {marker.args[0]}"))


def until(is_so: Callable[[], bool]) -> None:
    """Waits for a state of another thread or process that no event tells of. A test that fails does not wait for ever."""
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to that")


class Served:
    """A server on a database, with an administrator's key."""

    def __init__(self, database: str, folder: Path, settings: str = "") -> None:
        binary = os.environ.get("RECORDAR_BINARY")
        assert binary, "RECORDAR_BINARY is not set: run scripts/test-python"
        (folder / "own.toml").write_text(settings)
        self.command = [binary, "--config", str(folder / "own.toml")]
        self.environment = {**os.environ, "RECORDAR_DATABASE": database}
        self.folder = folder
        self.key = self.new_key("test", "--admin")
        self.url = ""
        self.start()

    def new_key(self, name: str, *options: str) -> str:
        words = [*self.command, "keys", "new", name, *options]
        made = subprocess.run(words, env=self.environment, cwd=self.folder, capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    def start(self) -> None:
        """Starts it, the second time at the same address."""
        words = [*self.command, "serve", "--addr", urlsplit(self.url).netloc or "127.0.0.1:0"]
        self.process = subprocess.Popen(words, env=self.environment, cwd=self.folder, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), line
        self.url = line.removeprefix("listening on ").strip()

    def stop(self) -> None:
        self.process.terminate()
        try:
            status = self.process.wait(20)
        finally:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
        assert status == 0, "a server that is told to stop ends without a failure"


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home where nothing is: the configuration of whoever runs the tests must not count."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "RECORDAR_CONFIG", "RECORDAR_DATABASE", "RECORDAR_SPACE", "RECORDAR_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    return home


@pytest.fixture
def make_stored(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Makes empty databases, which are removed after the test."""
    made: list[tuple[str, str]] = []

    def make(engine: str) -> str:
        name = f"py_{uuid.uuid4().hex}"
        if engine == "sqlite":
            return f"sqlite:{tmp_path / name}.db"
        administer(engine, f"CREATE DATABASE {name}")
        made.append((engine, name))
        url = urlsplit(server(f"RECORDAR_TEST_{engine.upper()}"))
        return urlunsplit(url._replace(path=f"/{name}"))

    yield make
    for engine, name in made:
        force = " WITH (FORCE)" if engine == "postgres" else ""
        administer(engine, f"DROP DATABASE {name}{force}")


@pytest.fixture
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Starts servers, which are stopped after the test."""
    started: list[Served] = []

    def start(database: str, settings: str = "") -> Served:
        started.append(Served(database, tmp_path_factory.mktemp("server"), settings))
        return started[-1]

    yield start
    for one in started:
        one.stop()


@pytest.fixture
def make_database(
    make_stored: Callable[[str], str], serve: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], str]:
    """Makes empty databases. With RECORDAR_OVER_HTTP, each is behind a server."""

    def make(engine: str) -> str:
        database = make_stored(engine)
        if not OVER_HTTP:
            return database
        served = serve(database)
        monkeypatch.setenv("RECORDAR_API_KEY", served.key)
        return served.url

    return make


@pytest.fixture(params=["sqlite", "postgres", "mysql"])
def database(request: pytest.FixtureRequest, make_database: Callable[[str], str]) -> str:
    return make_database(request.param)


@pytest.fixture
def sqlite(make_database: Callable[[str], str]) -> str:
    return make_database("sqlite")


class Awaited:
    """An asynchronous client whose calls are awaited for the test."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self.client = AsyncRecordar(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.client, name)
        if not asyncio.iscoroutinefunction(attribute):
            return attribute
        return lambda *arguments, **named: self._loop.run_until_complete(attribute(*arguments, **named))

    def stop(self) -> None:
        self._loop.run_until_complete(self.client.close())
        self._loop.close()


@pytest.fixture(params=["sync", "async"])
def memory(request: pytest.FixtureRequest, database: str) -> Iterator[Any]:
    """A memory of user ada, on each database, synchronous and asynchronous."""
    if request.param == "sync":
        with Recordar(database, user_id="ada") as client:
            yield client
    else:
        awaited = Awaited(database, user_id="ada")
        yield awaited
        awaited.stop()


MODEL_KEY = "sk-test-python-0123456789"


def path_of(text: str) -> list[str]:
    """Where the model files a text."""
    return ["Travel", "Trains", "Times"] if "train" in text else ["House", "Rooms", "Things"]


def labels_of(message: str) -> dict[str, Any]:
    """How the model labels a message. It has no topic for gift cards, and no valid reply to poison."""
    if "POISON" in message:
        return {"topics": ["poison"]}
    is_known = "gift card" not in message
    return {
        "topics": ["shipping" if is_known else "general_inquiry"],
        "category": "inquiry",
        "message_type": "question",
        "entities": [],
        "importance": 0.6,
        "confidence": "high" if is_known else "low",
        "suggested_topic": None if is_known else "Gift cards",
    }


def replied(body: str) -> dict[str, Any]:
    """What a model says to a prompt: by the words that the prompts of the engine begin with."""
    system, user = (str(message["content"]) for message in json.loads(body)["messages"][:2])
    if "target_chars" in body:
        ids = re.findall(r"^Chunk (\d+) \(", user, re.M)
        return {"summaries": [{"chunk_id": int(chunk), "summary": "The lamp."} for chunk in ids]}
    if system.startswith("You describe where a text comes from"):
        return {"author": "Ada", "date": "2026-01-31", "topic": "trains", "summary": "When trains leave."}
    if system.startswith("You sort chunks"):
        level = re.search(r"^Level (\d+) of", user, re.M)
        assert level is not None
        chunks = re.findall(r'^Chunk (\d+):\n"""\n(.*?)\n"""', user, re.M | re.S)
        return {"chunks": [{"id": int(chunk), "category": path_of(text)[int(level[1]) - 1]} for chunk, text in chunks]}
    if system.startswith("You find where in a tree"):
        most = re.search(r"at most (\d+) of the categories", system)
        assert most is not None
        options = re.findall(r"^- (.*)$", user.partition("Categories:")[2], re.M)[: int(most[1])]
        return {"categories": [{"category": name, "ranked_relevance": int(most[1]) - at} for at, name in enumerate(options)]}
    if system.startswith("Classify the message by its semantic INTENT"):
        return labels_of(user)
    if system.startswith("Extract search parameters"):
        return {"topics": ["shipping"], "time_scope": "all", "search_current_thread_only": False}
    if "what is said of their sources" in system:
        return {"answer": "At 8:15."}
    return {"answer": "At 8:15.", "citations": [1]}


class ModelServer:
    """A language model on loopback: it answers every task, or fails, and sends the key back wherever it can."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.requests = 0
        self.status = 200
        # Somebody has asked; and it may reply.
        self.asked, self.think = threading.Event(), threading.Event()
        self.think.set()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                owner.requests += 1
                owner.asked.set()
                owner.think.wait(120)
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                reply = owner.reply(body, self.headers["authorization"])
                self.send_response(owner.status)
                self.send_header("content-length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def reply(self, body: str, key: str) -> bytes:
        if self.status != 200:
            return json.dumps({"error": {"message": f"{key} is not welcome"}}).encode()
        message = {"role": "assistant", "content": json.dumps(replied(body))}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 50, "completion_tokens": 20}}).encode()

    def fail(self, status: int) -> None:
        self.status = status

    def stop(self) -> None:
        self.think.set()
        self.server.shutdown()
        self.server.server_close()

    def config(self, more: str = "") -> Path:
        """A configuration with this model, whose price is known."""
        (self.folder / "models.toml").write_text(
            "dated = '2026-11-15'\n[[model]]\nprovider = 'compatible'\nname = 'small'\nprompt_usd = 1\ncompletion_usd = 2\n"
        )
        path = self.folder / f"recordar-{abs(hash(more))}.toml"
        path.write_text(
            "facts.enabled = false\n"
            f"[llm]\nprovider = 'compatible'\nmodel = 'small'\nbase_url = 'http://127.0.0.1:{self.server.server_port}/v1'\n"
            f"api_key = '{MODEL_KEY}'\nmodels_file = 'models.toml'\nretries = 0\n{more}\n"
        )
        return path


@pytest.fixture
def model(tmp_path: Path) -> Iterator[ModelServer]:
    server = ModelServer(tmp_path)
    yield server
    server.stop()
