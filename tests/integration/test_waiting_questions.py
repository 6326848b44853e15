"""Questions that wait: for what may follow them, and for what they were written under."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from core.answering.wait_to_answer import HOLD_S, SOURCE_WAIT_S
from core.billing.quota import prompts_left
from core.library.add_source import Incoming
from core.library.take_in import Arrival
from core.model.answer import Question, QuestionState
from core.model.source import Reason, Source, SourceKind, SourceState, Stage, Upload
from core.model.user import Caller
from core.ports import SourceUpdate
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.household import HERE, NOON, NOTE, WHO, Household

LATEST_S = 1.5
"""After which words without a question mark must be on their way to an answer."""
OTHER = "Зачёт по гистологии принимает Вера Павловна в кабинете 312 третьего корпуса."


@pytest.fixture
def home(served_household: Household, fake_models: FakeOpenAI) -> Household:
    fake_models.reset()
    return served_household


@pytest.fixture
async def anya(home: Household) -> Caller:
    caller = await home.person()
    await home.add(caller, OTHER, title="Зачёты")
    return caller


async def held(home: Household, caller: Caller, words: str = "вот лекции", *, ago: float = 0.0) -> Question:
    return await home.app.ask_question(caller, words, HERE, now=NOON - timedelta(seconds=ago), hold=True)


async def under(home: Household, caller: Caller, *, at: datetime = NOON) -> tuple[Source, Question]:
    """Send a file with a question under it."""
    item = Incoming(SourceKind.TEXT, "Ключи", Upload(text=NOTE))
    (added,) = await home.app.take_in(caller, Arrival((item,)), HERE, now=at)
    return added.source, await home.app.ask_question(caller, WHO, HERE, now=at, after=added.source.id)


async def stored(home: Household, question: Question) -> Question:
    async with home.app.transactions() as tx:
        found = await tx.questions.get(question.id)
    assert found is not None
    return found


async def used(home: Household, caller: Caller) -> int:
    assert caller.person is not None
    async with home.app.transactions() as tx:
        return (await prompts_left(tx, caller.person.id, now=NOON)).used


# Words that may belong to what follows


async def test_words_without_a_question_mark_wait_no_longer_than_a_moment(home: Household, anya: Caller) -> None:
    wait = await home.work.answer_question((await held(home, anya, WHO.rstrip("?"))).id)
    assert wait is not None
    assert 0 < wait <= HOLD_S < LATEST_S
    late = await held(home, anya, WHO.rstrip("?"), ago=HOLD_S)
    assert await home.work.answer_question(late.id) is None
    assert late.id in home.told.answers


async def test_a_question_that_is_not_held_is_answered_at_once(home: Household, anya: Caller) -> None:
    question = await home.app.ask_question(anya, WHO, HERE, now=NOON)
    assert await home.work.answer_question(question.id) is None
    assert question.id in home.told.answers


async def test_words_before_files_are_their_note_and_cost_nothing(home: Household, anya: Caller) -> None:
    first, second = await held(home, anya), await held(home, anya, "по физике")
    assert await used(home, anya) == 2
    source, _ = await under(home, anya, at=NOON + timedelta(seconds=HOLD_S - 0.1))
    assert [(await stored(home, one)).state for one in (first, second)] == [QuestionState.CANCELLED] * 2
    assert await used(home, anya) == 1  # the question under the file
    assert source.burst_id is not None
    async with home.app.transactions() as tx:
        burst = await tx.bursts.get(source.burst_id)
    assert burst is not None
    assert burst.remarks.note == "вот лекции\nпо физике"


async def test_words_of_another_person_chat_or_moment_are_not_withdrawn(home: Household, anya: Caller) -> None:
    boris = await home.person()
    theirs, asked = await held(home, boris), await home.app.ask_question(anya, WHO, HERE, now=NOON)
    early = await held(home, anya, ago=HOLD_S + 0.1)
    await under(home, anya)
    states = [(await stored(home, one)).state for one in (theirs, asked, early)]
    assert states == [QuestionState.QUEUED] * 3


async def test_words_that_a_worker_has_begun_to_answer_are_answered(home: Household, anya: Caller) -> None:
    question = await held(home, anya, ago=HOLD_S)
    async with home.app.transactions() as tx:
        assert await tx.questions.lease(question.id, "worker", now=NOON, seconds=60)
    await under(home, anya)
    assert (await stored(home, question)).state is QuestionState.RUNNING


async def test_held_words_in_an_empty_notebook_are_told_so_without_a_charge(
    home: Household, fake_models: FakeOpenAI
) -> None:
    nobody = await home.person()
    question = await held(home, nobody, ago=HOLD_S)
    answer = await home.answer(question)
    assert answer is not None
    assert (answer.answered, answer.searched) == (False, 0)
    assert await used(home, nobody) == 0
    assert fake_models.requests == []


async def test_a_note_can_be_asked_after_all(home: Household, anya: Caller) -> None:
    await held(home, anya, "У кого ключ от аудитории 214", ago=-100)
    source, _ = await under(home, anya, at=NOON + timedelta(seconds=100))
    assert source.burst_id is not None
    question = await home.app.ask_note(anya, source.burst_id, HERE, now=NOON)
    assert (question.text, (await stored(home, question)).waits_for) == ("У кого ключ от аудитории 214", source.id)


# Questions under what was sent


async def test_a_question_under_a_file_waits_without_counting_tries_and_is_answered_from_it(
    home: Household, anya: Caller
) -> None:
    source, question = await under(home, anya)
    for _ in range(7):
        assert await home.work.answer_question(question.id)
        await home.execute("UPDATE questions SET retry_at = NULL WHERE id = :id", id=question.id)
    assert (await stored(home, question)).tries == 0
    await home.work.ingest_source(source.notebook_id, source.id)
    answer = await home.answer(question)
    assert answer is not None
    assert {item.source_id for item in answer.citations} == {source.id}
    assert await used(home, anya) == 1


async def test_a_waiting_question_is_not_published_by_every_sweep(home: Household, anya: Caller) -> None:
    _, question = await under(home, anya)
    wait = await home.work.answer_question(question.id)
    assert wait == 1.0
    async with home.app.transactions() as tx:
        assert question.id not in await tx.questions.unfinished(now=NOON, limit=10**6)
        soon = NOON + timedelta(seconds=1.1)
        assert question.id in await tx.questions.unfinished(now=soon, limit=10**6)


async def test_a_question_under_a_file_that_cannot_be_read_is_told_so_and_costs_nothing(
    home: Household, anya: Caller
) -> None:
    source, question = await under(home, anya)
    async with home.app.transactions() as tx:
        failed = SourceUpdate(state=SourceState.FAILED, stage=Stage.DONE, reason=Reason("source-damaged", {}))
        await tx.sources.update(source.notebook_id, source.id, failed)
    assert await home.work.answer_question(question.id) is None
    assert home.told.failures[question.id].text_key == "caption-source-failed"
    assert await used(home, anya) == 0


async def test_a_question_does_not_wait_for_ever(home: Household, anya: Caller) -> None:
    _, question = await under(home, anya, at=NOON - timedelta(seconds=SOURCE_WAIT_S))
    assert await home.work.answer_question(question.id) is None
    assert home.told.failures[question.id].text_key == "caption-source-late"
    assert await used(home, anya) == 0


async def test_a_question_under_what_the_notebook_has_already_is_answered_at_once(
    home: Household, anya: Caller
) -> None:
    source, first = await under(home, anya)
    await home.work.ingest_source(source.notebook_id, source.id)
    (again,) = await home.app.take_in(
        anya, Arrival((Incoming(SourceKind.TEXT, "Ключи", Upload(text=NOTE)),)), HERE, now=NOON
    )
    assert again.duplicate
    second = await home.app.ask_question(anya, WHO, HERE, now=NOON, after=again.source.id)
    assert await home.answer(second) is not None
    assert await home.answer(first) is not None


async def test_what_its_file_does_not_hold_is_looked_for_in_the_notebook(home: Household, anya: Caller) -> None:
    source, _ = await under(home, anya)
    await home.work.ingest_source(source.notebook_id, source.id)
    question = await home.app.ask_question(anya, "Кто принимает зачёт по гистологии?", HERE, now=NOON, after=source.id)
    await home.execute("UPDATE questions SET with_model = false WHERE id = :id", id=question.id)
    answer = await home.answer(question)
    assert answer is not None
    assert "Вера Павловна" in answer.text
