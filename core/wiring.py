"""Where ports meet adapters. Each process builds its app here; extractors are added in `workers/wiring.py` alone."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.embeddings.embedded import EmbeddedE5
from core.adapters.embeddings.openai_compatible import EmbeddingEndpoint, OpenAICompatibleEmbeddings
from core.adapters.files import DiskBlobs
from core.adapters.flood import RedisFloodGate
from core.adapters.llm.openai_compatible import ChatEndpoint, OpenAICompatible
from core.adapters.logs import configure_logging
from core.adapters.postgres.engine import make_engine
from core.adapters.postgres.unit_of_work import PostgresTransactions
from core.adapters.queue import ArqQueue, NoQueue
from core.adapters.strategies import build_strategies
from core.answering.ask_note import AskNote
from core.answering.ask_question import AskQuestion, BeginConversation, GetQuestion, StopQuestion
from core.answering.show_evidence import ShowEvidence
from core.library.add_source import AddSource
from core.library.choose_locale import ChooseLocale
from core.library.expect_input import ExpectInput, TakeInput
from core.library.identify_caller import IdentifyCaller
from core.library.manage_notebooks import (
    ArchiveNotebook,
    CreateNotebook,
    DeleteNotebook,
    GetNotebook,
    ListNotebooks,
    RenameNotebook,
    SwitchNotebook,
)
from core.library.manage_sources import DeleteSource, GetSource, ListSources, MuteSource
from core.library.members import LeaveGroup
from core.library.migrate_chat import MigrateChat
from core.library.move_sources import ListTargets, MoveBurst
from core.library.open_example import OpenExample
from core.library.refresh_source import RefreshSource, RetryBurst
from core.library.take_in import AddOfferedLinks, TakeIn
from core.library.undo_burst import UndoBurst
from core.ports import Embedder, FloodGate, JobQueue, LanguageModel, Notifier, Transactions
from core.retrieval.embedding_model import EmbeddingModel
from core.retrieval.retrieve import Retrieve
from core.settings import Settings


def utc_now() -> datetime:
    """Say the time, aware."""
    return datetime.now(UTC)


def start_logging(settings: Settings) -> None:
    """Set up this process's logging as the settings say."""
    configure_logging(settings.log)


def worker_name() -> str:
    """Name this process as an owner of leases, different after a restart."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}"


@dataclass(frozen=True, slots=True)
class Plumbing:
    """What a process holds open: the adapters that the settings chose."""

    settings: Settings
    engine: AsyncEngine
    queue: JobQueue
    transactions: Transactions
    gate: FloodGate
    blobs: DiskBlobs
    clock: Callable[[], datetime] = utc_now

    async def close(self) -> None:
        """Close connections."""
        await self.engine.dispose()
        for held in (self.queue, self.gate):
            if isinstance(held, ArqQueue | RedisFloodGate):
                await held.close()


def open_plumbing(settings: Settings, *, with_queue: bool = True) -> Plumbing:
    """Build the adapters that every process needs; nothing connects yet.

    Args:
        settings: Their database and Redis addresses must be filled in (by `embedded_services` where nobody gave any).
        with_queue: False for a process that does the work itself.
    """
    engine = make_engine(settings.database.url.get_secret_value(), pool_size=settings.database.pool_size)
    redis_url = settings.redis.url.get_secret_value()
    queue: JobQueue = ArqQueue(redis_url) if with_queue else NoQueue()
    return Plumbing(
        settings=settings,
        engine=engine,
        queue=queue,
        transactions=PostgresTransactions(engine, queue),
        gate=RedisFloodGate(redis_url),
        blobs=DiskBlobs(settings.data.dir / "originals"),
    )


@dataclass(frozen=True, slots=True)
class App:
    """The use-cases that the bot calls, as attributes."""

    transactions: Transactions
    clock: Callable[[], datetime]
    identify_caller: IdentifyCaller
    migrate_chat: MigrateChat
    leave_group: LeaveGroup
    choose_locale: ChooseLocale
    expect_input: ExpectInput
    take_input: TakeInput
    list_notebooks: ListNotebooks
    get_notebook: GetNotebook
    open_example: OpenExample
    create_notebook: CreateNotebook
    switch_notebook: SwitchNotebook
    rename_notebook: RenameNotebook
    archive_notebook: ArchiveNotebook
    delete_notebook: DeleteNotebook
    add_source: AddSource
    take_in: TakeIn
    add_offered_links: AddOfferedLinks
    undo_burst: UndoBurst
    retry_burst: RetryBurst
    list_targets: ListTargets
    move_burst: MoveBurst
    refresh_source: RefreshSource
    list_sources: ListSources
    get_source: GetSource
    mute_source: MuteSource
    delete_source: DeleteSource
    ask_question: AskQuestion
    ask_note: AskNote
    get_question: GetQuestion
    begin_conversation: BeginConversation
    stop_question: StopQuestion
    show_evidence: ShowEvidence


def build_app(plumbing: Plumbing, notifier: Notifier, *, file_limit_bytes: int | None) -> App:
    """Wire the use-cases of a face."""
    transactions, blobs = plumbing.transactions, plumbing.blobs
    add_source = AddSource(transactions, notifier, file_limit_bytes)
    ask_question = AskQuestion(transactions, has_model=plumbing.settings.llm.configured)
    return App(
        transactions=transactions,
        clock=plumbing.clock,
        identify_caller=IdentifyCaller(transactions),
        migrate_chat=MigrateChat(transactions),
        leave_group=LeaveGroup(transactions),
        choose_locale=ChooseLocale(transactions),
        expect_input=ExpectInput(transactions),
        take_input=TakeInput(transactions),
        list_notebooks=ListNotebooks(transactions),
        get_notebook=GetNotebook(transactions),
        open_example=OpenExample(transactions),
        create_notebook=CreateNotebook(transactions),
        switch_notebook=SwitchNotebook(transactions),
        rename_notebook=RenameNotebook(transactions),
        archive_notebook=ArchiveNotebook(transactions),
        delete_notebook=DeleteNotebook(transactions, blobs, notifier),
        add_source=add_source,
        take_in=TakeIn(transactions, add_source),
        add_offered_links=AddOfferedLinks(transactions, add_source),
        undo_burst=UndoBurst(transactions, blobs, notifier),
        retry_burst=RetryBurst(transactions, notifier),
        list_targets=ListTargets(transactions),
        move_burst=MoveBurst(transactions, blobs, notifier),
        refresh_source=RefreshSource(transactions, notifier),
        list_sources=ListSources(transactions),
        get_source=GetSource(transactions),
        mute_source=MuteSource(transactions),
        delete_source=DeleteSource(transactions, blobs, notifier),
        ask_question=ask_question,
        ask_note=AskNote(transactions, ask_question),
        get_question=GetQuestion(transactions),
        begin_conversation=BeginConversation(transactions),
        stop_question=StopQuestion(transactions),
        show_evidence=ShowEvidence(transactions),
    )


def build_retrieve(plumbing: Plumbing) -> Retrieve:
    """Wire retrieval over the four strategies."""
    return Retrieve(build_strategies(plumbing.engine), plumbing.transactions)


def build_embedder(settings: Settings) -> Embedder:
    """Choose the embedding model: the endpoint of the settings, or the embedded one."""
    chosen = settings.embedding
    if chosen.configured:
        return OpenAICompatibleEmbeddings(
            EmbeddingEndpoint(
                base_url=chosen.base_url,
                model=chosen.model,
                api_key=chosen.api_key.get_secret_value(),
                dimensions=chosen.dimensions,
                max_tokens=chosen.max_tokens,
            )
        )
    return EmbeddedE5(settings.data.dir / "models", threads=chosen.threads)


def build_embedding(plumbing: Plumbing) -> EmbeddingModel:
    """Wire the embedding model with its row."""
    return EmbeddingModel(build_embedder(plumbing.settings), plumbing.transactions)


def build_language_model(settings: Settings) -> LanguageModel | None:
    """Choose the language model; None without one."""
    chosen = settings.llm
    if not chosen.configured:
        return None
    return OpenAICompatible(
        ChatEndpoint(
            base_url=chosen.base_url,
            model=chosen.model,
            api_key=chosen.api_key.get_secret_value(),
            window_tokens=chosen.window_tokens,
            silence_s=chosen.silence_s,
        )
    )
