"""The webhook: secret, order, retries, answers."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web


class Hook:
    """A bot's webhook that answers what it is told to."""

    def __init__(self):
        self.statuses = []
        self.answer = {}
        self.got = asyncio.Queue()

    async def handle(self, request):
        status = self.statuses.pop(0) if self.statuses else 200
        await self.got.put((await request.json(), dict(request.headers), status))
        return web.json_response(self.answer, status=status)

    async def next(self):
        return await asyncio.wait_for(self.got.get(), 5)


@pytest.fixture
async def hook():
    hook = Hook()
    app = web.Application()
    app.router.add_post("/hook", hook.handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    hook.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    yield hook
    await runner.cleanup()


async def test_updates_are_posted_with_the_secret(play, hook):
    ada = await play.user()
    await play.ok("setWebhook", url=hook.url, secret_token="s3cret")

    await play.say(ada, "hello")
    update, headers, _ = await hook.next()

    assert update["message"]["text"] == "hello"
    assert headers["X-Telegram-Bot-Api-Secret-Token"] == "s3cret"
    assert (await play.until(lambda: drained(play)))["url"] == hook.url


async def drained(play):
    info = await play.ok("getWebhookInfo")
    return info if info["pending_update_count"] == 0 else None


async def test_a_refused_update_is_tried_again_before_the_next_of_its_chat(play, hook):
    ada = await play.user()
    hook.statuses = [500, 503]
    await play.ok("setWebhook", url=hook.url)

    await play.say(ada, "one")
    await play.say(ada, "two")
    got = [await hook.next() for _ in range(4)]

    assert [update["message"]["text"] for update, _, _ in got] == ["one", "one", "one", "two"]
    info = await play.ok("getWebhookInfo")
    assert info["last_error_message"].startswith("Wrong response from the webhook: 503")


async def test_one_stuck_chat_does_not_hold_up_another(play, hook):
    ada, bob = await play.user("Ada"), await play.user("Bob")
    hook.statuses = [500] * 200
    await play.ok("setWebhook", url=hook.url)
    await play.say(ada, "stuck")
    await hook.next()

    await play.say(bob, "free")
    texts = {(await hook.next())[0]["message"]["text"] for _ in range(8)}

    assert texts == {"stuck", "free"}


async def test_polling_is_refused_while_a_webhook_is_set(play, hook):
    await play.ok("setWebhook", url=hook.url)

    assert await play.refusal("getUpdates") == (
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
    )
    await play.ok("deleteWebhook")
    assert await play.ok("getUpdates") == []


async def test_setting_a_webhook_ends_a_waiting_poll(play, hook):
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        poll = group.create_task(play.call("getUpdates", timeout=50))

        async def ended():
            await play.ok("setWebhook", url=hook.url)
            await play.ok("deleteWebhook")
            return poll.done()

        await play.until(ended)

    assert poll.result()["error_code"] == 409


async def test_a_method_in_the_answer_is_carried_out(play, hook):
    ada = await play.friend()
    hook.answer = {"method": "sendMessage", "chat_id": ada["id"], "text": "from the answer"}
    await play.ok("setWebhook", url=hook.url)

    await play.say(ada, "hello")

    async def answered():
        return [m["text"] for m in await play.history(ada)][-1] == "from the answer"

    await play.until(answered)


async def test_pending_updates_can_be_dropped(play, hook):
    ada = await play.user()
    await play.say(ada, "old")

    await play.ok("setWebhook", url=hook.url, drop_pending_updates=True)
    await play.say(ada, "new")

    assert (await hook.next())[0]["message"]["text"] == "new"


@pytest.mark.parametrize(("url", "secret", "reason"), [
    ("ftp://x", "", "Bad Request: bad webhook: An HTTPS URL must be provided for webhook"),
    ("http://127.0.0.1/x", "no spaces", "Bad Request: secret token contains unallowed characters"),
])  # fmt: skip
async def test_bad_webhooks_are_refused(play, url, secret, reason):
    assert await play.refusal("setWebhook", url=url, secret_token=secret) == reason
