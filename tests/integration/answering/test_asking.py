"""Asking, paying, stopping and showing, over real Postgres and a model behind a socket."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from core.answering.ask_question import QUESTION_LIMIT
from core.jobs import AnswerQuestion
from core.model.answer import QuestionState
from core.model.plan import PlanName, PromptsLeft
from core.model.user import Caller
from tests.fakes.openai_behaviours import broken, refusal
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.answering.prompts import FREE, PRO, WINDOW, ask, left, stored, subscribe, use
from tests.integration.household import HERE, NOON, NOTE, WHO, Household, refused

# What may be asked


async def test_a_question_is_recorded_and_sent_to_be_answered(home: Household, anya: Caller) -> None:
    home.post.jobs.clear()
    question = await home.app.ask_question(anya, f"  {WHO}\n", HERE, now=NOON)
    assert (question.text, question.state) == (WHO, QuestionState.QUEUED)
    assert home.post.jobs == [AnswerQuestion(question.id)]


async def test_nothing_and_too_much_are_not_asked(home: Household, anya: Caller) -> None:
    home.post.jobs.clear()
    await refused(home.app.ask_question(anya, " \n", HERE, now=NOON), "question-empty")
    values = await refused(home.app.ask_question(anya, "я" * (QUESTION_LIMIT + 1), HERE, now=NOON), "question-too-long")
    assert values == {"limit": QUESTION_LIMIT}
    assert await home.app.ask_question(anya, "я" * QUESTION_LIMIT, HERE, now=NOON)
    assert len(home.post.jobs) == 1
    assert (await left(home, anya)).used == 1


async def test_an_empty_notebook_is_not_asked_and_nothing_is_taken(home: Household) -> None:
    nobody = await home.person()
    await refused(home.app.ask_question(nobody, WHO, HERE, now=NOON), "notebook-empty")
    assert (await left(home, nobody)).used == 0


# What it costs


async def test_an_answer_of_the_model_costs_one_prompt(home: Household, anya: Caller, model: FakeOpenAI) -> None:
    question = await ask(home, anya)
    assert question.with_model
    assert (await left(home, anya)).left == FREE - 1
    answer = await home.answer(question)
    assert answer is not None
    assert (answer.model, answer.prompts_left) == ("fake-model", FREE - 1)
    assert (await left(home, anya)).left == FREE - 1


async def test_a_refusal_of_the_model_costs_as_much_as_an_answer(
    home: Household, anya: Caller, model: FakeOpenAI
) -> None:
    model.script(refusal())
    answer = await home.answer(await ask(home, anya))
    assert answer is not None
    assert not answer.answered
    assert (await left(home, anya)).used == 1


async def test_m3_the_price_of_a_model_call_that_failed_is_given_back(
    home: Household, anya: Caller, model: FakeOpenAI
) -> None:
    question = await ask(home, anya)
    for _ in range(5):
        model.reset()
        model.script(*[broken()] * 5)
        await home.work.answer_question(question.id)
        await home.execute("UPDATE questions SET retry_at = NULL WHERE id = :id", id=question.id)
    assert (await stored(home, question)).state not in (QuestionState.QUEUED, QuestionState.RUNNING)
    assert home.told.answers[question.id].model == "extractive"
    assert (await left(home, anya)).used == 0


async def test_a_repeat_of_the_same_job_costs_nothing_more(home: Household, anya: Caller, model: FakeOpenAI) -> None:
    question = await ask(home, anya)
    for _ in range(3):
        await home.answer(question)
    assert (await left(home, anya)).used == 1
    assert await home.value("SELECT count(*) FROM answers WHERE question_id = :id", id=question.id) == 1


async def test_the_free_plans_21st_question_is_answered_by_quotes(
    home: Household, anya: Caller, model: FakeOpenAI
) -> None:
    await use(home, anya, FREE - 1)
    last, beyond = await ask(home, anya), await ask(home, anya)
    assert FREE == 20
    assert (last.with_model, beyond.with_model) == (True, False)
    answer = await home.answer(beyond)
    assert answer is not None
    assert (answer.answered, answer.model) == (True, "extractive")
    assert model.requests == []
    assert (await left(home, anya)).left == 0


async def test_prompts_of_the_free_plan_do_not_come_back(home: Household, anya: Caller) -> None:
    await use(home, anya, FREE, at=NOON - timedelta(days=4000))
    assert not (await ask(home, anya)).with_model


async def test_an_anonymous_sender_has_no_account_and_gets_quotes(home: Household, model: FakeOpenAI) -> None:
    nobody = await home.member(-31, None)
    await home.add(nobody, NOTE)
    before = await home.value("SELECT count(*) FROM prompt_ledger")
    answer = await home.ask(nobody, WHO)
    assert answer is not None
    assert (answer.answered, answer.model, answer.prompts_left) == (True, "extractive", None)
    assert await home.value("SELECT count(*) FROM prompt_ledger") == before


async def test_m3_of_a_hundred_questions_at_once_exactly_as_many_pass_as_were_left(
    home: Household, anya: Caller
) -> None:
    await use(home, anya, FREE - 10)
    asked = await asyncio.gather(*(ask(home, anya, text=f"{WHO} {number}") for number in range(100)))
    assert sum(question.with_model for question in asked) == 10
    assert await left(home, anya) == PromptsLeft(PlanName.FREE, FREE, 0)


async def test_m3_each_prompt_of_a_paid_plan_comes_back_by_itself(home: Household, anya: Caller) -> None:
    await subscribe(home, anya)
    await use(home, anya, PRO - 1, at=NOON)
    await use(home, anya, 1, at=NOON + timedelta(hours=1))
    assert (await left(home, anya, at=NOON + timedelta(hours=2))).left == 0
    assert (await left(home, anya, at=NOON + WINDOW)).left == PRO - 1
    assert (await left(home, anya, at=NOON + WINDOW + timedelta(hours=1))).left == PRO


async def test_one_persons_prompts_are_not_anothers(home: Household, anya: Caller) -> None:
    boris = await home.person()
    await use(home, anya, FREE)
    await home.add(boris, NOTE)
    assert (await ask(home, boris)).with_model


# Stopping


async def test_only_who_asked_stops_the_answer(home: Household, anya: Caller) -> None:
    boris, nobody = await home.person(), await home.member(-32, None)
    question = await ask(home, anya)
    assert not await home.app.stop_question(boris, question.id)
    assert not await home.app.stop_question(nobody, question.id)
    assert await home.app.stop_question(anya, question.id)
    assert await home.app.get_question(anya, question.id)
    await refused(home.app.get_question(boris, question.id), "question-gone")


async def test_an_anonymous_question_is_nobodys_to_stop_or_to_have(home: Household) -> None:
    asker, other = await home.member(-33, None), await home.member(-34, None)
    await home.add(asker, NOTE)
    question = await ask(home, asker)
    assert not await home.app.stop_question(other, question.id)
    await refused(home.app.get_question(other, question.id), "question-gone")


async def test_a_stopped_question_is_over_costs_nothing_and_is_said_once(home: Household, anya: Caller) -> None:
    question = await ask(home, anya)
    await home.app.stop_question(anya, question.id)
    assert await home.answer(question) is None
    assert (await stored(home, question)).state is QuestionState.CANCELLED
    assert home.told.failures[question.id].text_key == "asking-stopped"
    assert not await home.app.stop_question(anya, question.id)
    assert (await left(home, anya)).used == 0


async def test_what_was_answered_cannot_be_stopped(home: Household, anya: Caller, model: FakeOpenAI) -> None:
    question = await ask(home, anya)
    await home.answer(question)
    assert not await home.app.stop_question(anya, question.id)
