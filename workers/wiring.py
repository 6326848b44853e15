"""The app of a worker: use-cases that read, embed and answer."""

from __future__ import annotations

from dataclasses import dataclass

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
from core.insights.make_insights import MakeInsights
from core.library.lease import LeaseTerms
from core.ports import LanguageModel, Notifier, RemoteFiles
from core.retrieval.search_notebook import SearchNotebook
from core.wiring import (
    Plumbing,
    build_embedding,
    build_language_model,
    build_retrieve,
    worker_name,
)
from workers.outside import Outside, build_outside
from workers.retry import backoff


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

    async def open(self) -> None:
        """Open what has to be open before the first piece of work."""
        await self.outside.open()

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
    outside = outside or build_outside(plumbing.settings)
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
                languages=tuple(plumbing.settings.youtube.languages.replace(" ", "").split(",")),
            ),
            expand=ExpandSource(transactions, plumbing.blobs, outside.openers),
            save=SaveText(getattr(embedding.embedder, "count_tokens", None)),
            show=show,
            terms=terms,
            backoff=backoff,
            clock=clock,
        ),
        embed_source=EmbedSource(transactions, embedding, show, terms, backoff, clock, insights=MakeInsights(model)),
        answer_question=AnswerQuestion(
            transactions, ComposeAnswer(transactions, search, model), notifier, terms, backoff, clock
        ),
        search=search,
        model=model,
        outside=outside,
    )
