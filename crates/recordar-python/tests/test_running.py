"""Threads, tasks, forks and Ctrl-C: what a program around the memory does to it."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import until

from recordar import AsyncRecordar, Recordar, RecordarError, errors

ROUNDS = 200 if os.environ.get("RECORDAR_SOAK") else 20


# Another process that keeps the lock of a SQLite file until its input ends.
HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
connection.execute("ROLLBACK")
"""


# The beginning of a child's program: it prints a line when its first call begins.
TELL_CALL = """
from recordar._handle import Handle
def told(self, *arguments):
    Handle.call = call
    print("called", flush=True)
    return call(self, *arguments)
call, Handle.call = Handle.call, told
"""


def until_in_call(child: subprocess.Popen[str]) -> None:
    """Waits until a child sleeps within its call, which only the system can tell."""
    assert child.stdout and child.stdout.readline() == "called\n"
    until(lambda: Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S")


def folder_of(tmp_path: Path, files: int) -> Path:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(files):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\n" + f"The harbour has {number} lanterns. " * 40)
    return folder


def test_a12_r6_6_many_tasks_at_once_lose_nothing(database: str) -> None:
    async def main() -> None:
        async with AsyncRecordar(database, user_id="ada") as memory:
            await asyncio.gather(*(memory.remember(f"Message {n}.", thread="t") for n in range(40)))
            found = await asyncio.gather(*(memory.recall(f"Message {n}") for n in range(40)))
            assert all(result.memories for result in found)
            assert len(await memory.messages("t")) == 40

    asyncio.run(main())


def test_a12_the_interpreter_runs_on_while_the_engine_works(sqlite: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, 300)
    with Recordar(sqlite) as memory, ThreadPoolExecutor(1) as pool:
        work = pool.submit(memory.ingest_file, folder)
        steps = 0
        while not work.done():
            steps += 1
            time.sleep(0)
        assert work.result().totals.added == 300
        # With the interpreter held, not a single step would be taken.
        assert steps > 100


@pytest.mark.embedded("it holds the lock of the database's file")
def test_a12_a_cancelled_write_is_not_committed_later(sqlite: str) -> None:
    path, memory = sqlite.removeprefix("sqlite:"), AsyncRecordar(sqlite)

    async def main() -> None:
        await memory.remember("Before.", thread="t")
        with held(path):
            started = time.monotonic()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(memory.remember("Given up.", thread="t"), 0.3)
            assert time.monotonic() - started < 10, "whoever gives up does not wait for the lock"

    asyncio.run(main())
    after_every_call(lambda: asyncio.run(memory.remember("After.", thread="t")))
    assert [message.text for message in asyncio.run(memory.messages("t"))] == ["Before.", "After."]
    asyncio.run(memory.close())


@contextlib.contextmanager
def held(path: str) -> Iterator[None]:
    """Another process has the lock meanwhile, so that a write is under way for as long as the test wants."""
    other = subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdin and other.stdout and other.stdout.readline()
    try:
        yield
    finally:
        other.stdin.close()
        other.wait(10)


@pytest.mark.embedded("it holds the lock of the database's file")
def test_a12_a_cancelled_ingestion_stops(sqlite: str, tmp_path: Path) -> None:
    folder, memory = folder_of(tmp_path, 200), AsyncRecordar(sqlite)

    async def main() -> None:
        with held(sqlite.removeprefix("sqlite:")), pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(memory.ingest_file(folder), 0.5)

    asyncio.run(main())
    after_every_call(lambda: asyncio.run(memory.remember("After.")))
    assert len(asyncio.run(memory.documents())) == 0, "nothing is stored any more"
    assert asyncio.run(memory.ingest_file(folder)).totals.added == 200
    asyncio.run(memory.close())


@pytest.mark.embedded("it holds the lock of the database's file")
def test_ctrl_c_stops_a_long_call(sqlite: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, 200)
    with Recordar(sqlite) as memory:
        memory.remember("There is a database.")
    program = TELL_CALL + textwrap.dedent(
        f"""
        import signal
        from recordar import Recordar
        # A shell that runs something in the background has it ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        memory = Recordar({sqlite!r})
        try:
            memory.ingest_file({str(folder)!r})
            print("finished")
        except KeyboardInterrupt:
            print("interrupted", len(memory.documents()))
        """
    )
    with held(sqlite.removeprefix("sqlite:")):
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        until_in_call(child)
        child.send_signal(signal.SIGINT)
        # While another process still has the lock.
        assert child.communicate(timeout=60)[0] == "interrupted 0\n"


def in_child(work: object) -> int:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()  # type: ignore[operator]
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def after_every_call(work: object) -> None:
    """Does some work in a fork, which waits for every call, also for the rest of a cancelled one; if it gives up waiting, the work fails."""
    assert in_child(work) == 0


def test_a12_a_memory_goes_on_after_a_fork(database: str) -> None:
    memory = Recordar(database, user_id="ada")
    memory.remember("Before the fork.", thread="t")
    assert memory.recall("fork").memories

    def work() -> None:
        memory.remember("From the child.", thread="t")
        assert memory.recall("From the child").memories[0].content == "From the child."

    for _ in range(3):
        assert in_child(work) == 0
        memory.remember("From the parent.", thread="t")
    texts = [message.text for message in memory.messages("t")]
    assert texts == ["Before the fork."] + ["From the child.", "From the parent."] * 3


@pytest.fixture
def writers() -> Iterator[list[threading.Thread]]:
    threads: list[threading.Thread] = []
    yield threads
    for thread in threads:
        thread.join(30)


def test_a12_forks_beside_busy_threads_lose_nothing(database: str, writers: list[threading.Thread]) -> None:
    memory = Recordar(database, user_id="ada")
    memory.remember("First.", thread="parent")
    stop = threading.Event()
    stored = [0, 0]

    def write(number: int) -> None:
        while not stop.is_set():
            memory.remember(f"Thread {number}.", thread="parent")
            memory.recall("thread")
            stored[number] += 1

    for number in range(2):
        writers.append(threading.Thread(target=write, args=(number,)))
        writers[-1].start()
    try:
        for round in range(ROUNDS):
            assert in_child(lambda: memory.remember(f"Child {round}.", thread="child")) == 0
    finally:
        stop.set()
        for thread in writers:
            thread.join(30)
    assert len(memory.messages("child")) == ROUNDS
    assert len(memory.messages("parent")) == 1 + sum(stored)


@pytest.mark.embedded("it makes a second database beside the first")
def test_a12_a_signal_while_a_fork_waits_leaves_every_memory_usable(sqlite: str) -> None:
    """What a handler raises is only printed then, and the fork goes on."""
    program = textwrap.dedent(
        f"""
        import os, signal, threading
        from recordar import Recordar, RecordarError
        busy, idle = Recordar({sqlite!r}), Recordar({sqlite!r} + "2")
        busy.remember("First.")
        idle.remember("Idle.")
        waiting = threading.Thread(target=lambda: busy.remember([{{"text": f"Message {{n}}."}} for n in range(60_000)]))
        forking = True
        def stop(*_):
            if forking:
                raise RuntimeError("stop")
        signal.signal(signal.SIGALRM, stop)
        print("ready", flush=True)
        waiting.start()
        input()
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        child = os.fork()
        forking = False
        if child == 0:
            try:
                idle.search("idle")
                os._exit(0)
            except RecordarError as error:
                os._exit(7 if error.code == "forked" else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        idle.close()
        waiting.join()
        print(status, len(busy.search("message").hits), Recordar({sqlite!r} + "2").search("idle").hits[0].text)
        """
    )
    pipe = subprocess.PIPE
    child = subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert child.stdout and child.stdout.readline() == "ready\n"
    until(lambda: is_locked(sqlite.removeprefix("sqlite:")))
    printed, problems = child.communicate("it writes\n", timeout=100)
    # A fork that was not waited for is told to the child; one that came through is well.
    assert printed in ("7 10 Idle.\n", "0 10 Idle.\n"), printed + problems


def is_locked(path: str) -> bool:
    """Whether another process writes to a SQLite file now."""
    with contextlib.closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        connection.execute("ROLLBACK")
        return False


_shared: Recordar | None = None


def _remember_in_pool(number: int) -> int:
    assert _shared is not None
    return int(_shared.remember(f"Worker {number}.", thread="pool").items[0])


def test_a12_a_pool_of_forked_workers_shares_one_file(sqlite: str) -> None:
    global _shared
    _shared = Recordar(sqlite)
    _shared.remember("First.", thread="pool")
    with multiprocessing.get_context("fork").Pool(4) as pool:
        items = pool.map(_remember_in_pool, range(100))
    assert len(set(items)) == 100
    assert len(_shared.messages("pool")) == 101
    _shared = None


def test_a12_an_asynchronous_memory_goes_on_after_a_fork(sqlite: str) -> None:
    memory = AsyncRecordar(sqlite)
    asyncio.run(memory.remember("Before.", thread="t"))
    assert in_child(lambda: asyncio.run(memory.remember("Child.", thread="t"))) == 0
    assert len(asyncio.run(memory.messages("t"))) == 2


def test_a_closed_memory_says_so(sqlite: str) -> None:
    memory = Recordar(sqlite)
    memory.close()
    with pytest.raises(RecordarError, match="closed"):
        memory.recall("x")
    assert repr(memory) == "Recordar(closed)"

    async def main() -> None:
        async with AsyncRecordar(sqlite) as awaited:
            await awaited.remember("x")
        with pytest.raises(RecordarError, match="closed"):
            await awaited.recall("x")

    asyncio.run(main())


def test_i19_errors_reading_creates_no_database_and_the_first_write_does(tmp_path: Path) -> None:
    path = tmp_path / "fresh.db"
    with Recordar(f"sqlite:{path}") as memory:
        for read in (lambda: memory.search("train"), memory.documents, memory.threads, memory.spaces):
            with pytest.raises(errors.NotFoundError, match="there is no Recordar database") as missing:
                read()
            assert missing.value.code == "no_database" and "remember" in missing.value.remedy
        recalled = memory.recall("train")
        assert not recalled.memories and recalled.problem and "no Recordar database" in recalled.problem.detail
        assert not path.exists()
        memory.remember("The train leaves at 8.")
        assert path.exists() and len(memory.search("train").hits) == 1


def test_i19_errors_a_name_that_no_document_has_is_an_error_and_a_description_falls_back_with_a_warning(sqlite: str) -> None:
    with Recordar(sqlite, user_id="ada") as memory:
        memory.ingest_text("The lamp is cleaned with a soft cloth.", name="lamp.md")
        with pytest.raises(errors.NotFoundError, match=r"no document is named lamps\.md; similar names: lamp\.md"):
            memory.retrieve_document_from_metadata({"filename": "lamps.md"})
        with pytest.warns(UserWarning, match="no document is named x.md"):
            assert "cloth" in memory.retrieve_document_from_metadata({"filename": "x.md", "topic": "lamp"})
        assert memory.document({"filename": "x.md", "topic": "lamp"}).fallbacks[0].step == "filename"
