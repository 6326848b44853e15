"""What is sent together is taken in, taken back, moved and read again, over real Postgres."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from core.adapters.embedded_services import EmbeddedServices
from core.billing.plans import PLANS
from core.jobs import EmbedSource, IngestSource
from core.library.add_source import Added, Incoming
from core.library.link_source import link_label, link_source
from core.library.take_in import Arrival, arrival_of_links
from core.library.undo_burst import UNDO_S
from core.model.ids import BurstId, NotebookId
from core.model.plan import PlanName
from core.model.source import Part, Reason, Source, SourceKind, SourceState, Stage, Upload
from core.model.user import Caller
from core.ports import Burst, Known, Refused, SourceUpdate
from tests.integration.household import HERE, NOON, NOTE, WHO, Household, household, refused

ROOM = PLANS[PlanName.FREE].max_sources


def words(number: int = 0) -> Incoming:
    return Incoming(SourceKind.TEXT, f"Заметка {number}", Upload(text=f"{NOTE} {number}"))


def photo(number: int, album: str = "A", caption: str = "") -> Incoming:
    part = Part(f"file-{album}-{number}", f"unique-{album}-{number}", 1000, caption, place=number)
    return Incoming(SourceKind.IMAGE, "", Upload(unique_file=part.unique_file, album=album, parts=(part,)))


async def take(home: Household, caller: Caller, *items: Incoming, seconds: float = 0.0) -> tuple[Added, ...]:
    return await home.app.take_in(caller, Arrival(items), HERE, now=NOON + timedelta(seconds=seconds))


async def burst_of(home: Household, source: Source) -> Burst:
    assert source.burst_id is not None
    async with home.app.transactions() as tx:
        burst = await tx.bursts.get(source.burst_id)
    assert burst is not None
    return burst


async def look(home: Household, caller: Caller, source: Source, notebook_id: NotebookId | None = None) -> Source:
    return await home.app.get_source(caller, notebook_id or source.notebook_id, source.id)


@pytest.fixture
async def library(home: Household, anya: Caller) -> NotebookId:
    """Another notebook of Anya's; hers stays the active one."""
    made = await home.app.create_notebook(anya, "Библиотека")
    await home.app.switch_notebook(anya, anya.notebook_id)
    return made.id


# What is taken in


async def test_a_burst_of_sixty_with_room_for_fifty_keeps_fifty_and_names_ten(home: Household, anya: Caller) -> None:
    kept = [one for number in range(ROOM + 10) for one in await take(home, anya, words(number), seconds=number / 10)]
    assert len(kept) == ROOM
    assert {one.source.burst_id for one in kept} == {kept[0].source.burst_id}
    remarks = (await burst_of(home, kept[0].source)).remarks
    assert [one.title for one in remarks.refused] == [f"Заметка {ROOM + number}" for number in range(10)]
    assert {one.reason.text_key for one in remarks.refused} == {"source-too-many"}


async def test_a_file_that_is_too_large_stops_no_other(home: Household, anya: Caller) -> None:
    large = Incoming(SourceKind.PDF, "книга.pdf", Upload(size_bytes=21_000_000, remote_file="big"))
    (added,) = await take(home, anya, large, words())
    (refusal,) = (await burst_of(home, added.source)).remarks.refused
    assert (refusal.title, refusal.kind, refusal.reason.text_key) == ("книга.pdf", SourceKind.PDF, "source-too-large")


async def test_equal_parts_of_a_paste_are_known_and_sent_nowhere(home: Household, anya: Caller) -> None:
    first, *others = [(await take(home, anya, words()))[0] for _ in range(25)]
    assert not first.duplicate
    assert all(one.duplicate and one.source.id == first.source.id for one in others)
    remarks = (await burst_of(home, first.source)).remarks
    assert remarks.known == (Known("Заметка 0", SourceKind.TEXT),) * 24


@pytest.mark.parametrize(
    "same",
    ["https://youtu.be/dQw4w9WgXcQ?si=x", "http://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3", "youtu.be/dQw4w9WgXcQ"],
)
async def test_the_same_video_by_another_address_is_known(home: Household, anya: Caller, same: str) -> None:
    (first,) = await take(home, anya, link_source("https://www.youtube.com/watch?v=dQw4w9WgXcQ"))
    (second,) = await take(home, anya, link_source(same))
    assert (second.duplicate, second.source.id) == (True, first.source.id)


async def test_bad_links_are_refused_and_the_others_go_on(home: Household, anya: Caller) -> None:
    arrival = arrival_of_links(["https://example.org/a", "https://youtu.be/short", "http://nowhere"])
    added = await home.app.take_in(anya, arrival, HERE, now=NOON)
    assert [one.source.upload.url for one in added] == ["https://example.org/a"]
    refusals = (await burst_of(home, added[0].source)).remarks.refused
    assert [(one.title, one.reason.text_key) for one in refusals] == [
        ("youtu.be/short", "youtube-bad-id"),
        ("nowhere", "link-invalid"),
    ]


def test_an_address_stands_for_a_title_until_there_is_one() -> None:
    assert link_label("https://www.example.org/%D0%B3%D0%BB%D0%B0%D0%B2%D0%B0/?a=1") == "example.org/глава?a=1"
    assert len(link_label(f"https://example.org/{'x' * 500}")) == 60
    assert link_label("http://[broken") == "[broken"


async def test_offered_links_are_added_once_to_the_same_burst_and_notebook(
    home: Household, anya: Caller, library: NotebookId
) -> None:
    arrival = replace(Arrival((words(),)), links=("https://example.org/1", "https://example.org/2"))
    (note,) = await home.app.take_in(anya, arrival, HERE, now=NOON)
    burst = await burst_of(home, note.source)
    elsewhere = replace(anya, notebook_id=library)
    added = await home.app.add_offered_links(elsewhere, burst.id, now=NOON + timedelta(minutes=9))
    assert {(one.source.burst_id, one.source.notebook_id) for one in added} == {(burst.id, anya.notebook_id)}
    assert await home.app.add_offered_links(anya, burst.id, now=NOON) == ()
    assert (await burst_of(home, note.source)).remarks.links == ()


async def test_what_holds_nothing_to_read_is_remarked(home: Household, anya: Caller) -> None:
    sticker = Refused("", None, Reason("source-no-text", {}))
    assert await home.app.take_in(anya, Arrival(refused=(sticker,)), HERE, now=NOON) == ()
    (added,) = await take(home, anya, words())
    assert (await burst_of(home, added.source)).remarks.refused == (sticker,)


# Albums


async def test_photos_of_an_album_are_one_source_in_the_messengers_order(home: Household, anya: Caller) -> None:
    added = [(await take(home, anya, photo(number, caption=f"№ {number}")))[0].source for number in (2, 5, 1, 4, 3)]
    assert len({source.id for source in added}) == 1
    album = await look(home, anya, added[0])
    assert [part.place for part in album.upload.parts] == [1, 2, 3, 4, 5]
    assert [part.caption for part in album.upload.parts] == [f"№ {number}" for number in range(1, 6)]
    assert (await home.rows_of(anya.notebook_id))["sources"] == 1


async def test_a_photo_that_comes_after_its_album_was_begun_is_a_source_of_its_own(
    home: Household, anya: Caller
) -> None:
    (first,) = await take(home, anya, photo(1))
    async with home.app.transactions() as tx:
        assert await tx.sources.lease(anya.notebook_id, first.source.id, "worker", now=NOON, seconds=60)
    (late,) = await take(home, anya, photo(2))
    assert late.source.id != first.source.id
    (later,) = await take(home, anya, photo(3))
    assert later.source.id == late.source.id


async def test_another_album_and_another_burst_are_other_sources(home: Household, anya: Caller) -> None:
    ids = [
        (await take(home, anya, item, seconds=seconds))[0].source.id
        for item, seconds in ((photo(1), 0), (photo(2, "B"), 0), (photo(3), 100))
    ]
    assert len(set(ids)) == 3


async def test_an_album_sent_again_is_known_photo_by_photo(home: Household, anya: Caller) -> None:
    for number in (1, 2, 3):
        await take(home, anya, photo(number))
    again = [(await take(home, anya, photo(number), seconds=100))[0] for number in (1, 2, 3)]
    assert all(one.duplicate for one in again)


async def test_an_album_is_not_read_before_its_last_photo_had_time_to_come(home: Household, anya: Caller) -> None:
    (added,) = await take(home, anya, photo(1))
    wait = await home.work.ingest_source(anya.notebook_id, added.source.id)
    assert wait is not None
    assert (await look(home, anya, added.source)).state is SourceState.QUEUED


# Taking back


async def test_a_burst_is_taken_back_with_all_that_was_made_of_it(
    home: Household, anya: Caller, tmp_path: Path
) -> None:
    path = tmp_path / "note.txt"
    path.write_text(NOTE, "utf-8")
    file = Incoming(SourceKind.PLAIN_FILE, "note.txt", Upload(file_name=path.name, path=str(path)))
    read, half, waiting = [one.source for one in await take(home, anya, file, words(1), words(2))]
    await home.work.ingest_source(read.notebook_id, read.id)
    await home.work.embed_source(read.notebook_id, read.id)
    original = home.plumbing.blobs.path((await look(home, anya, read)).original_key)
    async with home.app.transactions() as tx:
        assert await tx.sources.lease(half.notebook_id, half.id, "worker", now=NOON, seconds=60)
    asked = await home.app.ask_question(anya, WHO, HERE, now=NOON, after=waiting.id)

    burst = await burst_of(home, read)
    assert await home.app.undo_burst(anya, burst.id, now=NOON + timedelta(seconds=UNDO_S)) == 3

    assert not original.exists()
    kept = {"bursts", "chat_notebooks", "notebook_members", "questions"}
    assert (await home.rows_of(anya.notebook_id)).keys() <= kept
    async with home.app.transactions() as tx:
        assert not await tx.sources.renew(half.notebook_id, half.id, "worker", until=NOON)
    assert await home.work.ingest_source(waiting.notebook_id, waiting.id) is None
    assert await home.work.answer_question(asked.id) is None
    assert asked.id not in home.told.answers
    assert asked.id not in home.told.failures
    await refused(home.app.undo_burst(anya, burst.id, now=NOON), "undo-nothing")
    (next_one,) = await take(home, anya, words(), seconds=1)
    assert next_one.source.burst_id != burst.id


async def test_after_ten_minutes_and_for_a_stranger_nothing_is_taken_back(
    home: Household, anya: Caller, boris: Caller
) -> None:
    (added,) = await take(home, anya, words())
    burst = await burst_of(home, added.source)
    await refused(home.app.undo_burst(anya, burst.id, now=NOON + timedelta(seconds=UNDO_S + 1)), "undo-too-late")
    await refused(home.app.undo_burst(boris, burst.id, now=NOON), "burst-gone")
    await refused(home.app.undo_burst(anya, BurstId(10**9), now=NOON), "burst-gone")
    assert (await look(home, anya, added.source)).id == added.source.id


async def test_in_a_group_each_takes_back_what_they_gave(home: Household, group: int) -> None:
    one, two = await home.member(group, 501), await home.member(group, 502)
    (first,) = await take(home, one, words(1))
    burst = await burst_of(home, first.source)
    await refused(home.app.undo_burst(two, burst.id, now=NOON), "source-not-yours")
    (second,) = await take(home, two, words(2))
    assert second.source.burst_id == burst.id
    assert await home.app.undo_burst(two, burst.id, now=NOON) == 1
    assert (await look(home, one, first.source)).id == first.source.id


# Moving


async def test_a_burst_moves_with_all_that_was_made_of_it_and_answers_there(
    home: Household, anya: Caller, library: NotebookId
) -> None:
    (added,) = await take(home, anya, words())
    source = added.source
    await home.work.ingest_source(source.notebook_id, source.id)
    await home.work.embed_source(source.notebook_id, source.id)
    before = await home.rows_of(anya.notebook_id)
    burst = await burst_of(home, source)
    assert [one.id for one in await home.app.list_targets(anya, burst.id)] == [library]

    assert (await home.app.move_burst(anya, burst.id, library)).id == library

    after = await home.rows_of(library)
    for table in ("sources", "source_texts", "insights", "chunks", "postings", "vectors"):
        assert after[table] == before[table] > 0
        assert table not in await home.rows_of(anya.notebook_id)
    assert (await burst_of(home, source)).notebook_id == library
    answer = await home.ask(replace(anya, notebook_id=library), WHO)
    assert answer is not None
    assert "Семёна Петровича" in answer.text
    assert {item.source_id for item in answer.citations} == {source.id}
    await home.app.delete_source(replace(anya, notebook_id=library), library, source.id)
    assert not (await home.rows_of(library)).keys() & {"chunks", "postings", "vectors", "source_texts", "insights"}


async def test_what_moves_while_it_is_read_is_read_anew_there(
    home: Household, anya: Caller, library: NotebookId
) -> None:
    (added,) = await take(home, anya, words())
    source = added.source
    async with home.app.transactions() as tx:
        assert await tx.sources.lease(source.notebook_id, source.id, "worker", now=NOON, seconds=60)
        reading = SourceUpdate(state=SourceState.READING, stage=Stage.EXTRACT)
        await tx.sources.update(source.notebook_id, source.id, reading)
    home.post.jobs.clear()
    burst = await burst_of(home, source)
    await home.app.move_burst(anya, burst.id, library)
    async with home.app.transactions() as tx:
        assert not await tx.sources.renew(source.notebook_id, source.id, "worker", until=NOON)
        assert not await tx.sources.renew(library, source.id, "worker", until=NOON)
    assert home.post.jobs == [IngestSource(library, source.id, heavy=False)]
    await home.work.ingest_source(library, source.id)
    assert (await look(home, anya, source, library)).state is SourceState.READY


async def test_a_source_whose_vectors_were_not_made_gets_them_there(
    home: Household, anya: Caller, library: NotebookId
) -> None:
    (added,) = await take(home, anya, words())
    source = added.source
    await home.work.ingest_source(source.notebook_id, source.id)
    home.post.jobs.clear()
    await home.app.move_burst(anya, (await burst_of(home, source)).id, library)
    assert home.post.jobs == [EmbedSource(library, source.id)]
    await home.work.embed_source(library, source.id)
    assert (await home.rows_of(library))["vectors"] > 0


async def test_a_question_under_what_moves_follows_it(home: Household, anya: Caller, library: NotebookId) -> None:
    (added,) = await take(home, anya, words())
    asked = await home.app.ask_question(anya, WHO, HERE, now=NOON, after=added.source.id)
    await home.app.move_burst(anya, (await burst_of(home, added.source)).id, library)
    await home.work.ingest_source(library, added.source.id)
    answer = await home.answer(asked)
    assert answer is not None
    assert answer.answered


async def test_a_move_needs_the_right_to_write_in_both_and_room(
    home: Household, anya: Caller, boris: Caller, library: NotebookId, group: int
) -> None:
    (added,) = await take(home, anya, words())
    burst = await burst_of(home, added.source)
    await refused(home.app.move_burst(anya, burst.id, boris.notebook_id), "notebook-gone")
    await refused(home.app.move_burst(boris, burst.id, boris.notebook_id), "burst-gone")
    member = await home.member(group, 503)
    (shared,) = await take(home, member, words())
    theirs = await burst_of(home, shared.source)
    await refused(home.app.move_burst(member, theirs.id, member.notebook_id), "notebook-gone")
    await home.execute(
        "INSERT INTO sources (notebook_id, kind, upload, origin) "
        "SELECT :id, 'text', '{}', '{}' FROM generate_series(1, :count)",
        id=library, count=ROOM,
    )  # fmt: skip
    await refused(home.app.move_burst(anya, burst.id, library), "source-too-many")
    assert (await look(home, anya, added.source)).notebook_id == anya.notebook_id


async def test_what_the_other_notebook_holds_is_not_held_twice(
    home: Household, anya: Caller, library: NotebookId
) -> None:
    there = replace(anya, notebook_id=library)
    await take(home, there, words(1))
    one, two = [item.source for item in await take(home, anya, words(1), words(2))]
    burst = await burst_of(home, one)
    await home.app.move_burst(anya, burst.id, library)
    assert (await home.rows_of(library))["sources"] == 2
    assert (await look(home, anya, two, library)).burst_id == burst.id
    assert (await burst_of(home, two)).remarks.known == (Known("Заметка 1", SourceKind.TEXT),)


# Reading again


async def test_a_refreshed_link_answers_from_its_old_text_until_it_is_read(home: Household, anya: Caller) -> None:
    (added,) = await take(home, anya, link_source("https://example.org/page"))
    key = (added.source.notebook_id, added.source.id)
    async with home.app.transactions() as tx:
        done = SourceUpdate(state=SourceState.READY, stage=Stage.DONE, original_key="old", tries=3)
        await tx.sources.update(*key, done)
    home.post.jobs.clear()
    again = await home.app.refresh_source(anya, *key, now=NOON)
    assert (again.state, again.stage, again.original_key, again.tries) == (SourceState.READY, Stage.FETCH, "", 0)
    assert home.post.jobs == [IngestSource(*key, heavy=False)]
    async with home.app.transactions() as tx:
        assert await tx.sources.answerable(anya.notebook_id) == 1
    await refused(home.app.refresh_source(anya, *key, now=NOON), "refresh-not-needed")


async def test_what_failed_for_a_reason_that_time_heals_is_read_again(home: Household, anya: Caller) -> None:
    sources = [one.source for one in await take(home, anya, words(1), words(2), words(3))]
    reasons = ("telegram-away", "source-encrypted", "youtube-blocked")
    for source, key in zip(sources, reasons, strict=True):
        async with home.app.transactions() as tx:
            failed = SourceUpdate(state=SourceState.FAILED, stage=Stage.DONE, reason=Reason(key, {}))
            await tx.sources.update(source.notebook_id, source.id, failed)
    home.post.jobs.clear()
    burst = await burst_of(home, sources[0])
    assert await home.app.retry_burst(anya, burst.id, now=NOON + timedelta(hours=1)) == 2
    states = [(await look(home, anya, source)).state for source in sources]
    assert states == [SourceState.QUEUED, SourceState.FAILED, SourceState.QUEUED]
    assert len(home.post.jobs) == 2
    assert (await burst_of(home, sources[0])).begun_at == NOON + timedelta(hours=1)
    await home.work.ingest_source(sources[0].notebook_id, sources[0].id)
    assert (await look(home, anya, sources[0])).state is SourceState.READY


# Two replicas


@pytest.fixture
async def replica(database_url: str, services: EmbeddedServices, tmp_path: Path) -> AsyncIterator[Household]:
    """Another process of the bot over the same rows."""
    async with household(database_url, services.redis_url, tmp_path) as wired:
        yield wired


async def test_two_replicas_share_a_burst_an_album_and_the_words_before_it(
    home: Household, replica: Household, anya: Caller
) -> None:
    asked = await home.app.ask_question(anya, "вот лекции", HERE, now=NOON, hold=True)
    (first,) = await take(replica, anya, photo(1), seconds=0.2)
    (second,) = await take(home, anya, photo(2), seconds=0.4)
    assert first.source.id == second.source.id
    assert (await burst_of(home, first.source)).remarks.note == "вот лекции"
    assert await home.work.answer_question(asked.id) is None
    assert asked.id not in home.told.answers
