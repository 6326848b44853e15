"""The ledger of prompts: no number of questions at once gets past what is left."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from core.answering.ask_question import AskQuestion
from core.billing.plans import PLANS, WINDOW_S
from core.billing.quota import Request, prompts_left, reference_of, reserve
from core.model.ids import ReplyTo
from core.model.plan import PlanName
from core.model.user import Caller
from tests.integration.rows import NOW, Rows, open_rows

FREE = PLANS[PlanName.FREE].prompts
pytestmark = pytest.mark.usefixtures("no_blocking")


@pytest.fixture
async def rows(database: str, redis_url: str) -> AsyncIterator[Rows]:
    async with open_rows(database, redis_url, pool_size=20) as opened:
        yield opened


@pytest.fixture
async def caller(rows: Rows) -> Caller:
    """A person with a source to ask about."""
    caller = await rows.caller()
    await rows.source(caller)
    return caller


async def _left(rows: Rows, caller: Caller, *, after_s: float = 0.0) -> int:
    assert caller.person is not None
    async with rows.transactions() as tx:
        return (await prompts_left(tx, caller.person.id, now=NOW + timedelta(seconds=after_s))).left


async def _reserve(rows: Rows, caller: Caller, number: int, *, after_s: float = 0.0) -> bool:
    assert caller.person is not None
    async with rows.transactions() as tx:
        now = NOW + timedelta(seconds=after_s)
        return await reserve(tx, caller.person.id, Request.ANSWER, number, now=now) is not None


async def test_m3_of_sixty_questions_at_once_exactly_as_many_as_prompts_are_left_get_one(
    rows: Rows, caller: Caller
) -> None:
    ask = AskQuestion(rows.transactions, has_model=True)
    questions = await asyncio.gather(*(ask(caller, f"{n}?", ReplyTo("{}"), now=NOW) for n in range(60)))
    mine = "person_id = :id"
    assert caller.person is not None
    assert await rows.sql(f"SELECT count(*) FROM prompt_ledger WHERE {mine}", id=caller.person.id) == FREE
    assert await rows.sql(f"SELECT count(*) FROM questions WHERE with_model AND {mine}", id=caller.person.id) == FREE
    assert len({question.id for question in questions}) == 60
    assert await _left(rows, caller) == 0


async def test_m3_a_prompt_given_back_can_be_taken_again_and_a_spent_one_cannot(rows: Rows, caller: Caller) -> None:
    base = caller.notebook_id * 1000
    assert [await _reserve(rows, caller, base + n) for n in range(FREE + 1)] == [True] * FREE + [False]
    async with rows.transactions() as tx:
        await tx.ledger.give_back(reference_of(Request.ANSWER, base))
        await tx.ledger.spend(reference_of(Request.ANSWER, base + 1))
        await tx.ledger.give_back(reference_of(Request.ANSWER, base + 1))
        await tx.ledger.spend(reference_of(Request.ANSWER, base))
    assert await _left(rows, caller) == 1
    assert await _reserve(rows, caller, base + FREE)
    assert not await _reserve(rows, caller, base + FREE + 1)


async def test_a_request_is_paid_for_once_however_often_it_is_tried(rows: Rows, caller: Caller) -> None:
    number = caller.notebook_id * 1000
    for _ in range(3):
        assert await _reserve(rows, caller, number)
    assert await _left(rows, caller) == FREE - 1


async def test_m3_a_paid_prompt_comes_back_at_the_edge_of_its_window(rows: Rows, caller: Caller) -> None:
    assert caller.person is not None
    async with rows.transactions() as tx:
        await tx.people.set_plan(caller.person.id, PlanName.PRO)
    everything = PLANS[PlanName.PRO].prompts
    assert await _reserve(rows, caller, caller.notebook_id * 1000)
    assert await _left(rows, caller, after_s=WINDOW_S - 0.001) == everything - 1
    assert await _left(rows, caller, after_s=WINDOW_S) == everything
