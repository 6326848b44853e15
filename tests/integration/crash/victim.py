"""The bot's or a worker's process as the product starts it, over watched ports: what a test kills.

It runs in a child that is forked from a server with everything imported, so that a restart costs no import.
"""

from __future__ import annotations

import asyncio
import os
import ssl
from dataclasses import replace
from pathlib import Path
from typing import Any

import bot.__main__ as bot_process
import workers.main as worker_process
import workers.wiring
from bot.face import Face, open_face
from bot.i18n import Texts
from core.adapters.extractor_child import die_with_parent
from core.ingest.chunking import cut
from core.jobs import QueueName
from core.model.document import Document
from core.retrieval.language import detect_language
from core.settings import Settings
from core.wiring import Plumbing, open_plumbing, start_logging
from tests.integration.crash.watched import Fuse, WatchedCalls, WatchedQueue, WatchedRunner, WatchedTransactions

SENDER_LEASE_S = 2.0
"""Instead of a minute: a test does not wait so long for a killed sender's message."""


def _warm() -> None:
    """Do once in the server of forks what every process does first."""
    Texts.load()
    detect_language(words := "Станция принимала груз. " * 50)
    cut(Document(words))
    ssl.create_default_context()


def live(role: str, groups: dict[str, Any], fuse: Fuse, log: Path) -> None:
    """Be the bot, or the worker of a queue, until SIGTERM or the fuse."""
    die_with_parent(os.getppid())
    with log.open("ab") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    settings = Settings(_env_file=None, **groups)
    start_logging(settings)
    _watch(fuse)
    if role == "bot":
        asyncio.run(bot_process.serve_until_signal(settings))
    else:
        asyncio.run(worker_process.serve(QueueName(role), settings))


def _watch(fuse: Fuse) -> None:
    """Let the two entries build this process of watched parts; everything else is as the product makes it.

    The face keeps the plumbing as it was: a sender's own transactions are no points, its calls are.
    """

    def watched_plumbing(settings: Settings) -> Plumbing:
        plain = open_plumbing(settings)
        queue = WatchedQueue(fuse, settings.redis.url.get_secret_value())
        return replace(plain, queue=queue, transactions=WatchedTransactions(fuse, plain.engine, queue))

    def watched_face(plumbing: Plumbing) -> Face:
        face = open_face(open_plumbing(plumbing.settings))
        face.sender.lease_s = SENDER_LEASE_S
        face.bot.session.middleware(WatchedCalls(fuse))
        return face

    for process in (bot_process, worker_process):
        process.open_plumbing, process.open_face = watched_plumbing, watched_face
    WatchedRunner.fuse = fuse
    workers.wiring.KillableRunner = WatchedRunner
    worker_process.SWEEP_SECONDS = set(range(60))


_warm()
