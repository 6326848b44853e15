"""The queue of updates that wait for the bot."""

from __future__ import annotations

import json

from bot.sandbox.bot_view import for_bot
from bot.sandbox.limits import UPDATE_LIFE_S
from bot.sandbox.params import whole_number
from bot.sandbox.world import Obj, World

KINDS = frozenset({
    "message", "edited_message", "channel_post", "edited_channel_post", "message_reaction", "message_reaction_count",
    "inline_query", "chosen_inline_result", "callback_query", "shipping_query", "pre_checkout_query", "poll",
    "poll_answer", "my_chat_member", "chat_member", "chat_join_request", "stopped_message_generation",
    "business_connection", "business_message", "edited_business_message", "deleted_business_messages", "chat_boost",
    "removed_chat_boost", "purchased_paid_media", "guest_message", "managed_bot", "subscription",
})  # fmt: skip
"""Every kind of update a bot can name."""

ON_REQUEST = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
"""Kinds that come only if the bot named them."""


def allowed(world: World) -> list[str]:
    """Return the kinds the bot asked for; empty means the default."""
    kinds: list[str] = world.store.get("allowed updates", [])
    return kinds


def allow(world: World, kinds: object) -> None:
    """Remember the kinds a bot asks for; unknown names are ignored, as Telegram does."""
    if isinstance(kinds, list):
        world.store.put("allowed updates", [kind for kind in kinds if isinstance(kind, str) and kind in KINDS])


def enqueue(world: World, kind: str, payload: Obj, lane: str, life_s: float = UPDATE_LIFE_S) -> None:
    """Queue an update for the bot if it asked for its kind.

    Args:
        world: The emulator.
        kind: Field of `Update`.
        payload: Its value.
        lane: Updates of one lane reach a webhook in order; lanes run side by side.
        life_s: Seconds after which it is dropped.
    """
    wanted = allowed(world)
    if kind not in wanted and (wanted or kind in ON_REQUEST):
        return
    update_id = world.store.next_number("update", 300_000_001)
    _insert(world, {"update_id": update_id, kind: for_bot(payload)}, lane, world.now() + life_s, forced=False)


def force(world: World, update: Obj) -> int:
    """Queue a raw update whatever its id, even one already confirmed; without an id it gets the next one."""
    update_id = whole_number(update.get("update_id"))
    if update_id <= 0:
        update_id = world.store.next_number("update", 300_000_001)
    body = {"update_id": update_id, **{key: value for key, value in update.items() if key != "update_id"}}
    _insert(world, body, "forced", world.now() + UPDATE_LIFE_S, forced=True)
    return update_id


def _insert(world: World, body: Obj, lane: str, expires_at: float, *, forced: bool) -> None:
    world.store.run(
        "INSERT INTO updates (update_id, body, lane, expires_at, forced) VALUES (?, ?, ?, ?, ?)",
        body["update_id"], json.dumps(body, ensure_ascii=False), lane, expires_at, forced,
    )  # fmt: skip
    world.store.after_commit(world.wake)


def drop_expired(world: World) -> None:
    """Forget the updates that waited too long."""
    world.store.run("DELETE FROM updates WHERE expires_at <= ?", world.now())


def confirm(world: World, offset: int) -> None:
    """Forget the updates below an offset, and the raw ones that were delivered."""
    world.store.run("DELETE FROM updates WHERE update_id < ? AND NOT forced", offset)
    world.store.run("DELETE FROM updates WHERE forced AND delivered")


def keep_last(world: World, count: int) -> None:
    """Forget all but the last updates, as a negative offset asks."""
    world.store.run("DELETE FROM updates WHERE seq NOT IN (SELECT seq FROM updates ORDER BY seq DESC LIMIT ?)", count)


def pending_count(world: World) -> int:
    """Return how many updates wait."""
    drop_expired(world)
    row = world.store.row("SELECT count(*) AS n FROM updates")
    return 0 if row is None else int(row["n"])


def batch(world: World, limit: int) -> list[Obj]:
    """Return the oldest waiting updates, with the disturbances that were ordered."""
    drop_expired(world)
    rows = world.store.rows("SELECT seq, body FROM updates ORDER BY seq LIMIT ?", limit)
    found: list[Obj] = [json.loads(row["body"]) for row in rows]
    if rows:
        world.store.run("UPDATE updates SET delivered = 1 WHERE seq <= ?", rows[-1]["seq"])
    if len(found) > 1 and world.faults.take_delivery("reorder_updates"):
        found.reverse()
    if found and world.faults.take_delivery("duplicate_update"):
        force(world, found[0])
    return found
