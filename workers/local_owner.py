"""The command line's session: one local owner, embedded services started once and found running the next time."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import SecretStr

from core.adapters.embedded_services import start_embedded
from core.errors import UserError
from core.library.identify_caller import Appearance
from core.model.answer import Answer, Question
from core.model.ids import AnswerId, ReplyTo, SourceId
from core.model.notebook import Notebook
from core.model.plan import PlanName
from core.model.source import Source
from core.model.user import Caller, Chat, ChatKind
from core.ports import BurstStatus, Drafts, Transaction
from core.settings import DatabaseSettings, DataSettings, RedisSettings, Settings
from core.wiring import App, build_app, open_plumbing
from workers.jobs import Work, attempt
from workers.standalone import migrate
from workers.wiring import WorkApp, build_work

NOBODY = 0
"""The bot's and the person's outside id of the local owner: no messenger has them."""
LOCALE = "en"
HERE = ReplyTo("")
"""Nobody waits for a status message: a command says itself how it ended."""
WAIT_S = 1.0
"""Between looks at a source that another process is reading."""


class NoDrafts:
    """Nobody watches an answer being written."""

    async def show(self, text: str) -> None:
        """Show nothing."""

    async def close(self) -> None:
        """Hold nothing."""


FIRST_TITLE = "console"
"""Of the notebook that the owner has from the start."""


@dataclass(slots=True)
class Told:
    """The notifier of a console: keeps what would be sent."""

    answers: dict[int, Answer] = field(default_factory=dict)
    failures: dict[int, UserError] = field(default_factory=dict)

    async def burst_changed(self, tx: Transaction, status: BurstStatus) -> None:
        """Show no status: the command says how it ended."""

    async def answered(self, tx: Transaction, question: Question, answer_id: AnswerId, answer: Answer) -> None:
        """Keep the answer."""
        self.answers[question.id] = answer

    async def question_failed(
        self, tx: Transaction, question: Question, text_key: str, values: Mapping[str, str | int]
    ) -> None:
        """Keep the reason."""
        self.failures[question.id] = UserError(text_key, dict(values))

    def drafts(self, question: Question, chat: Chat) -> Drafts:
        """Watch nothing."""
        return NoDrafts()


@dataclass(frozen=True, slots=True)
class Session:
    """What a command works with."""

    app: App
    work: WorkApp
    told: Told
    caller: Caller
    first_title: str = FIRST_TITLE

    async def notebook(self, title: str, *, make: bool) -> Caller:
        """Return the owner as a caller who talks to the notebook of this title.

        Raises:
            UserError: `notebook-gone` when there is none and none is to be made, `notebook-title-empty`.
        """
        assert self.caller.person is not None
        name = " ".join(title.split())
        if not name:
            raise UserError("notebook-title-empty")
        async with self.app.transactions() as tx:
            await tx.people.lock_chat(self.caller.chat.id)  # two commands at once make one notebook
            found = await tx.notebooks.by_title(self.caller.person.id, name)
            if found is None and make:
                found = await tx.notebooks.add(name, LOCALE, self.caller.person.id)
        if found is None:
            raise UserError("notebook-gone")
        return self.at(found)

    def at(self, notebook: Notebook) -> Caller:
        """Return the owner talking to a notebook."""
        return Caller(self.caller.person, self.caller.chat, notebook.id, LOCALE)

    async def read(self, source: Source) -> list[Source]:
        """Read and embed a source here, or wait while another process does.

        Returns:
            How it ended; of a container, how each of those ended that came in its place.
        """
        key = source.notebook_id, source.id
        ingest, embed = self.work.ingest_source, self.work.embed_source
        before = await self._all(source)
        while True:
            wait = await attempt(lambda: ingest(*key), lambda: ingest.give_up(*key))
            now = await self._all(source)
            if source.id not in now or now[source.id].state.ended:
                break
            await asyncio.sleep(wait or WAIT_S)
        opened = source.id not in now or now[source.id].kind.is_container
        members = [one for one in now.values() if opened and one.id not in before]
        if source.id in now:
            await _finish(lambda: embed(*key), lambda: embed.give_up(*key))
        ended = [one for member in members for one in await self.read(member)]
        return ended if source.id not in now else [await self._look(source), *ended]

    async def answer(self, question: Question) -> Answer:
        """Answer a question here, waiting between tries.

        Raises:
            UserError: It could not be answered; says why.
        """
        answer = self.work.answer_question
        await _finish(lambda: answer(question.id), lambda: answer.give_up(question.id))
        if question.id in self.told.answers:
            return self.told.answers.pop(question.id)
        raise self.told.failures.pop(question.id, UserError("error-generic"))

    async def _all(self, source: Source) -> dict[SourceId, Source]:
        async with self.app.transactions() as tx:
            return {one.id: one for one in await tx.sources.of_notebook(source.notebook_id)}

    async def _look(self, source: Source) -> Source:
        async with self.app.transactions() as tx:
            current = await tx.sources.get(source.notebook_id, source.id)
        if current is None:
            raise UserError("source-gone")
        return current


async def _finish(work: Work, give_up: Callable[[], Awaitable[None]]) -> None:
    """Do a piece of work, waiting between tries, until it has ended one way or another."""
    wait = await attempt(work, give_up)
    while wait is not None:
        await asyncio.sleep(wait)
        wait = await attempt(work, give_up)


@asynccontextmanager
async def local_session(settings: Settings) -> AsyncIterator[Session]:
    """Open the owner's session; embedded services that had to be started go on running (`konspekt stop`)."""
    filled = await asyncio.to_thread(with_services, settings)
    plumbing = open_plumbing(filled, with_queue=False)
    told = Told()
    work = build_work(plumbing, told, None)
    app = build_app(plumbing, told, file_limit_bytes=None)
    try:
        await work.open()
        yield Session(app, work, told, await _owner(app))
    finally:
        await work.close()
        await plumbing.close()


def with_services(settings: Settings) -> Settings:
    """Fill in the addresses of embedded services, starting what does not run, and bring the tables up to date."""
    folder = settings.data.dir.expanduser().resolve()
    database, redis = settings.database.url.get_secret_value(), settings.redis.url.get_secret_value()
    started = start_embedded(Path(folder), postgres=not database, valkey=not redis)
    database = database or started.database_url
    with _one_at_a_time(folder):
        migrate(database)
    return settings.model_copy(
        update={
            "database": DatabaseSettings(url=SecretStr(database), pool_size=settings.database.pool_size),
            "redis": RedisSettings(url=SecretStr(redis or started.redis_url)),
            "data": DataSettings(dir=folder),
        }
    )


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait for another command that brings the tables up to date: of two first ones, one would fail."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "migrate.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


async def _owner(app: App) -> Caller:
    caller = await app.identify_caller(
        Appearance(NOBODY, NOBODY, "owner", LOCALE, NOBODY, ChatKind.PRIVATE, FIRST_TITLE, 0, FIRST_TITLE)
    )
    assert caller.person is not None
    async with app.transactions() as tx:
        await tx.people.set_plan(caller.person.id, PlanName.OPERATOR)
    return caller
