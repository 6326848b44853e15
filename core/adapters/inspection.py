"""Look at a file in a child process: even opening a hostile one may crash the library that does it."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from core.adapters.extractors.preflight import Preflight, detect_kind, inspect
from core.adapters.killable import Limits, run_killable
from core.errors import PermanentError, UserError
from core.ingest.cascade import ExtractionFailed, ExtractionOutOfMemory, ExtractionTimeout
from core.ports.documents import Progress

log = structlog.get_logger()

MALFORMED = "answer-malformed"
"""What the runner says of an answer that it could not read."""

LIMITS = Limits(deadline_s=30.0, memory_bytes=1 << 30)
# Opening takes 0.1 s even for thousands of pages; what takes longer is hostile.


@dataclass(frozen=True, slots=True)
class _Look:
    """The task that the child is sent."""

    path: str
    file_name: str
    media_type: str
    max_pages: int

    def __call__(self, progress: Progress) -> Preflight:
        kind = detect_kind(self.path, self.file_name, self.media_type)
        if kind is None:
            raise UserError("source-not-supported")
        return inspect(self.path, kind, self.max_pages)


async def preflight(path: str, file_name: str, media_type: str, *, max_pages: int) -> Preflight:
    """Tell what a file is, and refuse one that must not be read.

    Raises:
        UserError: `source-empty`, `source-not-supported`, `source-encrypted`, `source-damaged` (also when opening it
            crashes, hangs or floods the memory), `source-bomb`, `source-too-many-pages` with `pages` and `limit`.
        TransientError: No process could be started.
    """
    try:
        found = await run_killable(_Look(path, file_name, media_type, max_pages), LIMITS, lambda _done, _total: None)
    except (ExtractionFailed, ExtractionOutOfMemory, ExtractionTimeout) as error:
        code = str(error.values.get("code", error.text_key))
        log.warning("file_not_inspected", code=code)
        if code == MALFORMED:  # our own fault, not the file's
            raise PermanentError("source-broke") from error
        raise UserError("source-damaged") from error
    assert isinstance(found, Preflight)
    return found
