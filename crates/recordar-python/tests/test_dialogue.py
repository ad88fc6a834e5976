"""The dialogue that asks for a contextual helper, on a terminal of its own."""

from __future__ import annotations

import os
import pty
import socket
import subprocess
from pathlib import Path

import pytest
from recordar import Recordar
from recordar.errors import ConfigurationError

pytestmark = pytest.mark.embedded("it is about the command")


class Terminal:
    """A command on a pseudo-terminal; what it asks is answered one line at a time."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        (folder / "recordar.toml").write_text("[ingest]\nauto_source_identification = false\n")
        self.folder = folder
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execv(os.environ["RECORDAR_BINARY"], ["recordar", "-q", *arguments])
        self.pid, self.shown = pid, ""

    def answer(self, prompt: str, line: str) -> None:
        """Waits for the prompt, at the end of what is shown, and answers."""
        while not self.shown.rstrip().endswith(prompt):
            piece = os.read(self.terminal, 4096).decode()
            assert piece, self.shown
            self.shown += piece
        self.shown = ""
        os.write(self.terminal, f"{line}\n".encode())

    def end(self) -> int:
        """Reads to the end, and tells how the command ended."""
        while True:
            try:
                piece = os.read(self.terminal, 4096).decode()
            except OSError:
                break
            if not piece:
                break
            self.shown += piece
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tea.md").write_text("The kettle boils at dawn. Tea is made of it.\n")
    return tmp_path


def shown(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [os.environ["RECORDAR_BINARY"], *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_a6_r2b_7_1_r2b_7_2_r2b_7_6_r2b_7_7_the_dialogue_asks_shows_and_stores(folder: Path) -> None:
    terminal = Terminal(folder, "ingest", "tea.md")
    terminal.answer("such as 2024-05-31:", "May")
    terminal.answer("such as 2024-05-31:", "2024-05-31")
    terminal.answer("Author:", "")
    terminal.answer("Author:", "Ada")
    terminal.answer("Topic:", "unknown")
    terminal.answer("in a few sentences:", "How tea is made.")
    terminal.answer("[c/e/x]", "edit")
    terminal.answer("[2024-05-31]:", "")
    terminal.answer("[Ada]:", "Ada Lovelace")
    terminal.answer("[unknown]:", "")
    terminal.answer("[How tea is made.]:", "")
    terminal.answer("[c/e/x]", "c")
    assert terminal.end() == 0, terminal.shown
    helper = shown(folder, "helper", "tea.md", "--json").stdout
    assert '"origin": "user"' in helper and "Author: Ada Lovelace. Date: 2024-05-31. How tea is made." in helper


@pytest.mark.parametrize("cancel", ["x", "\x04"])
def test_a6_r2b_7_7_cancelling_leaves_nothing_behind(folder: Path, cancel: str) -> None:
    terminal = Terminal(folder, "ingest", "tea.md")
    terminal.answer("such as 2024-05-31:", "unknown")
    for prompt in ["Author:", "Topic:", "in a few sentences:"]:
        terminal.answer(prompt, "unknown")
    terminal.answer("[c/e/x]", cancel)
    assert terminal.end() == 1 and "nothing was ingested" in terminal.shown
    assert shown(folder, "doc", "list", "--json").stdout.strip() == "[]"


def test_a6_r2b_7_without_a_terminal_it_is_said_what_is_missing(folder: Path) -> None:
    Path(folder / "recordar.toml").write_text("[ingest]\nauto_source_identification = false\n")
    refused = shown(folder, "ingest", "tea.md")
    assert refused.returncode == 1 and "date, author, topic and description are missing" in refused.stderr
    assert shown(folder, "ingest", "tea.md", "--helper", "On tea.").returncode == 0


def test_r16_a_password_is_asked_for_and_not_shown(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"postgres://ada@127.0.0.1:{server.getsockname()[1]}/memory"
        terminal = Terminal(folder, "--database", url, "--ask-password", "space", "list")
        terminal.answer("Password:", "s3cret horse")
        client, _ = server.accept()
        with client:
            client.recv(4096)
            client.sendall(b"R\x00\x00\x00\x08\x00\x00\x00\x03")  # It wants the password as it is.
            assert client.recv(4096)[5:] == b"s3cret horse\x00"
            refusal = b"SFATAL\x00C28P01\x00Mno\x00\x00"
            client.sendall(b"E" + (len(refusal) + 4).to_bytes(4, "big") + refusal)
        assert terminal.end() == 1
        assert "refused user" in terminal.shown and "s3cret" not in terminal.shown


def test_r16_a_found_file_of_a_repository_is_refused_until_it_is_trusted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "recordar.toml").write_text("[llm]\nprovider = 'openai'\nmodel = 'm'\nbase_url = 'http://127.0.0.1:1/v1'\n")
    monkeypatch.chdir(folder)
    with pytest.raises(ConfigurationError, match="recordar trust") as raised:
        Recordar()
    assert raised.value.code == "untrusted_configuration"
    assert shown(folder, "trust").returncode == 0
    with Recordar() as memory:
        assert memory.models().llm is not None
