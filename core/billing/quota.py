"""The gate before every model call: one request of a person is one reservation that all its calls share."""

from datetime import datetime, timedelta
from enum import StrEnum

from core.billing.plans import PLANS
from core.model.ids import PersonId
from core.model.plan import PromptsLeft
from core.ports import Transaction


class Request(StrEnum):
    """What a person can ask for at the price of prompts."""

    ANSWER = "answer"


PRICES: dict[Request, int] = {Request.ANSWER: 1}
"""In prompts; shown before the work starts. What is not here (reading, summaries, retries) costs none."""


def reference_of(request: Request, row_id: int) -> str:
    """Name a reservation after the row that it pays for, so that a repeat finds it."""
    return f"{request}:{row_id}"


async def prompts_left(tx: Transaction, person_id: PersonId, *, now: datetime) -> PromptsLeft:
    """Count under the account's lock, which is held until the transaction ends."""
    plan = PLANS[await tx.ledger.lock(person_id)]
    since = None if plan.window_s is None else now - timedelta(seconds=plan.window_s)
    used = await tx.ledger.used(person_id, since=since)
    return PromptsLeft(plan.name, used, max(0, plan.prompts - used))


async def reserve(
    tx: Transaction, person_id: PersonId, request: Request, row_id: int, *, now: datetime
) -> PromptsLeft | None:
    """Take the price of a request.

    The account's row is locked first, then counted, then written: no number of requests at once gets past the limit.

    Returns:
        What is left afterwards; None when too little was left, and nothing was taken.
    """
    before = await prompts_left(tx, person_id, now=now)
    price = PRICES[request]
    if before.left < price:
        return None
    await tx.ledger.reserve(person_id, request, price, reference_of(request, row_id), now=now)
    return PromptsLeft(before.plan, before.used + price, before.left - price)
