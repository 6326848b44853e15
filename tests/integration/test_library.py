"""Who may do what with notebooks and sources, over real Postgres."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from core.adapters.embedded_services import EmbeddedServices
from core.billing.plans import PLANS
from core.errors import UserError
from core.jobs import IngestSource
from core.library.add_source import BURST_WINDOW_S, Incoming
from core.library.expect_input import PATIENCE
from core.library.manage_notebooks import NOTEBOOK_LIMIT, TITLE_LIMIT
from core.model.ids import AnswerId, NotebookId, QuestionId
from core.model.notebook import Role
from core.model.plan import PlanName
from core.model.source import Source, SourceKind, SourceState, Upload
from core.model.user import Caller
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.household import BOT, FILE_LIMIT_BYTES, HERE, NOON, Household, household

FIRST = "Первый"
NOTE = "Ключ от аудитории 214 лежит у вахтёра Семёна Петровича, а запасной висит в шкафу на втором этаже."
_groups = count(-1000, -1)


@pytest.fixture(scope="module")
async def home(
    database_url: str, services: EmbeddedServices, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Household]:
    """One database for all: every test brings people of its own."""
    async with FakeOpenAI() as models:
        embedding = {"base_url": models.url, "model": "fake-embeddings"}
        folder = tmp_path_factory.mktemp("library")
        async with household(database_url, services.redis_url, folder, embedding=embedding) as wired:
            yield wired


@pytest.fixture
async def anya(home: Household) -> Caller:
    return await home.person()


@pytest.fixture
async def boris(home: Household) -> Caller:
    """A stranger to Anya."""
    return await home.person()


@pytest.fixture
def group() -> int:
    """The outside id of a new group."""
    return next(_groups)


async def refused(work: Awaitable[object], key: str) -> None:
    with pytest.raises(UserError) as error:
        await work
    assert error.value.text_key == key


async def again(home: Household, caller: Caller) -> Caller:
    """The same person writes again in the same place."""
    number = caller.chat.external_id
    return await home.person(number, topic=caller.thread_id)


async def titles(home: Household, caller: Caller) -> list[str]:
    return [notebook.title for notebook in await home.app.list_notebooks(caller)]


# Who speaks


async def test_the_same_person_is_found_again_with_the_same_notebook(home: Household, anya: Caller) -> None:
    assert await again(home, anya) == anya
    assert await titles(home, anya) == [FIRST]


async def test_many_first_messages_at_once_make_one_notebook(home: Household) -> None:
    number = 77_001
    callers = await asyncio.gather(*(home.person(number) for _ in range(8)))
    assert len(set(callers)) == 1
    assert await titles(home, callers[0]) == [FIRST]


async def test_many_first_messages_of_a_group_at_once_make_one_notebook(home: Household, group: int) -> None:
    callers = await asyncio.gather(*(home.member(group, 77_100 + number) for number in range(8)))
    assert len({caller.notebook_id for caller in callers}) == 1
    assert len({caller.person for caller in callers}) == 8


async def test_each_topic_of_a_group_has_its_own_notebook(home: Household, group: int) -> None:
    general, topic = await home.member(group, 77_200), await home.member(group, 77_200, topic=5)
    assert general.chat == topic.chat
    assert general.notebook_id != topic.notebook_id


async def test_an_anonymous_sender_is_nobody_and_uses_the_groups_notebook(home: Household, group: int) -> None:
    named, nobody = await home.member(group, 77_300), await home.member(group, None)
    assert nobody.person is None
    assert nobody.notebook_id == named.notebook_id
    await home.app.add_source(nobody, Incoming(SourceKind.TEXT, "Заметка", Upload(text=NOTE)), HERE, now=NOON)


async def test_a_chosen_language_stays_and_a_told_one_is_followed(home: Household, anya: Caller) -> None:
    number = anya.chat.external_id
    assert (await home.person(number, locale="en")).locale == "en"
    assert (await home.person(number, locale="")).locale == "en"
    await home.app.choose_locale(anya, "ru")
    assert (await home.person(number, locale="en")).locale == "ru"


async def test_only_a_known_language_of_a_known_person_is_chosen(home: Household, anya: Caller, group: int) -> None:
    await refused(home.app.choose_locale(anya, "xx"), "person-needed")
    await refused(home.app.choose_locale(await home.member(group, None), "ru"), "person-needed")


# Notebooks


async def test_a_new_notebook_is_the_active_one(home: Household, anya: Caller) -> None:
    made = await home.app.create_notebook(anya, "  Физика\n и химия ")
    assert made.title == "Физика и химия"
    assert (await again(home, anya)).notebook_id == made.id
    assert await titles(home, anya) == [FIRST, "Физика и химия"]


async def test_a_title_is_one_line_that_fits_a_button(home: Household, anya: Caller) -> None:
    await refused(home.app.create_notebook(anya, " \n\t "), "notebook-title-empty")
    await refused(home.app.rename_notebook(anya, anya.notebook_id, ""), "notebook-title-empty")
    long = await home.app.create_notebook(anya, "я" * 500)
    assert len(long.title) == TITLE_LIMIT


async def test_s1_a_title_with_a_nul_or_half_a_character_loses_nothing(home: Household, anya: Caller) -> None:
    await home.app.rename_notebook(anya, anya.notebook_id, "Физ\x00ика \ud800")
    assert await titles(home, anya) == ["Физ\ufffdика \ufffd"]


async def test_switching_takes_an_archived_notebook_out_again(home: Household, anya: Caller) -> None:
    other = await home.app.create_notebook(anya, "Другой")
    await home.app.archive_notebook(anya, anya.notebook_id, archived=True, first_title=FIRST)
    assert [item.archived for item in await home.app.list_notebooks(anya)] == [False, True]

    await home.app.switch_notebook(replace(anya, notebook_id=other.id), anya.notebook_id)

    assert (await again(home, anya)).notebook_id == anya.notebook_id
    assert [item.archived for item in await home.app.list_notebooks(anya)] == [False, False]


async def test_archiving_the_active_notebook_gives_its_place_to_another(home: Household, anya: Caller) -> None:
    other = await home.app.create_notebook(anya, "Другой")
    active = await again(home, anya)
    await home.app.archive_notebook(active, other.id, archived=True, first_title=FIRST)
    assert (await again(home, anya)).notebook_id == anya.notebook_id


async def test_the_last_notebook_gives_its_place_to_a_new_one(home: Household, anya: Caller) -> None:
    await home.app.delete_notebook(anya, anya.notebook_id, first_title="Снова первый")
    now = await again(home, anya)
    assert now.notebook_id != anya.notebook_id
    assert await titles(home, now) == ["Снова первый"]


async def test_what_is_sent_privately_never_goes_to_a_group_by_itself(
    home: Household, anya: Caller, group: int
) -> None:
    shared = await home.member(group, anya.chat.external_id)
    await home.app.delete_notebook(anya, anya.notebook_id, first_title="Снова первый")
    now = await again(home, anya)
    assert now.notebook_id not in (anya.notebook_id, shared.notebook_id)
    assert (await home.app.get_notebook(now, now.notebook_id)).owner_id == now.person.id  # type: ignore[union-attr]


async def test_the_number_of_notebooks_has_a_limit(home: Household, anya: Caller) -> None:
    async with home.app.transactions() as tx:
        assert anya.person is not None
        for number in range(NOTEBOOK_LIMIT - 1):
            await tx.notebooks.add(f"Блокнот {number}", "ru", anya.person.id)
    await refused(home.app.create_notebook(anya, "Лишний"), "notebook-limit")


async def test_a_deleted_notebook_leaves_no_row_and_no_file(home: Household, anya: Caller, tmp_path: Path) -> None:
    await home.add(anya, NOTE)
    await home.ask(anya, "У кого ключ от аудитории 214?")
    path = tmp_path / "заметка.txt"
    path.write_text("Второй источник: расписание висит у деканата.", "utf-8")
    file = Incoming(SourceKind.PLAIN_FILE, "заметка.txt", Upload(file_name=path.name, path=str(path)))
    source = (await home.app.add_source(anya, file, HERE, now=NOON)).source
    await home.work.ingest_source(source.notebook_id, source.id)
    original = home.plumbing.blobs.path((await home.app.get_source(anya, anya.notebook_id, source.id)).original_key)
    assert original.is_file()
    assert (await home.rows_of(anya.notebook_id)).keys() >= {
        "answers", "bursts", "chat_notebooks", "chunks", "citations", "insights", "notebook_members", "postings",
        "questions", "source_texts", "sources", "vectors",
    }  # fmt: skip

    await home.app.delete_notebook(anya, anya.notebook_id, first_title=FIRST)

    assert await home.rows_of(anya.notebook_id) == {}
    assert not original.exists()


# The example


async def test_the_example_is_made_once_and_is_then_the_active_notebook(home: Household, anya: Caller) -> None:
    first = await home.app.open_example(anya, "Пример")
    second = await home.app.open_example(anya, "Пример")
    assert first.notebook.id == second.notebook.id == first.caller.notebook_id
    assert (await again(home, anya)).notebook_id == first.notebook.id
    assert await titles(home, anya) == [FIRST, "Пример"]


# Sources


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
        answer = await home.ask(anya, "У кого ключ от аудитории 214?")
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


# Rights


class Belongings:
    """What Anya has, by the ids that a stranger could guess."""

    def __init__(self, notebook: NotebookId, source: Source, question: QuestionId, answer: AnswerId) -> None:
        self.notebook, self.source, self.question, self.answer = notebook, source, question, answer


Trespass = Callable[[Household, Caller, Belongings], Awaitable[object]]
TRESPASSES: dict[str, tuple[str, Trespass]] = {
    "look": ("notebook-gone", lambda home, who, it: home.app.get_notebook(who, it.notebook)),
    "switch": ("notebook-gone", lambda home, who, it: home.app.switch_notebook(who, it.notebook)),
    "rename": ("notebook-gone", lambda home, who, it: home.app.rename_notebook(who, it.notebook, "Моё")),
    "archive": (
        "notebook-gone",
        lambda home, who, it: home.app.archive_notebook(who, it.notebook, archived=True, first_title="x"),
    ),
    "delete": ("notebook-gone", lambda home, who, it: home.app.delete_notebook(who, it.notebook, first_title="x")),
    "list sources": ("notebook-gone", lambda home, who, it: home.app.list_sources(who, it.notebook)),
    "open source": ("notebook-gone", lambda home, who, it: home.app.get_source(who, it.notebook, it.source.id)),
    "mute": ("notebook-gone", lambda home, who, it: home.app.mute_source(who, it.notebook, it.source.id, muted=True)),
    "delete source": ("notebook-gone", lambda home, who, it: home.app.delete_source(who, it.notebook, it.source.id)),
    "source by one's own notebook": (
        "source-gone",
        lambda home, who, it: home.app.delete_source(who, who.notebook_id, it.source.id),
    ),
    "add": (
        "notebook-gone",
        lambda home, who, it: home.app.add_source(
            replace(who, notebook_id=it.notebook), Incoming(SourceKind.TEXT, "x", Upload(text="x")), HERE, now=NOON
        ),
    ),
    "ask": (
        "notebook-gone",
        lambda home, who, it: home.app.ask_question(replace(who, notebook_id=it.notebook), "Что?", HERE, now=NOON),
    ),
    "question": ("question-gone", lambda home, who, it: home.app.get_question(who, it.question)),
    "citation": ("notebook-gone", lambda home, who, it: home.app.show_evidence(who, it.answer, 1)),
}


@pytest.fixture(scope="module")
async def belongings(home: Household) -> Belongings:
    anya = await home.person()
    source = await home.add(anya, NOTE)
    question = await home.app.ask_question(anya, "У кого ключ от аудитории 214?", HERE, now=NOON)
    await home.answer(question)
    answer = await home.value("SELECT id FROM answers WHERE question_id = :id", id=question.id)
    assert (await home.app.show_evidence(anya, AnswerId(answer), 1)).exists
    return Belongings(anya.notebook_id, source, question.id, AnswerId(answer))


@pytest.mark.parametrize("name", TRESPASSES)
async def test_what_is_another_persons_is_never_had(
    home: Household, boris: Caller, belongings: Belongings, name: str
) -> None:
    key, trespass = TRESPASSES[name]
    before = await home.rows_of(belongings.notebook)
    await refused(trespass(home, boris, belongings), key)
    assert await home.rows_of(belongings.notebook) == before
    assert (await again(home, boris)).notebook_id == boris.notebook_id


@pytest.mark.parametrize("name", [name for name in TRESPASSES if name not in ("add", "ask")])
async def test_a_group_gives_no_right_to_what_is_anothers(
    home: Household, group: int, belongings: Belongings, name: str
) -> None:
    key, trespass = TRESPASSES[name]
    for number in (None, 77_400):
        await refused(trespass(home, await home.member(group, number), belongings), key)


async def test_the_right_to_ask_another_persons_question_is_not_got_by_its_stop(
    home: Household, boris: Caller, belongings: Belongings
) -> None:
    assert not await home.app.stop_question(boris, belongings.question)


async def test_a_viewer_reads_and_changes_nothing(home: Household, anya: Caller, boris: Caller) -> None:
    source = await home.add(anya, NOTE)
    assert boris.person is not None
    async with home.app.transactions() as tx:
        await tx.notebooks.set_role(anya.notebook_id, boris.person.id, Role.VIEWER)
    viewer = replace(boris, notebook_id=(await home.app.switch_notebook(boris, anya.notebook_id)).id)
    answer = await home.ask(viewer, "У кого ключ от аудитории 214?")
    assert answer is not None
    assert answer.answered
    for work in (
        home.app.add_source(viewer, words("Своё"), HERE, now=NOON),
        home.app.mute_source(viewer, anya.notebook_id, source.id, muted=True),
        home.app.delete_source(viewer, anya.notebook_id, source.id),
        home.app.rename_notebook(viewer, anya.notebook_id, "Моё"),
        home.app.delete_notebook(viewer, anya.notebook_id, first_title="x"),
    ):
        await refused(work, "notebook-gone")


async def test_a_viewer_takes_no_notebook_out_of_its_owners_archive(
    home: Household, anya: Caller, boris: Caller
) -> None:
    await home.app.create_notebook(anya, "Другой")
    await home.app.archive_notebook(anya, anya.notebook_id, archived=True, first_title=FIRST)
    assert boris.person is not None
    async with home.app.transactions() as tx:
        await tx.notebooks.set_role(anya.notebook_id, boris.person.id, Role.VIEWER)
    await home.app.switch_notebook(boris, anya.notebook_id)
    assert (await home.app.get_notebook(anya, anya.notebook_id)).archived


# Groups


async def test_members_share_the_groups_notebook(home: Household, group: int) -> None:
    first, second = await home.member(group, 77_500), await home.member(group, 77_501)
    await home.add(first, NOTE)
    answer = await home.ask(second, "У кого ключ от аудитории 214?")
    assert answer is not None
    assert answer.answered
    assert await titles(home, second) == ["Группа"]


@pytest.mark.parametrize(
    "move",
    [
        lambda home, who, own: home.app.switch_notebook(who, own),
        lambda home, who, _: home.app.create_notebook(who, "Новый"),
        lambda home, who, _: home.app.open_example(who, "Пример"),
        lambda home, who, _: home.app.rename_notebook(who, who.notebook_id, "Новый"),
        lambda home, who, _: home.app.delete_notebook(who, who.notebook_id, first_title="x"),
        lambda home, who, _: home.app.archive_notebook(who, who.notebook_id, archived=True, first_title="x"),
    ],
    ids=["switch", "create", "example", "rename", "delete", "archive"],
)
async def test_no_member_takes_the_groups_notebook_away(
    home: Household, anya: Caller, group: int, move: Callable[[Household, Caller, NotebookId], Awaitable[object]]
) -> None:
    member = await home.member(group, anya.chat.external_id)
    await refused(move(home, member, anya.notebook_id), "notebook-gone")
    assert (await home.member(group, 77_600)).notebook_id == member.notebook_id


async def test_who_left_a_group_has_its_notebook_no_more(home: Household, anya: Caller, group: int) -> None:
    member = await home.member(group, anya.chat.external_id)
    await home.app.get_notebook(anya, member.notebook_id)
    await home.app.leave_group(member, BOT, anya.chat.external_id)
    await refused(home.app.get_notebook(anya, member.notebook_id), "notebook-gone")
    await home.app.leave_group(member, BOT, 999_999_999)  # of whom nothing is known


async def test_leaving_is_nothing_a_private_chat_can_do(home: Household, anya: Caller) -> None:
    await home.app.leave_group(anya, BOT, anya.chat.external_id)
    assert await titles(home, anya) == [FIRST]


# T6


async def test_t6_a_migrated_group_keeps_notebook_and_sources_once(home: Household, group: int) -> None:
    old, new = group, group - 1_000_000
    member = await home.member(old, 77_700)
    await home.add(member, NOTE)
    assert await home.app.migrate_chat(BOT, old, new)
    assert not await home.app.migrate_chat(BOT, old, new)
    after = await home.member(new, 77_700)
    assert (after.chat.id, after.notebook_id) == (member.chat.id, member.notebook_id)


async def test_t6_words_from_the_new_id_before_the_news_cost_nothing(home: Household, group: int) -> None:
    old, new = group, group - 1_000_000
    member = await home.member(old, 77_701)
    await home.add(member, NOTE)
    early = await home.member(new, 77_701)
    assert early.notebook_id != member.notebook_id

    await asyncio.gather(*(home.app.migrate_chat(BOT, old, new) for _ in range(3)))

    after = await home.member(new, 77_702)
    assert (after.chat.id, after.notebook_id) == (member.chat.id, member.notebook_id)
    assert await home.value("SELECT count(*) FROM chats WHERE external_id IN (:old, :new)", old=old, new=new) == 1


async def test_t6_another_bots_group_of_the_same_id_is_left_alone(home: Household, group: int) -> None:
    member = await home.member(group, 77_703)
    assert not await home.app.migrate_chat(BOT + 1, group, group - 1_000_000)
    assert (await home.member(group, 77_703)).chat == member.chat


# Expected words


async def test_words_that_were_asked_for_are_taken_once_and_not_too_late(home: Household, anya: Caller) -> None:
    await home.app.expect_input(anya, "rename", 1, now=NOON)
    await home.app.expect_input(anya, "rename", 2, now=NOON)
    assert await home.app.take_input(anya, now=NOON + PATIENCE - timedelta(seconds=1)) == ("rename", 2)
    assert await home.app.take_input(anya, now=NOON) is None
    await home.app.expect_input(anya, "rename", 3, now=NOON)
    assert await home.app.take_input(anya, now=NOON + PATIENCE) is None


async def test_what_one_member_was_asked_another_does_not_answer(home: Household, group: int) -> None:
    first, second = await home.member(group, 77_800), await home.member(group, 77_801)
    await home.app.expect_input(first, "rename", 1, now=NOON)
    assert await home.app.take_input(second, now=NOON) is None
    assert await home.app.take_input(await home.member(group, None), now=NOON) is None
    assert await home.app.take_input(first, now=NOON) == ("rename", 1)
