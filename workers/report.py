"""What the command line prints: values as JSON-ready dictionaries, one object a line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from core.answering.budget import Context
from core.errors import KonspektError
from core.model.answer import Answer, Citation
from core.model.search import RankedChunk, SearchResult
from core.model.source import Source, SourceState

if TYPE_CHECKING:
    from workers.command_input import BadInput, Query
    from workers.doctor import Finding

Offsets = Sequence[tuple[int, int]]
"""Pairs (offset in the clean text, offset in the text that came in), ascending."""


def raw_offset(offsets: Offsets, offset: int) -> int:
    """Lead a character's offset in the clean text back to the text that came in."""
    at = bisect_right(offsets, offset, key=lambda pair: pair[0]) - 1
    if at < 0:
        return offset
    clean, raw = offsets[at]
    return raw + offset - clean


def raw_range(offsets: Offsets, start: int, end: int) -> dict[str, int]:
    """Lead a range back: its end stands right behind its last character, before anything that was left out there."""
    first = raw_offset(offsets, start)
    return {"start": first, "end": raw_offset(offsets, end - 1) + 1 if end > start else first}


def error_report(error: KonspektError | BadInput) -> dict[str, Any]:
    """Report what went wrong: a text key and its values."""
    return {"key": error.text_key, **error.values}


def finding_report(finding: Finding) -> dict[str, Any]:
    """Report a finding of the doctor; what is configured and does not answer is an error."""
    broken = finding.works is False and finding.part in ("service", "model")
    return {**asdict(finding), "error": {"key": finding.detail} if broken else None}


def source_report(source: Source, seconds: float, *, duplicate: bool = False) -> dict[str, Any]:
    """Report a source that was read.

    Args:
        source: As it stands now.
        seconds: What it took.
        duplicate: The notebook had it before.
    """
    return {
        "source_id": source.id,
        "external_id": source.external_id,
        "title": source.title,
        "state": source.state,
        "stage": source.stage,
        "extractor": source.extractor,
        "attempts": [asdict(attempt) for attempt in source.attempts],
        "characters": source.characters,
        "pages": source.pages,
        "chunks": source.chunk_count,
        "language": source.language,
        "duplicate": duplicate,
        "seconds": round(seconds, 3),
        "error": {"key": source.reason.text_key, **source.reason.values} if source.reason else None,
    }


def failed_source_report(title: str, error: KonspektError | BadInput, external_id: str = "") -> dict[str, Any]:
    """Report what did not even become a source, under the same names."""
    return {
        "source_id": None,
        "external_id": external_id,
        "title": title,
        "state": SourceState.FAILED,
        "stage": None,
        "extractor": "",
        "attempts": [],
        "characters": 0,
        "pages": 0,
        "chunks": 0,
        "language": "",
        "duplicate": False,
        "seconds": 0.0,
        "error": error_report(error),
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
        "error": None,
    }


def failed_search_report(query: Query, error: KonspektError | BadInput) -> dict[str, Any]:
    """Report a query that could not be searched for."""
    asked = {"query_id": query.query_id, "query": query.text}
    return {**asked, "sources": [], "chunks": [], "seconds": 0.0, "strategy_seconds": {}, "error": error_report(error)}


def context_report(context: Context) -> dict[str, Any]:
    """Report what a model would be given to read; offsets are those of the clean text."""
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


def answer_report(query: Query, answer: Answer, offsets: dict[int, Offsets], seconds: float) -> dict[str, Any]:
    """Report an answer; offsets are those of the text that came in."""
    return {
        "query_id": query.query_id,
        "query": query.text,
        "answered": answer.answered,
        "text": answer.text,
        "citations": [_citation(item, offsets) for item in answer.citations],
        "unsupported": list(answer.unsupported),
        "searched": answer.searched,
        "seconds": round(seconds, 3),
        "model": answer.model,
        "error": None,
    }


def failed_answer_report(query: Query, error: KonspektError | BadInput) -> dict[str, Any]:
    """Report a question that was not answered because something failed."""
    asked = {"query_id": query.query_id, "query": query.text}
    return {**asked, "answered": False, "text": "", "citations": [], "error": error_report(error)}


def _citation(item: Citation, offsets: dict[int, Offsets]) -> dict[str, Any]:
    return {
        "n": item.n,
        "source_id": item.source_id,
        "external_id": item.external_id,
        "title": item.title,
        "page": item.page,
        "time": item.time_s,
        **raw_range(offsets[item.source_id], item.start, item.end),
        "quote": item.quote,
        "verdict": item.verdict,
    }


def _chunk(hit: RankedChunk, offsets: dict[int, Offsets]) -> dict[str, Any]:
    chunk = hit.chunk
    return {
        "source_id": chunk.source_id,
        "external_id": chunk.external_id,
        "ordinal": chunk.ordinal,
        **raw_range(offsets[chunk.source_id], chunk.start, chunk.end),
        "page": chunk.page,
        "score": round(hit.score, 6),
        "text": chunk.text,
    }
