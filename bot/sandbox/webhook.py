"""The webhook: set, described, and served by a courier that does not give up."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import aiohttp

from bot.sandbox import updates
from bot.sandbox.errors import bad_request
from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World

SECRET = re.compile(r"[A-Za-z0-9_-]{0,256}")
ANSWER_TIMEOUT_S = 60
"""How long the bot may take to answer a webhook request."""

LONGEST_PAUSE_S = 60
"""Pauses between attempts double from `pause_s` up to this."""


def set_webhook(world: World, params: Params) -> tuple[bool, str]:
    """Set a webhook, or delete it with an empty address; plain HTTP is accepted, as by a local Bot API server.

    Returns:
        The result and the description that Telegram puts beside it.
    """
    url, secret = params.text("url").strip(), params.text("secret_token")
    if not SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    if params.flag("drop_pending_updates"):
        world.store.run("DELETE FROM updates")
    if not url:
        return delete_webhook(world, params)
    if not re.match(r"https?://[^/\s]+", url):
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    if params.has("allowed_updates"):
        updates.allow(world, params.json("allowed_updates", "allowed_updates"))
    connections = params.integer("max_connections", 40)
    hook = {"url": url, "secret": secret, "max_connections": min(max(connections, 1), 100)}
    was_set = world.store.get("webhook") == hook
    world.store.put("webhook", hook)
    world.store.after_commit(world.wake)
    return True, "Webhook is already set" if was_set else "Webhook was set"


def delete_webhook(world: World, params: Params) -> tuple[bool, str]:
    """Go back to getUpdates."""
    if params.flag("drop_pending_updates"):
        world.store.run("DELETE FROM updates")
    was_set = bool(world.store.get("webhook"))
    world.store.put("webhook", None)
    return True, "Webhook was deleted" if was_set else "Webhook is already deleted"


def webhook_info(world: World) -> Obj:
    """Return `WebhookInfo`."""
    hook = world.store.get("webhook") or {"url": ""}
    info: Obj = {"url": hook["url"], "has_custom_certificate": False}
    info["pending_update_count"] = updates.pending_count(world)
    if hook["url"]:
        info |= {"max_connections": hook["max_connections"], "ip_address": "127.0.0.1"}
        info |= world.store.get("webhook error") or {}
    return info | ({"allowed_updates": updates.allowed(world)} if updates.allowed(world) else {})


class Courier:
    """Brings updates to the webhook: each lane in order, lanes side by side, until the bot says 2xx."""

    def __init__(self, world: World, call: Any, *, pause_s: float = 1.0) -> None:
        self._world = world
        self._call = call
        self._pause_s = pause_s
        self._changed = asyncio.Event()
        self._busy: set[str] = set()

    async def run(self) -> None:
        """Deliver until cancelled."""
        self._world.wakers.add(self._changed.set)
        timeout = aiohttp.ClientTimeout(total=ANSWER_TIMEOUT_S)
        try:
            async with aiohttp.ClientSession(timeout=timeout) as session, asyncio.TaskGroup() as group:
                while True:
                    self._changed.clear()
                    self._start_lanes(group, session)
                    await self._changed.wait()
        finally:
            self._world.wakers.discard(self._changed.set)

    def _start_lanes(self, group: asyncio.TaskGroup, session: aiohttp.ClientSession) -> None:
        hook = self._world.store.get("webhook")
        if not hook:
            return
        for row in self._world.store.rows("SELECT DISTINCT lane FROM updates ORDER BY seq"):
            lane = row["lane"]
            if lane not in self._busy and len(self._busy) < hook["max_connections"]:
                self._busy.add(lane)
                group.create_task(self._serve(session, lane))

    async def _serve(self, session: aiohttp.ClientSession, lane: str) -> None:
        pause_s = self._pause_s
        try:
            while (hook := self._world.store.get("webhook")) and (row := self._next(lane)) is not None:
                problem = await self._deliver(session, hook, row["body"])
                if problem is None:
                    pause_s = self._pause_s
                    self._world.store.run("DELETE FROM updates WHERE seq = ?", row["seq"])
                    continue
                self._world.store.put("webhook error", problem)
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
        finally:
            self._busy.discard(lane)
            self._changed.set()

    def _next(self, lane: str) -> Any:
        updates.drop_expired(self._world)
        newest_first = self._world.faults.take_delivery("reorder_updates") is not None
        order = "DESC" if newest_first else "ASC"
        row = self._world.store.row(f"SELECT seq, body FROM updates WHERE lane = ? ORDER BY seq {order}", lane)
        if row is not None and self._world.faults.take_delivery("duplicate_update"):
            with self._world.store.transaction():
                updates.force(self._world, json.loads(row["body"]))
        return row

    async def _deliver(self, session: aiohttp.ClientSession, hook: Obj, body: str) -> Obj | None:
        """Post one update; return None if it was taken, or what to tell in getWebhookInfo."""
        headers = {"Content-Type": "application/json"}
        if hook["secret"]:
            headers["X-Telegram-Bot-Api-Secret-Token"] = hook["secret"]
        try:
            async with session.post(hook["url"], data=body.encode(), headers=headers) as response:
                answer = await response.read()
                if 200 <= response.status < 300:
                    await self._answer_call(answer)
                    return None
                text = f"Wrong response from the webhook: {response.status} {response.reason}"
        except TimeoutError:
            text = "Read timeout expired"
        except aiohttp.ClientError:
            text = "Connection refused"
        return {"last_error_date": int(self._world.now()), "last_error_message": text}

    async def _answer_call(self, answer: bytes) -> None:
        """Run the method that a bot may name in its answer to a webhook request."""
        try:
            named = json.loads(answer or b"{}")
        except ValueError:
            return
        if isinstance(named, dict) and isinstance(named.get("method"), str):
            await self._call(named.pop("method"), Params(named))
