"""Throwaway databases, and one way to call the synchronous and the asynchronous client alike."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pymysql
import pytest

from recordar import AsyncRecordar, Recordar

REPOSITORY = Path(__file__).resolve().parents[3]


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


@pytest.fixture
def make_database(tmp_path: Path) -> Iterator[Callable[[str], str]]:
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
