"""Sources are added, recognised, muted and deleted, over real Postgres."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.billing.plans import PLANS
from core.jobs import IngestSource
from core.library.add_source import BURST_WINDOW_S, Incoming
from core.model.plan import PlanName
from core.model.source import SourceKind, SourceState, Upload
from core.model.user import Caller
from tests.integration.household import FILE_LIMIT_BYTES, HERE, NOON, NOTE, WHO, Household, refused


def words(text: str = NOTE, **more: str) -> Incoming:
    return Incoming(SourceKind.TEXT, "Заметка", Upload(text=text), **more)


async def test_a_source_is_recorded_and_sent_to_be_read_after_the_commit(home: Household, anya: Caller) -> None:
    home.post.jobs.clear()
    added = await home.app.add_source(anya, words(), HERE, now=NOON)
    assert added.source.state is SourceState.QUEUED
    assert home.post.jobs == [IngestSource(anya.notebook_id, added.source.id, heavy=False)]


@pytest.mark.parametrize(
    "twin",
    [
        words(),
        Incoming(SourceKind.PLAIN_FILE, "файл", Upload(remote_file="other", unique_file="unique")),
        words("Совсем другое", external_id="id-1"),
    ],
    ids=["the same words", "the same file", "the same outside id"],
)
async def test_a_duplicate_is_recognised_and_sent_nowhere(home: Household, anya: Caller, twin: Incoming) -> None:
    upload = Upload(text=NOTE, unique_file="unique")
    first = await home.app.add_source(anya, Incoming(SourceKind.TEXT, "A", upload, external_id="id-1"), HERE, now=NOON)
    home.post.jobs.clear()
    second = await home.app.add_source(anya, twin, HERE, now=NOON)
    assert (second.duplicate, second.source.id) == (True, first.source.id)
    assert home.post.jobs == []


async def test_a_source_that_failed_may_be_sent_again(home: Household, anya: Caller) -> None:
    empty = await home.add(anya, "\u200b\u200b")
    assert empty.state is SourceState.FAILED
    assert not (await home.app.add_source(anya, words("\u200b\u200b"), HERE, now=NOON)).duplicate


async def test_the_same_words_in_another_notebook_are_no_duplicate(
    home: Household, anya: Caller, boris: Caller
) -> None:
    await home.app.add_source(anya, words(), HERE, now=NOON)
    assert not (await home.app.add_source(boris, words(), HERE, now=NOON)).duplicate


@pytest.mark.parametrize("dirt", ["\x00", "\ud800", "\ude00\ud83d"])
async def test_s1_words_with_a_nul_or_half_a_character_become_a_source(
    home: Household, anya: Caller, dirt: str
) -> None:
    source = await home.add(anya, f"{NOTE}{dirt}", title=f"Ключ{dirt}")
    assert source.state is SourceState.READY
    answer = await home.ask(anya, f"У кого ключ{dirt} от аудитории 214?")
    assert answer is not None
    assert "Семёна Петровича" in answer.text


async def test_sources_that_follow_each_other_closely_are_one_burst(home: Household, anya: Caller) -> None:
    bursts = []
    for number, seconds in enumerate((0, BURST_WINDOW_S - 0.1, 2 * BURST_WINDOW_S - 0.3, 3 * BURST_WINDOW_S)):
        now = NOON + timedelta(seconds=seconds)
        bursts.append((await home.app.add_source(anya, words(f"{NOTE} {number}"), HERE, now=now)).source.burst_id)
    assert bursts[0] == bursts[1] == bursts[2]
    assert bursts[3] != bursts[0]


async def test_where_nobody_waits_for_a_status_there_is_no_burst(home: Household, anya: Caller) -> None:
    added = await home.app.add_source(anya, words(), type(HERE)(""), now=NOON)
    assert added.source.burst_id is None
    assert "bursts" not in await home.rows_of(anya.notebook_id)


async def test_a_notebook_takes_no_more_sources_than_the_plan_says(home: Household, anya: Caller) -> None:
    limit = PLANS[PlanName.FREE].max_sources
    await home.execute(
        "INSERT INTO sources (notebook_id, kind, upload, origin) "
        "SELECT :id, 'text', '{}', '{}' FROM generate_series(1, :count)",
        id=anya.notebook_id, count=limit,
    )  # fmt: skip
    home.post.jobs.clear()
    await refused(home.app.add_source(anya, words(), HERE, now=NOON), "source-too-many")
    assert home.post.jobs == []
    assert (await home.rows_of(anya.notebook_id))["sources"] == limit


async def test_a_file_that_the_messenger_cannot_hand_over_is_not_even_recorded(home: Household, anya: Caller) -> None:
    for size, fits in ((FILE_LIMIT_BYTES, True), (FILE_LIMIT_BYTES + 1, False)):
        file = Incoming(SourceKind.PDF, "книга.pdf", Upload(size_bytes=size, remote_file=str(size)))
        if fits:
            await home.app.add_source(anya, file, HERE, now=NOON)
        else:
            await refused(home.app.add_source(anya, file, HERE, now=NOON), "source-too-large")
    assert (await home.rows_of(anya.notebook_id))["sources"] == 1


async def test_a_muted_source_is_left_out_of_answers_until_it_is_heard_again(home: Household, anya: Caller) -> None:
    source = await home.add(anya, NOTE)
    for muted in (True, False):
        await home.app.mute_source(anya, anya.notebook_id, source.id, muted=muted)
        answer = await home.ask(anya, WHO)
        assert answer is not None
        assert (answer.answered, answer.searched) == (not muted, int(not muted))


async def test_a_deleted_source_leaves_no_row_and_no_file(home: Household, anya: Caller, tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text(NOTE, "utf-8")
    file = Incoming(SourceKind.PLAIN_FILE, "note.txt", Upload(file_name=path.name, path=str(path)))
    source = (await home.app.add_source(anya, file, HERE, now=NOON)).source
    await home.work.ingest_source(source.notebook_id, source.id)
    await home.work.embed_source(source.notebook_id, source.id)
    before = await home.rows_of(anya.notebook_id)
    original = home.plumbing.blobs.path((await home.app.get_source(anya, anya.notebook_id, source.id)).original_key)

    await home.app.delete_source(anya, anya.notebook_id, source.id)

    assert before.keys() >= {"chunks", "insights", "postings", "source_texts", "sources", "vectors"}
    assert (await home.rows_of(anya.notebook_id)).keys() <= {"bursts", "chat_notebooks", "notebook_members"}
    assert not original.exists()
    await refused(home.app.delete_source(anya, anya.notebook_id, source.id), "source-gone")
    await refused(home.app.get_source(anya, anya.notebook_id, source.id), "source-gone")
    await refused(home.app.mute_source(anya, anya.notebook_id, source.id, muted=True), "source-gone")
