"""`konspekt`: the use-cases for operators and for measuring, as one local owner.

Data and embedded services live in DATA_DIR (`.konspekt` unless set). `--json` prints one JSON object a line.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import structlog

from core.adapters.embedded_services import EmbeddedServiceError, stop_embedded
from core.answering.budget import budget, pack
from core.answering.gather import gather
from core.errors import KonspektError, UserError
from core.library.add_source import Incoming
from core.library.kinds import kind_of
from core.library.manage_notebooks import as_title
from core.model.ids import SourceId
from core.model.search import SearchResult
from core.model.source import SourceKind, SourceState, Upload
from core.model.user import Caller
from core.settings import LogSettings, Settings
from core.wiring import start_logging
from workers import standalone
from workers.doctor import installed, reachable
from workers.local_owner import HERE, Session, local_session
from workers.report import Offsets, answer_report, context_report, search_report, source_report

log = structlog.get_logger()

Reports = AsyncIterator[dict[str, Any]]
CONTEXT_WINDOW = 128_000
"""Tokens of the window that `--context` packs for when no model is configured."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        0, or 1 when something the command was asked for did not succeed.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] == ["run"]:
        return standalone.main(given[1:])
    arguments = _parser().parse_args(given)
    settings = Settings()
    start_logging(settings.model_copy(update={"log": LogSettings(format=settings.log.format, level="WARNING")}))
    try:
        if arguments.command == "stop":
            stopped = stop_embedded(settings.data.dir.expanduser().resolve())
            return _print({"stopped": stopped}, arguments.json)
        return asyncio.run(_run(settings, arguments))
    except (KonspektError, EmbeddedServiceError, standalone.StartError) as error:
        _print({"error": str(error)}, arguments.json)
        return 1


async def _run(settings: Settings, arguments: argparse.Namespace) -> int:
    code = 0
    async with local_session(settings) as session:
        async for report in COMMANDS[arguments.command](session, arguments):
            code |= _print(report, arguments.json)
    return code


def _print(report: dict[str, Any], as_json: bool) -> int:
    """Print a report; 1 when it tells of a failure."""
    if as_json:
        print(json.dumps(report, ensure_ascii=False), flush=True)
    else:
        print("\n".join(f"{name}: {value}" for name, value in report.items() if value not in (None, [], "")))
        print(flush=True)
    return int(bool(report.get("error")))


async def ingest(session: Session, arguments: argparse.Namespace) -> Reports:
    """Read files (or `-`, the standard input) into a notebook, and wait until they are searchable and embedded."""
    caller = await session.notebook(arguments.notebook, make=True)
    for name in arguments.paths:
        try:
            incoming = _incoming(name)
        except UserError as error:
            yield {"title": name, "state": SourceState.FAILED, "error": {"key": error.text_key, **error.values}}
            continue
        yield await _add(session, caller, incoming)


async def import_sources(session: Session, arguments: argparse.Namespace) -> Reports:
    """Import lines of `{external_id, title, text}`."""
    caller = await session.notebook(arguments.notebook, make=True)
    for row in _lines(arguments.file):
        words = Upload(text=row["text"])
        yield await _add(
            session, caller, Incoming(SourceKind.TEXT, row["title"], words, external_id=str(row["external_id"]))
        )


async def search(session: Session, arguments: argparse.Namespace) -> Reports:
    """Search a notebook for one query or a batch of them, in one process."""
    caller = await session.notebook(arguments.notebook, make=False)
    offsets = _OffsetMaps(session, caller)
    for query_id, query in _queries(arguments):
        result = await session.work.search(caller.notebook_id, query, top_sources=arguments.top)
        report = search_report(query_id, result, await offsets.of({hit.chunk.source_id for hit in result.chunks}))
        if arguments.context:
            report["context"] = await _context(session, result)
        yield report


async def ask(session: Session, arguments: argparse.Namespace) -> Reports:
    """Ask a notebook one question or a batch of them."""
    caller = await session.notebook(arguments.notebook, make=False)
    offsets = _OffsetMaps(session, caller)
    for query_id, query in _queries(arguments):
        begun = time.perf_counter()
        await session.app.begin_conversation(caller)
        question = await session.app.ask_question(caller, query, HERE, now=session.app.clock())
        await session.answer(question)
        answer = session.told.answers.pop(question.id, None)
        if answer is None:
            failed = session.told.failures.pop(question.id, "error-generic")
            yield {"query_id": query_id, "query": query, "error": {"key": failed}}
            continue
        maps = await offsets.of({item.source_id for item in answer.citations})
        yield answer_report(query_id, query, answer, maps, time.perf_counter() - begun)


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
    await session.app.delete_notebook(caller, caller.notebook_id, first_title="console")
    yield {"deleted": arguments.notebook}


async def doctor(session: Session, _arguments: argparse.Namespace) -> Reports:
    """Say of every extractor, model and service whether it works here."""
    for finding in [*installed(session), *await reachable(session)]:
        yield asdict(finding)


COMMANDS: dict[str, Callable[[Session, argparse.Namespace], Reports]] = {
    "doctor": doctor,
    "ingest": ingest,
    "import-sources": import_sources,
    "search": search,
    "ask": ask,
    "sources": list_sources,
    "delete-source": delete_source,
    "delete-notebook": delete_notebook,
}


async def _add(session: Session, caller: Caller, incoming: Incoming) -> dict[str, Any]:
    begun = time.perf_counter()
    try:
        added = await session.app.add_source(caller, incoming, HERE, now=session.app.clock())
        source = added.source if added.duplicate else await session.read(added.source)
    except UserError as error:
        return {"title": incoming.title, "state": SourceState.FAILED, "error": {"key": error.text_key, **error.values}}
    return source_report(source, time.perf_counter() - begun)


def _incoming(name: str) -> Incoming:
    """Make a source of a path or of the standard input.

    Raises:
        UserError: A link (not read yet), no such file, or a kind that is not read.
    """
    if name == "-":
        return Incoming(SourceKind.TEXT, "standard input", Upload(text=sys.stdin.read()))
    if name.startswith(("http://", "https://")):
        raise UserError("links-later")
    path = Path(name).resolve()
    if not path.is_file():
        raise UserError("source-file-missing", {"name": path.name})
    kind = kind_of(path.name, "")
    if kind is None:
        raise UserError("source-not-supported")
    upload = Upload(file_name=path.name, size_bytes=path.stat().st_size, path=str(path))
    return Incoming(kind, as_title(path.name), upload)


def _queries(arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Give id and text of each query: the one of the command line, or those of a batch."""
    if arguments.batch is None:
        yield "", arguments.query or ""
        return
    for number, row in enumerate(_lines(arguments.batch), start=1):
        query_id = row.get("query_id", row.get("qid", row.get("id", number)))
        yield str(query_id), row.get("query", row.get("question", row.get("text", "")))


def _lines(file: str) -> Iterator[dict[str, Any]]:
    with sys.stdin if file == "-" else Path(file).open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


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


def _parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser = argparse.ArgumentParser(prog="konspekt", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="start everything and serve (see `make run`)")
    commands.add_parser("stop", parents=[shared], help="end the embedded services")
    commands.add_parser("doctor", parents=[shared], help=doctor.__doc__)

    def in_notebook(name: str, function: Callable[..., object]) -> argparse.ArgumentParser:
        command = commands.add_parser(name, parents=[shared], help=function.__doc__)
        command.add_argument("--notebook", required=True, metavar="NAME")
        return command

    in_notebook("ingest", ingest).add_argument("paths", nargs="+", metavar="PATH|URL|-")
    in_notebook("import-sources", import_sources).add_argument("file", metavar="FILE.jsonl")
    for name, function in (("search", search), ("ask", ask)):
        command = in_notebook(name, function)
        command.add_argument("query", nargs="?", metavar="QUERY")
        command.add_argument("--batch", metavar="QUERIES.jsonl", help="lines of {query_id, query}")
        if name == "search":
            command.add_argument("--top", type=int, default=5, help="sources at most")
            command.add_argument("--context", action="store_true", help="show what a model would be given to read")
    in_notebook("sources", list_sources)
    in_notebook("delete-source", delete_source).add_argument("source_id", type=int)
    in_notebook("delete-notebook", delete_notebook)
    return parser


if __name__ == "__main__":
    sys.exit(main())
