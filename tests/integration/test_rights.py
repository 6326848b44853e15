"""What is another's is never had, and a group keeps what is its own, over real Postgres."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from core.library.add_source import Incoming
from core.model.ids import AnswerId, NotebookId, QuestionId
from core.model.notebook import Role
from core.model.source import Source, SourceKind, Upload
from core.model.user import Caller
from tests.integration.household import BOT, HERE, NOON, NOTE, WHO, Household, refused

FIRST = "Первый"


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
async def belongings(plain_household: Household) -> Belongings:
    home = plain_household
    anya = await home.person()
    source = await home.add(anya, NOTE)
    question = await home.app.ask_question(anya, WHO, HERE, now=NOON)
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
    assert (await home.again(boris)).notebook_id == boris.notebook_id


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
    answer = await home.ask(viewer, WHO)
    assert answer is not None
    assert answer.answered
    for work in (
        home.app.add_source(viewer, Incoming(SourceKind.TEXT, "Своё", Upload(text="Своё")), HERE, now=NOON),
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
    answer = await home.ask(second, WHO)
    assert answer is not None
    assert answer.answered
    assert await home.titles(second) == ["Группа"]


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
    assert await home.titles(anya) == [FIRST]


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
