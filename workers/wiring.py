"""The app of a worker: use-cases that read, embed and answer. The only importer of CASCADES."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from core.adapters.extractors import CASCADES
from core.adapters.inspection import preflight
from core.adapters.killable import KillableRunner
from core.answering.answer_question import AnswerQuestion
from core.answering.compose_answer import ComposeAnswer
from core.ingest.embed_source import EmbedSource
from core.ingest.expand_source import ExpandSource
from core.ingest.fetch_original import FetchOriginal
from core.ingest.ingest_source import IngestSource
from core.ingest.read_source import ReadSource
from core.ingest.save_text import SaveText
from core.ingest.status import ShowBurst
from core.library.lease import LeaseTerms
from core.model.source import SourceKind
from core.ports import Cascade, ContainerOpener, LanguageModel, LinkFetcher, Notifier, RemoteFiles
from core.retrieval.search_notebook import SearchNotebook
from core.wiring import (
    Plumbing,
    build_embedding,
    build_language_model,
    build_retrieve,
    worker_name,
)
from workers.retry import backoff

__all__ = ["CASCADES", "WorkApp", "build_work"]
"""CASCADES too: the doctor looks at every extractor, and nobody else may import them."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What reaches beyond the rows: how each kind is read, what opens containers, and the way to public addresses.

    Attributes:
        close: Ends what it holds open: a browser, a proxy, connections.
    """

    cascades: Mapping[SourceKind, Cascade]
    openers: Mapping[SourceKind, ContainerOpener]
    links: LinkFetcher | None
    close: Callable[[], Awaitable[None]]


def build_outside(plumbing: Plumbing) -> Outside:
    """Wire what the settings chose; nothing starts yet."""

    async def close() -> None:
        """Nothing is held open."""

    return Outside(CASCADES, {}, None, close)


@dataclass(frozen=True, slots=True)
class WorkApp:
    """The use-cases of workers, and what has to be closed after them."""

    plumbing: Plumbing
    ingest_source: IngestSource
    embed_source: EmbedSource
    answer_question: AnswerQuestion
    search: SearchNotebook
    model: LanguageModel | None
    outside: Outside

    async def close(self) -> None:
        """Free models and connections."""
        await self.search.embedding.embedder.close()
        if self.model is not None:
            await self.model.close()
        await self.outside.close()


def build_work(
    plumbing: Plumbing, notifier: Notifier, files: RemoteFiles | None, outside: Outside | None = None
) -> WorkApp:
    """Wire them; nothing connects and no model loads yet.

    Args:
        files: The messenger's files; None where there is no messenger.
        outside: None: as the settings say.
    """
    outside = outside or build_outside(plumbing)
    transactions, clock = plumbing.transactions, plumbing.clock
    terms = LeaseTerms(worker_name(), plumbing.settings.worker.lease_s)
    show = ShowBurst(notifier)
    embedding = build_embedding(plumbing)
    search = SearchNotebook(embedding, build_retrieve(plumbing))
    model = build_language_model(plumbing.settings)
    return WorkApp(
        plumbing=plumbing,
        ingest_source=IngestSource(
            transactions=transactions,
            blobs=plumbing.blobs,
            read=ReadSource(
                fetch=FetchOriginal(transactions, plumbing.blobs, files, outside.links),
                inspect=preflight,
                cascades=outside.cascades,
                runner=KillableRunner(),
                blobs=plumbing.blobs,
            ),
            expand=ExpandSource(transactions, plumbing.blobs, outside.openers),
            save=SaveText(getattr(embedding.embedder, "count_tokens", None)),
            show=show,
            terms=terms,
            backoff=backoff,
            clock=clock,
        ),
        embed_source=EmbedSource(transactions, embedding, show, terms, backoff, clock),
        answer_question=AnswerQuestion(
            transactions, ComposeAnswer(transactions, search, model), notifier, terms, backoff, clock
        ),
        search=search,
        model=model,
        outside=outside,
    )
