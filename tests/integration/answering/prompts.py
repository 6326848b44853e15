"""Questions as they are recorded, and the prompts that they cost."""

from __future__ import annotations

from datetime import datetime, timedelta

from core.billing.plans import PLANS, WINDOW_S
from core.billing.quota import prompts_left
from core.model.answer import Question
from core.model.plan import PlanName, PromptsLeft
from core.model.user import Caller
from tests.integration.household import HERE, NOON, WHO, Household

FREE, PRO = PLANS[PlanName.FREE].prompts, PLANS[PlanName.PRO].prompts
WINDOW = timedelta(seconds=WINDOW_S)


async def ask(home: Household, caller: Caller, *, at: datetime = NOON, text: str = WHO) -> Question:
    """Ask, and look at the question as it was recorded."""
    asked = await home.app.ask_question(caller, text, HERE, now=at)
    return await stored(home, asked)


async def stored(home: Household, question: Question) -> Question:
    async with home.app.transactions() as tx:
        found = await tx.questions.get(question.id)
    assert found is not None
    return found


async def left(home: Household, caller: Caller, *, at: datetime = NOON) -> PromptsLeft:
    assert caller.person is not None
    async with home.app.transactions() as tx:
        return await prompts_left(tx, caller.person.id, now=at)


async def use(home: Household, caller: Caller, count: int, *, at: datetime = NOON) -> None:
    """Spend prompts at a time."""
    assert caller.person is not None
    await home.execute(
        "INSERT INTO prompt_ledger (person_id, kind, price, reference, state, at) "
        "SELECT :person, 'answer', 1, gen_random_uuid(), 'spent', :at FROM generate_series(1, :count)",
        person=caller.person.id, count=count, at=at,
    )  # fmt: skip


async def subscribe(home: Household, caller: Caller) -> None:
    assert caller.person is not None
    async with home.app.transactions() as tx:
        await tx.people.set_plan(caller.person.id, PlanName.PRO)
