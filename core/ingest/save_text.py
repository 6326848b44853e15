"""What was read becomes rows: clean text, chunks and postings, and what the source's row says of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import UserError
from core.ingest.captions import with_captions
from core.ingest.cascade import Reading
from core.ingest.chunking import cut
from core.ingest.cleaning import clean
from core.ingest.text_changes import changes
from core.insights.choose_title import choose_title
from core.library.link_source import link_label
from core.model.chunk import ChunkDraft
from core.model.document import Document
from core.model.source import Reason, Source, SourceState, Stage
from core.ports import SourceUpdate, Transaction
from core.retrieval.language import detect_language

FIRST_SHOWN = 300
"""Characters of the first new paragraph that a person is shown."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A reading, ready to be stored."""

    reading: Reading
    document: Document
    chunks: list[ChunkDraft]
    language: str


@dataclass(frozen=True, slots=True)
class SaveText:
    """Store what was read of a source.

    Attributes:
        count_tokens: The local embedder's own counting; None: the chunker's vocabulary.
    """

    count_tokens: Callable[[str], int] | None = None

    def prepare(self, source: Source, reading: Reading) -> Prepared:
        """Clean and cut; a long book takes seconds."""
        assert reading.document is not None
        document = clean(with_captions(reading.document, source.upload))
        chunks = cut(document, count_tokens=self.count_tokens)
        if not chunks:
            raise UserError("source-empty")
        return Prepared(reading, document, chunks, detect_language(document.text))

    async def __call__(self, tx: Transaction, source: Source, made: Prepared) -> None:
        """Write it; call it with the source's lease kept."""
        document, key = made.document, (source.notebook_id, source.id)
        reason = _lack(document)
        if source.state.answers:  # read anew
            before = await tx.texts.document(*key)
            reason = reason or _difference(before, document)
            await tx.sources.update(*key, SourceUpdate(version=source.version + 1))
        await tx.texts.save(*key, document, made.chunks, made.language)
        state = SourceState.PARTIAL if _lack(document) else SourceState.READY
        change = SourceUpdate(
            state=state,
            stage=Stage.EMBED,
            title=choose_title(source.title, document) or _address(source),
            reason=reason,
            clear_reason=reason is None,
            about=document.about,
            language=made.language,
            extractor=made.reading.extractor,
            attempts=made.reading.attempts,
            pages=document.page_count,
            missing_pages=document.missing_pages,
            characters=len(document.text),
            chunk_count=len(made.chunks),
            progress_done=0,
            progress_total=len(made.chunks),
            tries=0,
        )
        await tx.sources.update(*key, change)


def _address(source: Source) -> str:
    return link_label(source.upload.url) if source.upload.url else ""


def _lack(document: Document) -> Reason | None:
    """Say what of a source could not be had, None when all is there."""
    if document.missing_pages:
        read_pages = document.page_count - len(document.missing_pages)
        return Reason("source-partial", {"read": read_pages, "total": document.page_count})
    return document.lost[0] if document.lost else None


def _difference(before: Document | None, after: Document) -> Reason | None:
    if before is None or before.text == after.text:
        return None
    found = changes(before.text, after.text)
    if not found.any:
        return None
    first = " ".join(found.first_added[0].split())[:FIRST_SHOWN] if found.first_added else ""
    return Reason("source-refreshed", {"added": found.added, "removed": found.removed, "first": first})
