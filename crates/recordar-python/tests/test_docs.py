"""Every code block of the pages is run, in order, in an empty folder: what they show is true.

`sh` blocks run in bash, `python` blocks in one namespace for the page, and a `toml` block becomes the user's own configuration. A `text` block is what the block before printed, in whole or in
part; `…` stands for anything.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from conftest import REPOSITORY

pytestmark = pytest.mark.embedded("the pages name their databases")

PAGES = ["python.md", "mcp.md", "in-and-out.md", "models.md", "embedders.md", "tree.md", "conversation.md", "configuration.md", "facts.md", "compose.md", "server.md"]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.S | re.M)


def run_shell(code: str, folder: Path) -> str:
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )
    assert ran.returncode == 0, f"{code}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout + ran.stderr


def run_python(code: str, namespace: dict[str, object], where: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, where, "exec"), namespace)
    return printed.getvalue()


def appears(shown: str, printed: str) -> bool:
    """Whether every line was printed, in this order."""
    lines = iter(printed.splitlines())
    patterns = (".*".join(map(re.escape, line.strip().split("…"))) for line in shown.strip().splitlines())
    return all(any(re.search(pattern, line) for line in lines) for pattern in patterns)


def stop_server(folder: Path) -> None:
    """A page that failed in the middle must not leave its server behind."""
    started = folder / "server.pid"
    if started.exists():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(started.read_text()), signal.SIGTERM)


@pytest.mark.parametrize("page", PAGES)
def test_every_code_block_of_the_page_is_true(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    binary = os.environ.get("RECORDAR_BINARY")
    assert binary, "RECORDAR_BINARY is not set: run scripts/test-python"
    scripts = sysconfig.get_path("scripts")
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(binary).parent), scripts, os.environ["PATH"]]))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("REPOSITORY", str(REPOSITORY))
    for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(folder)
    request.addfinalizer(lambda: stop_server(folder))
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    blocks = BLOCK.findall((REPOSITORY / "docs" / page).read_text())
    assert len(blocks) >= 5
    for number, (language, code) in enumerate(blocks, 1):
        where = f"{page}, block {number}"
        if language == "sh":
            printed = run_shell(code, folder)
        elif language == "python":
            printed = run_python(code, namespace, where)
        elif language == "toml":
            own = home / ".config/recordar/recordar.toml"
            own.parent.mkdir(parents=True, exist_ok=True)
            own.write_text(code)
            printed = run_shell("recordar models list", folder)
        elif language == "text":
            assert appears(code, printed), f"{where}:\n{code}\nis not what was printed:\n{printed}"
        else:
            raise AssertionError(f"{where} is of a language that nobody runs: {language!r}")
    for value in list(namespace.values()):
        if hasattr(value, "close") and type(value).__module__.startswith("recordar"):
            value.close()  # type: ignore[attr-defined]
    sys.stdout.flush()
