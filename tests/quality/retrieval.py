"""Measure retrieval: `python -m tests.quality.retrieval [--notebook NAME] [--limit N] [--fusion scores|ranks]`.

The notebooks of the evaluation set are imported by the product's own parts into a database that is kept, each
question goes through `SearchNotebook` in one process, and the set's own scorer compares the run with known systems.
A full run over dev writes docs/quality.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

from core.adapters.strategies import build_strategies
from core.answering.budget import pack
from core.answering.gather import gather
from core.model.ids import SourceId
from core.model.search import SearchResult
from core.retrieval.chunk_fusion import CHUNK_FUSIONS, DEFAULT
from core.retrieval.embedding_model import EmbeddingModel
from core.retrieval.retrieve import Retrieve
from core.retrieval.search_notebook import SearchNotebook
from tests.quality.data import ROOT, Absent, EvalSet, eval_dir, load
from tests.quality.library import CACHE, Library, open_library
from tests.quality.report import write_report
from tests.quality.scoring import METRICS, SLICES, Scores, baselines, mean, raw_place, score, scorer

Hits = list[dict[str, Any]]


@dataclass
class Run:
    """What one way of searching found.

    Attributes:
        chunks: Question id to its best chunks as hits in raw offsets, best first.
        context: The same for the passages that the model would read.
        sources: Question id to its best sources' ids.
        seconds: Duration of each search without embedding the question.
    """

    chunks: dict[str, Hits] = field(default_factory=dict)
    context: dict[str, Hits] = field(default_factory=dict)
    sources: dict[str, list[str]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def latency_ms(self) -> tuple[float, float]:
        """Give the 50th and the 95th percentile."""
        cuts = quantiles(self.seconds, n=20)
        return cuts[9] * 1000, cuts[18] * 1000


class Searcher:
    """Asks the questions of a set and translates what is found into the set's terms."""

    def __init__(self, library: Library, fusion: str) -> None:
        self._library = library
        embedding = EmbeddingModel(library.embedder, library.transactions)
        retrieve = Retrieve(build_strategies(library.engine), library.transactions, fusion)
        self._search = SearchNotebook(embedding, retrieve)
        self._offsets: dict[SourceId, tuple[tuple[int, int], ...]] = {}

    async def ask(self, query: dict[str, Any], run: Run) -> None:
        """Put one question."""
        result = await self._search(self._library.notebooks[query["nb"]], query["text"])
        run.seconds.append(result.seconds)
        run.chunks[query["qid"]] = [
            await self._hit(one.chunk.source_id, one.chunk.start, one.chunk.end) for one in result.chunks
        ]
        run.sources[query["qid"]] = [source.external_id for source in result.sources]
        run.context[query["qid"]] = await self._context(result)

    async def _context(self, result: SearchResult) -> Hits:
        async with self._library.transactions() as tx:
            passages = pack(await gather(tx, result)).passages
        return [await self._hit(one.chunk.source_id, one.start, one.end) for one in passages]

    async def _hit(self, source_id: SourceId, start: int, end: int) -> dict[str, Any]:
        if source_id not in self._offsets:
            async with self._library.transactions() as tx:
                for notebook_id in self._library.notebooks.values():
                    document = await tx.texts.document(notebook_id, source_id)
                    if document is not None:
                        self._offsets[source_id] = document.raw_offsets
        offsets = self._offsets[source_id]
        return {
            "sid": self._library.sources[source_id],
            "start": raw_place(offsets, start),
            "end": raw_place(offsets, end - 1) + 1,
        }


async def measure(data: EvalSet, queries: Sequence[dict[str, Any]], fusions: Sequence[str]) -> dict[str, Run]:
    """Run the questions through each way of fusion."""
    runs = {fusion: Run() for fusion in fusions}
    async with open_library(data, lambda line: print(line, flush=True)) as library:
        for fusion, run in runs.items():
            searcher = Searcher(library, fusion)
            begun = perf_counter()
            for query in queries:
                await searcher.ask(query, run)
            print(f"{fusion}: {len(queries)} questions in {perf_counter() - begun:.0f} s", flush=True)
    return runs


def main() -> int:
    """Measure, print and, after a full run, write the report."""
    options = _options()
    try:
        data = load(options.split)
    except Absent as absent:
        print(f"Retrieval is not measured: {absent}")
        return 0
    queries = _chosen(data, options)
    fusions = [options.fusion] if options.fusion else [DEFAULT, *(name for name in CHUNK_FUSIONS if name != DEFAULT)]
    runs = asyncio.run(measure(data, queries, fusions))
    module = scorer(eval_dir())
    scores: dict[str, Scores] = {name: score(module, queries, run.chunks) for name, run in runs.items()}
    for name, run in runs.items():
        path = _save(run, name)
        if len(queries) == len(data.queries):
            _print_score(data, path, name)
        else:
            _print_part(queries, scores[name], name)
    if options.split == "dev" and len(queries) == len(data.queries) and not options.fusion:
        report = write_report(ROOT / "docs" / "quality.md", queries, runs, scores, baselines(eval_dir()))
        print(f"written: {report}")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--notebook", help="only this notebook's questions")
    parser.add_argument("--limit", type=int, help="so many questions, chosen evenly")
    parser.add_argument("--fusion", choices=sorted(CHUNK_FUSIONS))
    return parser.parse_args()


def _chosen(data: EvalSet, options: argparse.Namespace) -> list[dict[str, Any]]:
    queries = [query for query in data.queries if options.notebook in (None, query["nb"])]
    if options.limit is not None and options.limit < len(queries):
        queries = random.Random(1).sample(queries, options.limit)
    return queries


def _save(run: Run, name: str) -> Path:
    """Write the run in the scorer's format."""
    path = CACHE / f"run-{name}.jsonl"
    lines = (json.dumps({"qid": qid, "hits": hits}, ensure_ascii=False) for qid, hits in run.chunks.items())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _print_score(data: EvalSet, path: Path, name: str) -> None:
    print(f"\n{name}: {path}")
    command = [sys.executable, str(eval_dir() / "score_run.py"), str(data.folder), str(path)]
    known = eval_dir() / "baselines-dev.json.gz"
    if data.folder.name == "dev" and known.is_file():
        command += ["--baseline", str(known), "--system", "cc+ld"]
    print(subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout)


def _print_part(queries: Sequence[dict[str, Any]], found: Scores, name: str) -> None:
    """Print what a part of the questions scored; the set's own scorer would count the others as failed."""
    print(f"\n{name}: R@1 R@5 P@5 P@10")
    for title, belongs in SLICES.items():
        ids = [query["qid"] for query in queries if query["gold"] and belongs(query)]
        if ids:
            print(f"{title:<18} {len(ids):>5}  " + " ".join(f"{mean(found, ids, metric):.3f}" for metric in METRICS))


if __name__ == "__main__":
    sys.exit(main())
