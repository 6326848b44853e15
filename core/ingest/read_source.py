"""What was sent becomes text: its bytes are fetched and looked at, and the cascade of its kind reads them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from core.errors import KonspektError, UserError
from core.ingest.cascade import Reading, Trying, read
from core.ingest.fetch_original import PAGE, FetchOriginal
from core.model.document import Document
from core.model.plan import Plan
from core.model.source import Reason, Source, SourceKind, Stage
from core.ports import BlobStore, Cascade, ChildRunner, ExtractionRequest, FileInspector, Progress, SourceUpdate

AS_IT_CAME = "as-it-came"
"""The extractor of words that a person typed, pasted or forwarded: there is nothing to extract."""

Enter = Callable[[SourceUpdate], Awaitable[None]]
"""Told what has become of the source; keeps its lease."""


@dataclass(frozen=True, slots=True)
class Found:
    """A source that was looked at.

    Attributes:
        source: With the kind that its bytes have.
        request: What an extractor is given.
        trouble: Why a link could not be fetched the plain way.
    """

    source: Source
    request: ExtractionRequest
    trouble: KonspektError | None = None


@dataclass(frozen=True, slots=True)
class ReadSource:
    """Find out what a source is, then read it.

    Attributes:
        cascades: What is tried on each kind.
        languages: Preferred languages of a video's subtitles, after the notebook's own.
    """

    fetch: FetchOriginal
    inspect: FileInspector
    cascades: Mapping[SourceKind, Cascade]
    runner: ChildRunner
    blobs: BlobStore
    languages: tuple[str, ...] = ("ru", "en", "es", "pt")

    async def look(self, source: Source, plan: Plan, language: str, enter: Enter) -> Found:
        """Fetch it and tell what it is.

        Raises:
            UserError: It must not or cannot be read.
            TransientError: The network.
        """
        if source.upload.text:
            return Found(source, ExtractionRequest("", source.kind))
        original = await self.fetch(source, max_bytes=plan.max_file_bytes)
        source, pages = original.source, 0
        path = str(self.blobs.path(source.original_key)) if source.original_key else ""
        if path and not _is_page(source):
            upload = source.upload
            seen = await self.inspect(path, upload.file_name, upload.media_type, max_pages=plan.max_pages)
            source, pages = replace(source, kind=seen.kind), seen.pages
        await enter(SourceUpdate(stage=Stage.EXTRACT, kind=source.kind, progress_total=pages))
        request = ExtractionRequest(
            path=path,
            kind=source.kind,
            file_name=source.upload.file_name,
            media_type=source.upload.media_type,
            max_pages=plan.max_pages,
            url=source.upload.url,
            languages=tuple(dict.fromkeys((language, *self.languages))),
        )
        return Found(source, request, original.trouble)

    async def __call__(self, found: Found, progress: Progress, trying: Trying, enter: Enter) -> Reading:
        """Read it.

        Raises:
            UserError: Nothing could be read; the attempts are recorded.
            TransientError: Time may help.
        """
        source = found.source
        if source.upload.text:
            return Reading(Document(source.upload.text), AS_IT_CAME, ())
        cascade = self.cascades[source.kind]
        reading = await read(cascade, found.request, runner=self.runner, progress=progress, trying=trying)
        if reading.document is not None:
            return reading
        await enter(SourceUpdate(attempts=reading.attempts))
        if found.trouble is not None:
            raise found.trouble
        reason = reading.reason or Reason("source-unreadable", {})
        raise UserError(reason.text_key, reason.values)


def _is_page(source: Source) -> bool:
    """Tell whether a link's original is a page: pages behind links have a cascade of their own."""
    return source.kind is SourceKind.WEB and source.upload.media_type == PAGE
