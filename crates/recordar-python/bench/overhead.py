"""Measures a recall through Python against the same recall in Rust, in one run. The aim is an overhead under 100 µs."""

import json
import random
import statistics
import tempfile
import time
from pathlib import Path

from recordar import Recordar

MESSAGES, QUESTIONS = 2000, 400
WORDS = "harbour lantern train violin garden winter letter bridge coffee mountain river museum ticket doctor".split()


def sentence(seed: random.Random) -> str:
    return " ".join(seed.choices(WORDS, k=9)).capitalize() + f" at {seed.randrange(24)} o'clock."


def median_us(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1e6:8.1f} µs"


def measure(memory: Recordar, questions: list[str], name: str) -> None:
    engine = memory._handle.engine
    rust, text, whole = [], [], []
    for question in questions:
        # Interleaved, so that a slow moment of the machine affects all three alike.
        rust += engine.time("recall", json.dumps({"query": question}), "bench", 1)
        started = time.perf_counter()
        memory.recall(question).text
        text.append(time.perf_counter() - started)
        started = time.perf_counter()
        memory.recall(question).to_dict()
        whole.append(time.perf_counter() - started)
    print(f"{name}: {len(questions)} recalls, medians")
    print(f"  in Rust                                {median_us(rust)}")
    for what, times in [("in Python, reading the text", text), ("in Python, reading every field", whole)]:
        more = [python - native for python, native in zip(times, rust)]
        print(f"  {what:<38} {median_us(times)}, {median_us(more).strip()} more")


def main() -> None:
    seed = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "recordar.toml"
        config.write_text("database.url = 'sqlite:bench.db'\nrecall.cache_seconds = 0\nrecall.per_minute = 0\n")
        with Recordar(config=config) as memory:
            memory.remember([{"text": sentence(seed), "thread": f"t{n // 30}"} for n in range(MESSAGES)])
            questions = [f"Where is the {sentence(seed)}" for _ in range(QUESTIONS)]
            memory.recall(questions[0])
            measure(memory, questions, "without the cache")
        config.write_text("database.url = 'sqlite:bench.db'\nrecall.per_minute = 0\n")
        with Recordar(config=config) as memory:
            memory.recall(questions[0])
            measure(memory, questions[:1] * QUESTIONS, "from the cache")


main()
