"""Payments: an invoice paid by a person, asked of the bot within ten seconds, told to it when done."""

from __future__ import annotations

import asyncio

from bot.sandbox import messages, updates
from bot.sandbox.chats import find_chat
from bot.sandbox.errors import SandboxError
from bot.sandbox.world import Obj, World

ANSWER_S = 10
"""How long the bot has for `answerPreCheckoutQuery`."""

QUERY_LIFE_S = 150
"""How long a pre-checkout query waits in the queue."""


def begin(world: World, user: Obj, invoice: Obj) -> str:
    """Press "Pay": queue a pre-checkout query and return its id."""
    query_id = str(6_200_000_000_000_000_000 + world.store.next_number("pre-checkout", 1))
    world.store.keep("pre-checkout", query_id, {"asked_at": world.now(), "answered": False})
    query = {"id": query_id, "from": user, **_sum(invoice)}
    updates.enqueue(world, "pre_checkout_query", query, f"pre-checkout {user['id']}", QUERY_LIFE_S)
    return query_id


def _sum(invoice: Obj) -> Obj:
    return {name: invoice[name] for name in ("currency", "total_amount", "invoice_payload")}


async def wait_for_answer(world: World, query_id: str) -> Obj:
    """Wait for the bot's answer, 10 seconds at most; return `ok` and `error_message`."""
    future: asyncio.Future[Obj] = asyncio.get_running_loop().create_future()
    world.waiting[query_id] = future
    try:
        return await asyncio.wait_for(future, ANSWER_S)
    except TimeoutError:
        return {"ok": False, "error_message": "the bot did not answer in time"}
    finally:
        world.waiting.pop(query_id, None)


def answer(world: World, query_id: str, given: Obj) -> bool:
    """Record the bot's answer and tell the waiting person; False if the query is unknown, answered or too old."""
    record = world.store.record("pre-checkout", query_id)
    if record is None or record["answered"] or world.now() - record["asked_at"] > ANSWER_S:
        return False
    world.store.keep("pre-checkout", query_id, record | {"answered": True})
    world.store.after_commit(lambda: _tell(world, query_id, given))
    return True


def _tell(world: World, query_id: str, given: Obj) -> None:
    future = world.waiting.get(query_id)
    if future is not None and not future.done():
        future.set_result(given)


def finish(world: World, user: Obj, chat_id: int, invoice: Obj) -> Obj:
    """Take the money: a service message with `successful_payment`, which the bot gets."""
    number = world.store.next_number("charge", 1)
    charge = f"stx{number:08d}{user['id']}"
    payment = _sum(invoice) | {"telegram_payment_charge_id": charge, "provider_payment_charge_id": f"prov{number:08d}"}
    if invoice.get("subscription_period"):
        until = int(world.now()) + int(invoice["subscription_period"])
        payment |= {"subscription_expiration_date": until, "is_recurring": True, "is_first_recurring": True}
    world.store.keep("charge", charge, {**payment, "user_id": user["id"], "date": int(world.now()), "refunded": False})
    return messages.post(world, find_chat(world, chat_id) or {}, user, {"successful_payment": payment})


def invoice_of(world: World, chat_id: int, message_id: int) -> Obj:
    """Return the invoice that a message shows.

    Raises:
        SandboxError: The message shows none (404).
    """
    invoice: Obj | None = world.store.record("invoice", f"{chat_id} {message_id}")
    if invoice is None:
        raise SandboxError("there is no invoice in this message", 404)
    return invoice


def invoice_by_link(world: World, link: str) -> Obj:
    """Return the invoice behind a link of createInvoiceLink.

    Raises:
        SandboxError: There is none (404).
    """
    invoice: Obj | None = world.store.record("invoice", link)
    if invoice is None:
        raise SandboxError("there is no invoice behind this link", 404)
    return invoice
