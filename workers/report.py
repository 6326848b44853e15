"""What the command line prints: values as JSON-ready dictionaries, one object a line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.answering.budget import Context
from core.model.answer import Answer
from core.model.search import RankedChunk, SearchResult
from core.model.source import Source

Offsets = Sequence[tuple[int, int]]
"""Pairs (offset in the clean text, offset in the text that came in), ascending."""


def raw_offset(offsets: Offsets, offset: int) -> int:
    """Lead a character's offset in the clean text back to the text that came in."""
    at = bisect_right(offsets, offset, key=lambda pair: pair[0]) - 1
    if at < 0:
        return offset
    clean, raw = offsets[at]
    return raw + offset - clean


def source_report(source: Source, seconds: float) -> dict[str, Any]:
    """Report a source that was read."""
    return {
        "source_id": source.id,
        "external_id": source.external_id,
        "title": source.title,
        "state": source.state,
        "extractor": source.extractor,
        "attempts": [asdict(attempt) for attempt in source.attempts],
        "characters": source.characters,
        "pages": source.pages,
        "chunks": source.chunk_count,
        "language": source.language,
        "seconds": round(seconds, 3),
        "error": {"key": source.reason.text_key, **source.reason.values} if source.reason else None,
    }


def search_report(query_id: str, result: SearchResult, offsets: dict[int, Offsets]) -> dict[str, Any]:
    """Report a search; offsets are those of the text that came in."""
    return {
        "query_id": query_id,
        "query": result.query.text,
        "sources": [
            {
                "source_id": source.source_id,
                "external_id": source.external_id,
                "title": source.title,
                "score": round(source.score, 6),
                "strategies": list(source.strategies),
                "chunks": list(source.chunks),
            }
            for source in result.sources
        ],
        "chunks": [_chunk(hit, offsets) for hit in result.chunks],
        "seconds": round(result.seconds, 4),
        "strategy_seconds": {name: round(value, 4) for name, value in result.strategy_seconds.items()},
        "failed": list(result.failed),
    }


def context_report(context: Context) -> dict[str, Any]:
    """Report what a model would be given to read."""
    return {
        "characters": context.characters,
        "passages": [
            {
                "n": passage.n,
                "source_id": passage.chunk.source_id,
                "ordinal": passage.chunk.ordinal,
                "start": passage.start,
                "end": passage.end,
                "text": passage.text,
            }
            for passage in context.passages
        ],
        "insights": [asdict(insight) for insight in context.insights],
    }


def answer_report(
    query_id: str, question: str, answer: Answer, offsets: dict[int, Offsets], seconds: float
) -> dict[str, Any]:
    """Report an answer; offsets are those of the text that came in."""
    return {
        "query_id": query_id,
        "query": question,
        "answered": answer.answered,
        "text": answer.text,
        "citations": [
            {
                "n": item.n,
                "source_id": item.source_id,
                "external_id": item.external_id,
                "title": item.title,
                "page": item.page,
                "time": item.time_s,
                "start": raw_offset(offsets[item.source_id], item.start),
                "end": raw_offset(offsets[item.source_id], item.end),
                "quote": item.quote,
                "verdict": item.verdict,
            }
            for item in answer.citations
        ],
        "unsupported": list(answer.unsupported),
        "searched": answer.searched,
        "seconds": round(seconds, 3),
        "model": answer.model,
    }


def _chunk(hit: RankedChunk, offsets: dict[int, Offsets]) -> dict[str, Any]:
    chunk = hit.chunk
    return {
        "source_id": chunk.source_id,
        "external_id": chunk.external_id,
        "ordinal": chunk.ordinal,
        "start": raw_offset(offsets[chunk.source_id], chunk.start),
        "end": raw_offset(offsets[chunk.source_id], chunk.end),
        "page": chunk.page,
        "score": round(hit.score, 6),
        "text": chunk.text,
    }
