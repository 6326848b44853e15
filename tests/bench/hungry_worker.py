"""The heavy worker, with an extractor before those of PDFs that eats memory: `python -m tests.bench.hungry_worker`."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from bot.face import open_face
from core.jobs import QueueName
from core.model.source import SourceKind
from core.settings import Settings
from core.wiring import open_plumbing, start_logging
from tests.bench.hungry import Hungry
from workers.main import build_worker
from workers.outside import build_outside


async def serve(settings: Settings) -> None:
    """Serve the heavy queue until SIGTERM."""
    plumbing = open_plumbing(settings)
    outside = build_outside(settings)
    cascade = outside.cascades[SourceKind.PDF]
    hungry = replace(cascade, extractors=(Hungry(), *cascade.extractors))
    changed = replace(outside, cascades={**outside.cascades, SourceKind.PDF: hungry})
    worker = build_worker(QueueName.HEAVY, plumbing, open_face(plumbing), outside=changed)
    try:
        await worker.async_run()
    finally:
        await worker.close()


def main() -> None:
    """Be the worker."""
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    start_logging(settings)
    with suppress(asyncio.CancelledError):
        asyncio.run(serve(settings))


if __name__ == "__main__":
    main()
