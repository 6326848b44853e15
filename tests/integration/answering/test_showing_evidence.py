"""The passage behind a number, in its surroundings and on its page, over real Postgres."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.locate import locate
from core.answering.show_evidence import AROUND, Evidence
from core.model.answer import Citation, Question, Verdict
from core.model.chunk import ChunkDraft
from core.model.document import Document, PageStart, TimeStart
from core.model.ids import AnswerId, SourceId
from core.model.source import Origin, SourceKind, Upload
from core.model.user import Caller
from core.ports import NewSource
from tests.fakes.openai_behaviours import streamed
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.household import HERE, NOON, NOTE, WHO, Household, refused


async def evidence_of(home: Household, caller: Caller, question: Question) -> AnswerId:
    await home.answer(question)
    return AnswerId(await home.value("SELECT id FROM answers WHERE question_id = :id", id=question.id))


async def passage_about_the_key(home: Household, caller: Caller, model: FakeOpenAI) -> Evidence:
    """Cite every passage, and show the one that speaks of the key."""
    model.script(streamed("Ключ от аудитории 214 лежит у вахтёра Семёна Петровича. [1-9]"))
    answer_id = await evidence_of(home, caller, await home.app.ask_question(caller, WHO, HERE, now=NOON))
    count = (await home.app.show_evidence(caller, answer_id, 1)).count
    shown = [await home.app.show_evidence(caller, answer_id, n) for n in range(1, count + 1)]
    return next(one for one in shown if "Семёна" in one.quote)


async def test_a_citation_is_shown_in_its_surroundings(home: Household, model: FakeOpenAI) -> None:
    caller = await home.person()
    filler = "Коридор длинный и светлый, по нему ходят студенты и преподаватели. "
    whole = filler * 30 + NOTE + " " + filler * 30
    await home.add(caller, whole)
    shown = await passage_about_the_key(home, caller, model)
    assert shown.exists
    assert shown.count > 1
    assert shown.before.startswith("…")
    assert shown.after.endswith("…")
    assert shown.before[1:] + shown.quote + shown.after[:-1] in whole
    assert AROUND / 2 < len(shown.before) <= AROUND + 1
    assert {len(word) for word in shown.before[1:].split()} <= {len(word) for word in whole.split()}


async def test_surroundings_end_where_the_source_ends(home: Household, anya: Caller, model: FakeOpenAI) -> None:
    answer_id = await evidence_of(home, anya, await home.app.ask_question(anya, WHO, HERE, now=NOON))
    shown = await home.app.show_evidence(anya, answer_id, 1)
    assert shown.before + shown.quote + shown.after == NOTE


@pytest.mark.parametrize("spaces", [0, 1])
@pytest.mark.parametrize("length", [AROUND - 2, AROUND - 1, AROUND, 3 * AROUND])
async def test_surroundings_without_spaces_are_not_lost(
    home: Household, model: FakeOpenAI, length: int, spaces: int
) -> None:
    caller = await home.person()
    block = "щ" * length
    space = " " * spaces
    await home.add(caller, f"{block}.{space}\n\n{NOTE}\n\n{space}{block}", title=f"Блок {length}")
    shown = await passage_about_the_key(home, caller, model)
    assert "щщщ" in shown.before
    assert "щщщ" in shown.after
    assert shown.after.endswith("…") == (len("\n\n") + spaces + length > AROUND)


async def test_the_citation_of_a_deleted_source_keeps_its_words_only(
    home: Household, anya: Caller, model: FakeOpenAI
) -> None:
    question = await home.app.ask_question(anya, WHO, HERE, now=NOON)
    answer_id = await evidence_of(home, anya, question)
    before = await home.app.show_evidence(anya, answer_id, 1)
    await home.app.delete_source(anya, anya.notebook_id, before.citation.source_id)
    after = await home.app.show_evidence(anya, answer_id, 1)
    assert (after.exists, after.quote, after.before, after.after) == (False, before.quote, "", "")


async def test_a_number_that_no_answer_has_is_gone(home: Household, anya: Caller, model: FakeOpenAI) -> None:
    answer_id = await evidence_of(home, anya, await home.app.ask_question(anya, WHO, HERE, now=NOON))
    await refused(home.app.show_evidence(anya, answer_id, 99), "citation-gone")
    await refused(home.app.show_evidence(anya, AnswerId(10**12), 1), "citation-gone")


async def test_a_quote_stands_on_its_own_page_not_on_that_of_its_chunks_beginning(
    home: Household, anya: Caller
) -> None:
    text = "# Глава\n\nНа первой странице говорят о погоде.\n\n## Раздел C#\n\nНа второй странице говорят о ключе."
    at = text.index("На второй")
    document = Document(
        text, (PageStart(0, 4), PageStart(at, 5)), (TimeStart(0, 1.0), TimeStart(at, 61.5)), page_count=9
    )
    new = NewSource(anya.notebook_id, SourceKind.PDF, "Книга", Upload(), Origin(), None, None)
    async with home.app.transactions() as tx:
        source = await tx.sources.add(new)
        await tx.texts.save(anya.notebook_id, source.id, document, [ChunkDraft(0, 0, len(text), text, 4)], "ru")
        quote = Citation(1, source.id, 1, "", "Книга", text[at:], at, len(text), Verdict.VERBATIM, 4, 1.0, ("Глава",))
        (located,) = await locate(tx, anya.notebook_id, [quote])
        (lost,) = await locate(tx, anya.notebook_id, [replace(quote, source_id=SourceId(10**12))])
    assert (located.page, located.time_s, located.headings) == (5, 61.5, ("Глава", "Раздел C#"))
    assert lost.page == 4


async def test_a_quote_that_begins_inside_a_heading_knows_the_whole_heading(home: Household, anya: Caller) -> None:
    text = "# Устройство канатной дороги\n\nДорога висит на канате."
    at = text.index("Устройство")
    new = NewSource(anya.notebook_id, SourceKind.TEXT, "Книга", Upload(), Origin(), None, None)
    async with home.app.transactions() as tx:
        source = await tx.sources.add(new)
        await tx.texts.save(anya.notebook_id, source.id, Document(text), [ChunkDraft(0, 0, len(text), text)], "ru")
        quote = Citation(1, source.id, 1, "", "Книга", text[at:], at, len(text), Verdict.VERBATIM)
        (located,) = await locate(tx, anya.notebook_id, [quote])
    assert located.headings == ("Устройство канатной дороги",)
