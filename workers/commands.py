"""The commands that work on notebooks, each a stream of reports."""

from __future__ import annotations

import argparse
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from core.answering.budget import budget, pack
from core.answering.gather import gather
from core.errors import KonspektError, UserError
from core.library.add_source import Incoming
from core.model.ids import SourceId
from core.model.search import SearchResult
from core.model.user import Caller
from workers import command_input
from workers.command_input import BadInput, Query
from workers.local_owner import HERE, Session
from workers.report import (
    Offsets,
    answer_report,
    context_report,
    failed_answer_report,
    failed_search_report,
    failed_source_report,
    search_report,
    source_report,
)

Reports = AsyncIterator[dict[str, Any]]

CONTEXT_WINDOW = 128_000
"""Tokens of the window that `--context` packs for when no model is configured."""


async def ingest(session: Session, arguments: argparse.Namespace) -> Reports:
    """Read files (or `-`, the standard input) into a notebook, and wait until they are searchable and embedded."""
    caller = await session.notebook(arguments.notebook, make=True)
    for name in arguments.paths:
        try:
            with command_input.incoming(name) as incoming:
                reports = await _add(session, caller, incoming)
        except UserError as error:
            reports = [failed_source_report(name, error)]
        for report in reports:
            yield report


async def import_sources(session: Session, arguments: argparse.Namespace) -> Reports:
    """Import lines of `{external_id, title, text}`."""
    caller = await session.notebook(arguments.notebook, make=True)
    for incoming in command_input.sources(arguments.file):
        if isinstance(incoming, BadInput):
            yield failed_source_report("", incoming)
        else:
            for report in await _add(session, caller, incoming):
                yield report


async def search(session: Session, arguments: argparse.Namespace) -> Reports:
    """Search a notebook for one query or a batch of them, in one process."""
    caller = await session.notebook(arguments.notebook, make=False)
    offsets = _OffsetMaps(session, caller)
    for query in command_input.queries(arguments.batch, arguments.query):
        try:
            yield await _search(session, caller, query, offsets, arguments)
        except (KonspektError, BadInput) as error:
            yield failed_search_report(query, error)


async def ask(session: Session, arguments: argparse.Namespace) -> Reports:
    """Ask a notebook one question or a batch of them, each as the first of a conversation."""
    caller = await session.notebook(arguments.notebook, make=False)
    offsets = _OffsetMaps(session, caller)
    for query in command_input.queries(arguments.batch, arguments.query):
        try:
            yield await _ask(session, caller, query, offsets)
        except (KonspektError, BadInput) as error:
            yield failed_answer_report(query, error)


async def list_sources(session: Session, arguments: argparse.Namespace) -> Reports:
    """List a notebook's sources."""
    caller = await session.notebook(arguments.notebook, make=False)
    _, found = await session.app.list_sources(caller, caller.notebook_id)
    for source in found:
        yield source_report(source, sum(attempt.seconds for attempt in source.attempts))


async def delete_source(session: Session, arguments: argparse.Namespace) -> Reports:
    """Delete a source with all that was made of it."""
    caller = await session.notebook(arguments.notebook, make=False)
    source = await session.app.delete_source(caller, caller.notebook_id, SourceId(arguments.source_id))
    yield {"deleted": source.id, "title": source.title}


async def delete_notebook(session: Session, arguments: argparse.Namespace) -> Reports:
    """Delete a notebook with everything in it."""
    caller = await session.notebook(arguments.notebook, make=False)
    await session.app.delete_notebook(caller, caller.notebook_id, first_title=session.first_title)
    yield {"deleted": arguments.notebook}


COMMANDS: dict[str, Callable[[Session, argparse.Namespace], Reports]] = {
    "ingest": ingest,
    "import-sources": import_sources,
    "search": search,
    "ask": ask,
    "sources": list_sources,
    "delete-source": delete_source,
    "delete-notebook": delete_notebook,
}


async def _add(session: Session, caller: Caller, incoming: Incoming) -> list[dict[str, Any]]:
    """Record a source and read it; one that is there already is read if an earlier command was cut short."""
    begun = time.perf_counter()
    try:
        added = await session.app.add_source(caller, incoming, HERE, now=session.app.clock())
        ended = await session.read(added.source)
    except UserError as error:
        return [failed_source_report(incoming.title, error, incoming.external_id)]
    seconds = time.perf_counter() - begun
    return [source_report(source, seconds, duplicate=added.duplicate) for source in ended]


async def _search(
    session: Session, caller: Caller, query: Query, offsets: _OffsetMaps, arguments: argparse.Namespace
) -> dict[str, Any]:
    if query.wrong is not None:
        raise query.wrong
    result = await session.work.search(caller.notebook_id, query.text, top_sources=arguments.top)
    report = search_report(query.query_id, result, await offsets.of({hit.chunk.source_id for hit in result.chunks}))
    if arguments.context:
        report["context"] = await _context(session, result)
    return report


async def _ask(session: Session, caller: Caller, query: Query, offsets: _OffsetMaps) -> dict[str, Any]:
    if query.wrong is not None:
        raise query.wrong
    begun = time.perf_counter()
    await session.app.begin_conversation(caller)
    question = await session.app.ask_question(caller, query.text, HERE, now=session.app.clock())
    answer = await session.answer(question)
    maps = await offsets.of({item.source_id for item in answer.citations})
    return answer_report(query, answer, maps, time.perf_counter() - begun)


async def _context(session: Session, result: SearchResult) -> dict[str, Any]:
    window = session.work.model.window_tokens if session.work.model else CONTEXT_WINDOW
    async with session.app.transactions() as tx:
        return context_report(pack(await gather(tx, result), characters=budget(window)))


class _OffsetMaps:
    """Each source's way back from clean text to the text that came in, loaded once."""

    def __init__(self, session: Session, caller: Caller) -> None:
        self._session = session
        self._caller = caller
        self._known: dict[int, Offsets] = {}

    async def of(self, sources: set[SourceId]) -> dict[int, Offsets]:
        """Load what is missing and return all that is known."""
        for source_id in sources - self._known.keys():
            async with self._session.app.transactions() as tx:
                document = await tx.texts.document(self._caller.notebook_id, source_id)
            self._known[source_id] = document.raw_offsets if document else ((0, 0),)
        return self._known
