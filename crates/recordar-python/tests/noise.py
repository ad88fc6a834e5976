"""Passes lines between a client and a server of the Model Context Protocol, writes malformed ones beside them, and keeps the answers to
those: `noise.py LOG COUNT SERVER…`."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from typing import IO

log, count, *words = sys.argv[1:]
draw = random.Random(16)
ids: list[str] = []
nameless: list[bytes] = []


def malformed(number: int) -> bytes:
    """A request that something is wrong with, or something that is no request."""
    if draw.random() < 0.2:
        nameless.append(draw.choice([b"42", b"null", b"[]", b"not JSON", b"{}", b"\xff", b'{"jsonrpc": "2.0", "i']))
        return nameless[-1]
    ids.append(f"noise-{number}")
    call = {"name": "search", "arguments": {"query": "PLACE"}}
    line = json.dumps({"jsonrpc": "2.0", "id": ids[-1], "method": "tools/call", "params": call}).encode()
    kinds = [
        line.replace(b"PLACE", b"\\ud83d"),
        line.replace(b"PLACE", b"\xff\xfe"),
        line.replace(b"PLACE", b"\x01"),
        line.replace(b'"PLACE"', b"[" * draw.randint(150, 900)),
        line[: draw.randint(len(line) - 30, len(line) - 1)],
        b"[" + line + b"]",
        line.replace(b'"2.0"', b"2"),
        line.replace(b'"method"', b'"methud"'),
        line.replace(b'"tools/call"', b"7"),
        line.replace(b'"arguments"', b'"argumants"'),
    ]
    return draw.choice(kinds)


def pass_answers(output: IO[bytes]) -> None:
    kept: list[bytes] = []
    for line in output:
        answer = json.loads(line)
        ours = "method" not in answer and (answer.get("id") is None or str(answer["id"]).startswith("noise-"))
        if ours:
            kept.append(line)
        else:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
    with open(log, "wb") as file:
        file.write(json.dumps({"ids": ids, "nameless": len(nameless)}).encode() + b"\n" + b"".join(kept))


server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
assert server.stdin and server.stdout
reader = threading.Thread(target=pass_answers, args=(server.stdout,))
reader.start()
sent = 0


def write_noise(most: int) -> None:
    global sent
    assert server.stdin
    for sent in range(sent, most):
        server.stdin.write(malformed(sent) + b"\n")
    sent = max(sent, most)


# The client's first line begins the conversation; then there are twenty others for each of its own.
for number, line in enumerate(sys.stdin.buffer):
    server.stdin.write(line)
    write_noise(min(int(count), number * 20))
    server.stdin.flush()
write_noise(int(count))
server.stdin.close()
reader.join()
sys.exit(server.wait())
