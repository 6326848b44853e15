"""Invoices, pre-checkout answers, Stars."""

from __future__ import annotations

import json
from typing import Any

from bot.sandbox import messages, payments
from bot.sandbox.bot_api.outgoing import read_options, send
from bot.sandbox.chats import find_chat, writable
from bot.sandbox.errors import bad_request
from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World

SUBSCRIPTION_S = 2_592_000
"""The only period of a subscription: 30 days."""


def _invoice(params: Params) -> Obj:
    """Read an invoice.

    Raises:
        ApiError: A text is empty or too long, or the currency, the prices or the provider are refused.
    """
    for name, limit in (("title", 32), ("description", 255)):
        if not params.text(name):
            raise bad_request(f"invoice {name} must be non-empty" if name == "title" else "INVOICE_DESCRIPTION_EMPTY")
        if len(params.text(name)) > limit:
            raise bad_request(f"INVOICE_{name.upper()}_TOO_LONG")
    if not 1 <= len(params.text("payload").encode()) <= 128:
        raise bad_request("INVOICE_PAYLOAD_INVALID")
    prices = params.json("prices", "prices")
    _check_prices(params, prices)
    return {
        "title": params.text("title"), "description": params.text("description"), "currency": params.text("currency"),
        "start_parameter": params.text("start_parameter"), "total_amount": sum(price["amount"] for price in prices),
        "invoice_payload": params.text("payload"), "subscription_period": _period(params),
    }  # fmt: skip


def _check_prices(params: Params, prices: Any) -> None:
    currency = params.text("currency")
    if len(currency) != 3 or not currency.isupper():
        raise bad_request("CURRENCY_INVALID")
    if not isinstance(prices, list) or not prices:
        raise bad_request("can't parse prices JSON object" if prices is None else "there are no prices")
    if not all(isinstance(price, dict) and isinstance(price.get("amount"), int) for price in prices):
        raise bad_request('can\'t parse labeled price: Field "amount" must be of type Number')
    if currency == "XTR" and (len(prices) != 1 or params.text("provider_token") or prices[0]["amount"] < 1):
        raise bad_request("STARS_INVOICE_INVALID")
    if currency != "XTR" and not params.text("provider_token"):
        raise bad_request("PAYMENT_PROVIDER_INVALID")


def _period(params: Params) -> int:
    period = params.integer("subscription_period")
    if period and (period != SUBSCRIPTION_S or params.text("currency") != "XTR"):
        raise bad_request("SUBSCRIPTION_PERIOD_INVALID")
    return period


def send_invoice(world: World, params: Params) -> Obj:
    """Send an invoice; without a markup it gets its pay button."""
    invoice = _invoice(params)
    chat = writable(world, params)
    options = read_options(world, params, chat, may_pay=True)
    amount = f"{invoice['total_amount']} ⭐" if invoice["currency"] == "XTR" else _money(invoice)
    button = {"text": f"Pay {amount}", "pay": True}
    markup = options.fields.setdefault("reply_markup", {"inline_keyboard": [[button]]})
    if "pay" not in markup["inline_keyboard"][0][0]:
        raise bad_request("BUTTON_TYPE_INVALID")
    names = ("title", "description", "start_parameter", "currency", "total_amount")
    message = send(world, chat, {"invoice": {name: invoice[name] for name in names}}, options)
    world.store.keep("invoice", f"{chat['id']} {message['message_id']}", invoice)
    return message


def _money(invoice: Obj) -> str:
    return f"{invoice['total_amount'] / 100:.2f} {invoice['currency']}"


def create_invoice_link(world: World, params: Params) -> str:
    """Make a link that leads to an invoice."""
    invoice = _invoice(params)
    link = f"https://t.me/$sandbox{world.store.next_number('invoice', 1):08d}"
    world.store.keep("invoice", link, invoice)
    return link


def answer_pre_checkout_query(world: World, params: Params) -> bool:
    """Agree to a payment, or refuse it with a reason.

    Raises:
        ApiError: The query is unknown, answered or older than 10 seconds, or a refusal has no reason.
    """
    given = {"ok": params.flag("ok"), "error_message": params.text("error_message")}
    if not given["ok"] and not given["error_message"]:
        raise bad_request("error message must be non-empty")
    if not payments.answer(world, params.text("pre_checkout_query_id"), given):
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    return True


def refund_star_payment(world: World, params: Params) -> bool:
    """Give Stars back; the person sees `refunded_payment`."""
    charge = params.text("telegram_payment_charge_id")
    payment = world.store.record("charge", charge)
    if payment is None or payment["user_id"] != params.integer("user_id") or payment["currency"] != "XTR":
        raise bad_request("CHARGE_ID_INVALID")
    if payment["refunded"]:
        raise bad_request("CHARGE_ALREADY_REFUNDED")
    world.store.keep("charge", charge, payment | {"refunded": True})
    names = ("currency", "total_amount", "invoice_payload", "telegram_payment_charge_id")
    refund = {name: payment[name] for name in names}
    chat = find_chat(world, payment["user_id"]) or {}
    messages.post(world, chat, world.bot_user(), {"refunded_payment": refund})
    return True


def get_star_transactions(world: World, params: Params) -> Obj:
    """Return the payments in Stars, oldest first."""
    rows = world.store.rows("SELECT key, body FROM records WHERE kind = 'charge' ORDER BY rowid")
    paid = [(row["key"], json.loads(row["body"])) for row in rows]
    offset, limit = params.integer("offset"), params.integer("limit", 100)
    shown = [{"id": key, "amount": p["total_amount"], "date": p["date"]} for key, p in paid if p["currency"] == "XTR"]
    return {"transactions": shown[offset : offset + limit]}


def edit_user_star_subscription(world: World, params: Params) -> bool:
    """Agree to a changed subscription."""
    if world.store.record("charge", params.text("telegram_payment_charge_id")) is None:
        raise bad_request("CHARGE_ID_INVALID")
    return True


METHODS: dict[str, Any] = {
    "sendInvoice": send_invoice,
    "createInvoiceLink": create_invoice_link,
    "answerPreCheckoutQuery": answer_pre_checkout_query,
    "refundStarPayment": refund_star_payment,
    "getStarTransactions": get_star_transactions,
    "editUserStarSubscription": edit_user_star_subscription,
}
