"""`konspekt`: the use-cases for operators and for measuring, as one local owner.

Data and embedded services live in DATA_DIR (`.konspekt` unless set). `--json` prints one JSON object a line; a failure
is such a line too, with an `error` that has a text `key`, and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import ValidationError

from core.adapters.embedded_services import EmbeddedServiceError, stop_embedded
from core.errors import KonspektError
from core.ingest.cleaning import storable
from core.settings import LogSettings, Settings
from core.wiring import start_logging
from workers import standalone
from workers.command_input import BadInput
from workers.commands import COMMANDS, Reports
from workers.doctor import examine
from workers.local_owner import local_session
from workers.report import error_report, finding_report

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        0, or 1 when something the command was asked for did not succeed.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] == ["run"]:
        return standalone.main(given[1:])
    arguments = _parser().parse_args(given)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is, whatever the terminal's locale says
    try:
        return asyncio.run(_run(arguments))
    except (KonspektError, BadInput) as error:
        return _print({"error": error_report(error)}, arguments.json)
    except (EmbeddedServiceError, standalone.StartError) as error:
        return _print({"error": {"key": "start-failed", "detail": str(error)}}, arguments.json)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # who read the lines has seen enough; Python must not fail again when it flushes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


async def _run(arguments: argparse.Namespace) -> int:
    settings = _settings()
    start_logging(settings.model_copy(update={"log": LogSettings(format=settings.log.format, level="WARNING")}))
    if arguments.command in ALONE:
        return await _show(ALONE[arguments.command](settings), arguments.json)
    async with local_session(settings) as session:
        return await _show(COMMANDS[arguments.command](session, arguments), arguments.json)


def _settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(f"{'_'.join(map(str, one['loc'])).upper()}: {one['msg']}" for one in error.errors())
        raise BadInput("settings-wrong", {"detail": wrong}) from error


async def _show(reports: Reports, as_json: bool) -> int:
    code = 0
    async for report in reports:
        code |= _print(report, as_json)
    return code


def _print(report: dict[str, Any], as_json: bool) -> int:
    """Print a report; 1 when it tells of a failure."""
    if as_json:
        text = json.dumps(report, ensure_ascii=False)
    else:
        text = "\n".join(f"{name}: {value}" for name, value in report.items() if value not in (None, [], "")) + "\n"
    print(storable(text), flush=True)
    return int(bool(report.get("error")))


async def doctor(settings: Settings) -> Reports:
    """Say of every extractor, model and service whether it works here."""
    async for finding in examine(settings):
        yield finding_report(finding)


async def stop(settings: Settings) -> Reports:
    """End the embedded services."""
    folder = settings.data.dir.expanduser().resolve()
    if standalone.is_running(folder):
        raise standalone.StartError(f"Konspekt runs on {folder}: end it with Ctrl-C, and its services end with it")
    yield {"stopped": await asyncio.to_thread(stop_embedded, folder)}


ALONE: dict[str, Callable[[Settings], Reports]] = {"doctor": doctor, "stop": stop}
"""Commands that must work where no session can be had."""


def _parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser = argparse.ArgumentParser(prog="konspekt", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="start everything and serve (see `make run`)")
    for name, alone in ALONE.items():
        commands.add_parser(name, parents=[shared], help=alone.__doc__)
    added: dict[str, argparse.ArgumentParser] = {}
    for name, command in COMMANDS.items():
        added[name] = commands.add_parser(name, parents=[shared], help=command.__doc__)
        added[name].add_argument("--notebook", required=True, metavar="NAME")
    added["ingest"].add_argument("paths", nargs="+", metavar="PATH|URL|-")
    added["import-sources"].add_argument("file", metavar="FILE.jsonl")
    for name in ("search", "ask"):
        added[name].add_argument("query", nargs="?", default="", metavar="QUERY")
        added[name].add_argument("--batch", metavar="QUERIES.jsonl", help="lines of {query_id, query}; - for stdin")
    added["search"].add_argument("--top", type=_positive, default=5, help="sources at most")
    added["search"].add_argument("--context", action="store_true", help="show what a model would be given to read")
    added["delete-source"].add_argument("source_id", type=int)
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


if __name__ == "__main__":
    sys.exit(main())
