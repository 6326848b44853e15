"""Who speaks, and which notebooks they have, over real Postgres."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from core.library.add_source import Incoming
from core.library.expect_input import PATIENCE
from core.library.manage_notebooks import NOTEBOOK_LIMIT, TITLE_LIMIT
from core.model.source import SourceKind, Upload
from core.model.user import Caller
from tests.integration.household import HERE, NOON, NOTE, WHO, Household, refused

FIRST = "Первый"


# Who speaks


async def test_the_same_person_is_found_again_with_the_same_notebook(home: Household, anya: Caller) -> None:
    assert await home.again(anya) == anya
    assert await home.titles(anya) == [FIRST]


async def test_many_first_messages_at_once_make_one_notebook(home: Household) -> None:
    number = 77_001
    callers = await asyncio.gather(*(home.person(number) for _ in range(8)))
    assert len(set(callers)) == 1
    assert await home.titles(callers[0]) == [FIRST]


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
    assert (await home.again(anya)).notebook_id == made.id
    assert await home.titles(anya) == [FIRST, "Физика и химия"]


async def test_a_title_is_one_line_that_fits_a_button(home: Household, anya: Caller) -> None:
    await refused(home.app.create_notebook(anya, " \n\t "), "notebook-title-empty")
    await refused(home.app.rename_notebook(anya, anya.notebook_id, ""), "notebook-title-empty")
    long = await home.app.create_notebook(anya, "я" * 500)
    assert len(long.title) == TITLE_LIMIT


async def test_s1_a_title_with_a_nul_or_half_a_character_loses_nothing(home: Household, anya: Caller) -> None:
    await home.app.rename_notebook(anya, anya.notebook_id, "Физ\x00ика \ud800")
    assert await home.titles(anya) == ["Физ\ufffdика \ufffd"]


async def test_switching_takes_an_archived_notebook_out_again(home: Household, anya: Caller) -> None:
    other = await home.app.create_notebook(anya, "Другой")
    await home.app.archive_notebook(anya, anya.notebook_id, archived=True, first_title=FIRST)
    assert [item.archived for item in await home.app.list_notebooks(anya)] == [False, True]

    await home.app.switch_notebook(replace(anya, notebook_id=other.id), anya.notebook_id)

    assert (await home.again(anya)).notebook_id == anya.notebook_id
    assert [item.archived for item in await home.app.list_notebooks(anya)] == [False, False]


async def test_archiving_the_active_notebook_gives_its_place_to_another(home: Household, anya: Caller) -> None:
    other = await home.app.create_notebook(anya, "Другой")
    active = await home.again(anya)
    await home.app.archive_notebook(active, other.id, archived=True, first_title=FIRST)
    assert (await home.again(anya)).notebook_id == anya.notebook_id


async def test_the_last_notebook_gives_its_place_to_a_new_one(home: Household, anya: Caller) -> None:
    await home.app.delete_notebook(anya, anya.notebook_id, first_title="Снова первый")
    now = await home.again(anya)
    assert now.notebook_id != anya.notebook_id
    assert await home.titles(now) == ["Снова первый"]


async def test_what_is_sent_privately_never_goes_to_a_group_by_itself(
    home: Household, anya: Caller, group: int
) -> None:
    shared = await home.member(group, anya.chat.external_id)
    await home.app.delete_notebook(anya, anya.notebook_id, first_title="Снова первый")
    now = await home.again(anya)
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
    await home.ask(anya, WHO)
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
    assert (await home.again(anya)).notebook_id == first.notebook.id
    assert await home.titles(anya) == [FIRST, "Пример"]


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
