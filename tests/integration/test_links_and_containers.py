"""What is behind a link, in an archive or in an album becomes sources; a link that is read anew keeps answering."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.adapters.extractors.plain_text import PlainText
from core.errors import KonspektError, PermanentError, TransientError, UserError
from core.jobs import IngestSource
from core.library.add_source import Incoming
from core.model.answer import Answer
from core.model.document import Document
from core.model.source import About, Reason, Source, SourceKind, SourceState, Stage, Upload
from core.model.user import Caller
from core.ports import Cascade, ExtractionRequest, Fetched, Member, Opened, Progress, SourceUpdate
from tests.integration.household import HERE, NOON, NOTE, WHO, Household, household, refused
from workers.outside import Outside

LECTURE = Path(__file__).parents[1] / "data" / "ru_lecture.pdf"


@dataclass
class Web:
    """The fetcher of a small web: addresses with what they answer."""

    answers: dict[str, bytes | Path | KonspektError] = field(default_factory=dict)

    async def fetch(self, url: str, target: Path, *, max_bytes: int) -> Fetched:
        answer = self.answers[url]
        if isinstance(answer, KonspektError):
            raise answer
        if isinstance(answer, Path):
            shutil.copyfile(answer, target)
            return Fetched(url, "application/pdf", answer.name, is_page=False)
        await asyncio.to_thread(target.write_bytes, answer)
        return Fetched(url, "text/html", "", is_page=True)


@dataclass
class Page:
    """A level that reads a page as it was fetched, or says what it knows by itself."""

    name: str = "page"
    deadline_s: float = 10.0
    alone: str = ""

    def unavailable(self) -> str:
        return ""

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        text = await asyncio.to_thread(Path(request.path).read_text) if request.path else self.alone
        if not text:
            raise PermanentError("extraction-failed")
        return Document(text, title="Ключи", about=About(author="Семён", url=request.url))


@dataclass
class Box:
    """An opener whose container holds two notes and a picture that nobody reads."""

    lost: tuple[Reason, ...] = ()
    limits: list[int] = field(default_factory=list)

    async def open(self, request: ExtractionRequest, folder: Path, *, limit: int) -> Opened:
        self.limits.append(limit)
        for name, words in (("1", NOTE), ("2", "Буфет работает до шести вечера, кроме субботы.")):
            (folder / name).write_text(words)
        members = [
            Member("ключи.txt", SourceKind.PLAIN_FILE, str(folder / "1")),
            Member("буфет.txt", SourceKind.PLAIN_FILE, str(folder / "2")),
        ]
        return Opened(tuple(members[:limit]), self.lost)


@dataclass
class World:
    web: Web
    page: Page
    box: Box
    home: Household

    async def add(self, caller: Caller, incoming: Incoming) -> Source:
        return (await self.home.app.add_source(caller, incoming, HERE, now=NOON)).source

    async def read(self, caller: Caller, source: Source) -> Source:
        await self.home.work.ingest_source(source.notebook_id, source.id)
        return await self.home.app.get_source(caller, source.notebook_id, source.id)

    async def link(self, caller: Caller, url: str) -> Source:
        return await self.read(caller, await self.add(caller, Incoming(SourceKind.WEB, "", Upload(url=url))))

    async def titles(self, caller: Caller) -> list[str]:
        return [one.title for one in (await self.home.app.list_sources(caller, caller.notebook_id))[1]]


@pytest.fixture
async def world(database_url: str, redis_url: str, tmp_path: Path) -> AsyncIterator[World]:
    web, page, box = Web(), Page(), Box()

    async def nothing() -> None:
        """Nothing is held open."""

    cascades = {
        SourceKind.WEB: Cascade((page,)),
        SourceKind.PLAIN_FILE: Cascade((PlainText(),)),
        SourceKind.TEXT: Cascade((PlainText(),)),
    }
    outside = Outside(cascades, {SourceKind.PLAYLIST: box}, web, nothing, nothing)
    async with household(database_url, redis_url, tmp_path, outside=outside) as home:
        yield World(web, page, box, home)


async def test_a_page_behind_a_link_answers_and_says_who_wrote_it(world: World) -> None:
    anya = await world.home.person()
    world.web.answers["https://a.example/keys"] = NOTE.encode()
    source = await world.link(anya, "https://a.example/keys")
    assert (source.state, source.extractor, source.title) == (SourceState.READY, "page", "Ключи")
    assert source.about.author == "Семён"
    answer = await world.home.ask(anya, WHO)
    assert answer is not None
    assert "Семёна Петровича" in answer.text


async def test_w2_a_file_behind_a_link_goes_to_the_heavy_workers_with_its_bytes(world: World) -> None:
    anya = await world.home.person()
    world.web.answers["https://a.example/file"] = LECTURE
    source = await world.link(anya, "https://a.example/file")
    assert source.kind is SourceKind.PDF
    assert source.original_key
    assert source.upload.file_name == LECTURE.name
    assert not source.state.ended
    assert IngestSource(source.notebook_id, source.id, heavy=True) in world.home.post.jobs


async def test_a_page_that_opens_only_to_a_browser_is_left_to_it(world: World) -> None:
    anya = await world.home.person()
    world.web.answers["https://a.example/guarded"] = PermanentError("link-refused")
    world.page.alone = NOTE
    assert (await world.link(anya, "https://a.example/guarded")).state is SourceState.READY


async def test_a_link_that_is_away_for_everybody_is_tried_again(world: World) -> None:
    anya = await world.home.person()
    world.web.answers["https://a.example/away"] = TransientError("link-away")
    source = await world.link(anya, "https://a.example/away")
    assert (source.state, source.tries) == (SourceState.QUEUED, 1)


async def test_a_refused_address_ends_at_once(world: World) -> None:
    anya = await world.home.person()
    world.web.answers["https://a.example/private"] = UserError("link-private")
    source = await world.link(anya, "https://a.example/private")
    assert source.state is SourceState.FAILED
    assert source.reason == Reason("link-private", {})


async def test_a_container_gives_way_to_what_it_holds(world: World) -> None:
    anya = await world.home.person()
    box = await world.add(anya, Incoming(SourceKind.PLAYLIST, "Курс", Upload(url="https://a.example/list")))
    world.home.post.jobs.clear()
    await world.home.work.ingest_source(box.notebook_id, box.id)
    members = (await world.home.app.list_sources(anya, anya.notebook_id))[1]
    assert [member.title for member in members] == ["ключи.txt", "буфет.txt"]
    assert {member.burst_id for member in members} == {box.burst_id}
    assert world.home.post.jobs == [IngestSource(one.notebook_id, one.id, heavy=False) for one in members]
    for member in members:
        assert (await world.read(anya, member)).state is SourceState.READY
    again = await world.add(anya, Incoming(SourceKind.PLAYLIST, "Курс", Upload(url="https://a.example/again")))
    await world.home.work.ingest_source(again.notebook_id, again.id)
    assert await world.titles(anya) == ["ключи.txt", "буфет.txt"]


async def test_a_container_that_lost_some_stays_to_say_so(world: World) -> None:
    anya = await world.home.person()
    world.box.lost = (Reason("source-too-many", {"limit": 50}),)
    box = await world.add(anya, Incoming(SourceKind.PLAYLIST, "Курс", Upload(url="https://a.example/list")))
    left = await world.read(anya, box)
    assert (left.state, left.reason) == (SourceState.FAILED, world.box.lost[0])
    assert await world.titles(anya) == ["Курс", "ключи.txt", "буфет.txt"]


async def test_a_container_holds_no_more_than_the_notebook_has_room_for(world: World) -> None:
    anya = await world.home.person()
    for number in range(48):
        await world.add(anya, Incoming(SourceKind.TEXT, "", Upload(text=f"Заметка номер {number}.")))
    box = await world.add(anya, Incoming(SourceKind.PLAYLIST, "Курс", Upload(url="https://a.example/list")))
    await world.home.work.ingest_source(box.notebook_id, box.id)
    assert world.box.limits == [2]
    await refused(world.add(anya, Incoming(SourceKind.TEXT, "", Upload(text="Ещё одна."))), "source-too-many")


async def test_a_link_read_anew_answers_from_its_old_text_until_the_new_one_is_there(world: World) -> None:
    anya = await world.home.person()
    url = "https://a.example/keys"
    world.web.answers[url] = NOTE.encode()
    source = await world.link(anya, url)
    await anew(world, source)
    world.web.answers[url] = TransientError("link-away")
    meanwhile = await world.read(anya, source)
    assert meanwhile.state is SourceState.READY
    assert "Семёна" in (await asked(world, anya)).text
    world.web.answers[url] = NOTE.replace("Семёна Петровича", "Анны Ильиничны").encode()
    await world.home.execute("UPDATE sources SET retry_at = NULL")
    fresh = await world.read(anya, source)
    assert (fresh.state, fresh.version) == (SourceState.READY, source.version + 1)
    assert fresh.reason is not None
    assert fresh.reason.text_key == "source-refreshed"
    assert "Анны Ильиничны" in (await asked(world, anya)).text


async def test_a_link_that_is_gone_keeps_its_old_text_and_says_so(world: World) -> None:
    anya = await world.home.person()
    url = "https://a.example/keys"
    world.web.answers[url] = NOTE.encode()
    source = await world.link(anya, url)
    await anew(world, source)
    world.web.answers[url] = UserError("link-not-found")
    kept = await world.read(anya, source)
    assert (kept.state, kept.stage, kept.reason) == (SourceState.READY, Stage.DONE, Reason("link-not-found", {}))
    assert "Семёна" in (await asked(world, anya)).text


async def test_what_was_written_under_a_file_is_found(world: World) -> None:
    anya = await world.home.person()
    upload = Upload(url="https://a.example/keys", caption="Спросить у коменданта Зинаиды")
    world.web.answers[upload.url] = NOTE.encode()
    await world.read(anya, await world.add(anya, Incoming(SourceKind.WEB, "", upload)))
    answer = await world.home.ask(anya, "Как зовут коменданта?")
    assert answer is not None
    assert "Зинаиды" in answer.text


async def anew(world: World, source: Source) -> None:
    """Have a link read anew, as its button does."""
    change = SourceUpdate(stage=Stage.FETCH, original_key="", content_hash="", tries=0)
    async with world.home.app.transactions() as tx:
        await tx.sources.update(source.notebook_id, source.id, change)


async def asked(world: World, caller: Caller) -> Answer:
    answer = await world.home.ask(caller, WHO)
    assert answer is not None
    return answer
