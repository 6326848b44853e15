"""The outbox: every chat comes to show what it shall, in order, each message once, however many send."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest

from bot.face import open_face
from bot.payload import Payload
from bot.sandbox import start_sandbox
from bot.sender import Sender
from bot.views.view import View
from core.model.user import Caller, ChatKind
from core.ports import OutgoingClaim, OutgoingMessage
from core.settings import Settings
from core.wiring import open_plumbing
from tests.bot.people import Json, Telegram, text_of, until
from tests.integration.rows import NOW, Rows, open_rows

TOKEN = "42:SANDBOX"
NOWHERE = "unix:///nowhere/valkey.sock"
"""Without Redis nobody waits for a place: the tests need not be as slow as Telegram's limits."""
LEASE_S = 60.0
MANY = 2000
TAKEN = 150


@pytest.fixture
async def rows(database: str, redis_url: str) -> AsyncIterator[Rows]:
    async with open_rows(database, redis_url, pool_size=12) as opened:
        yield opened


async def _put(rows: Rows, caller: Caller, key: str, words: str = "", priority: int = 5) -> None:
    payload = Payload(View(words or key)).pack()
    async with rows.transactions() as tx:
        await tx.outbox.put(OutgoingMessage(key, caller.chat.id, payload, priority))


async def _claim(rows: Rows, owner: str = "me", *, after_s: float = 0.0, limit: int = 30) -> list[OutgoingClaim]:
    async with rows.transactions() as tx:
        now = NOW + timedelta(seconds=after_s)
        return await tx.outbox.claim(now=now, limit=limit, lease_s=LEASE_S, owner=owner)


async def _claimed(rows: Rows, owner: str = "me", *, after_s: float = 0.0) -> list[str]:
    return [claim.key for claim in await _claim(rows, owner, after_s=after_s)]


async def _shown(rows: Rows, claim: OutgoingClaim, message_ref: str = "1") -> None:
    async with rows.transactions() as tx:
        await tx.outbox.shown(claim, message_ref)


async def test_a_chats_messages_are_taken_one_by_one_in_order(rows: Rows) -> None:
    caller = await rows.caller()
    await _put(rows, caller, "first")
    await _put(rows, caller, "second", priority=1)
    (claim,) = await _claim(rows)
    assert claim.key == "first"
    assert await _claimed(rows, "another") == []
    await _shown(rows, claim)
    assert await _claimed(rows, "another") == ["second"]


async def test_the_most_urgent_of_several_chats_are_taken_first(rows: Rows) -> None:
    for number in range(4):
        await _put(rows, await rows.caller(), f"status {number}")
    await _put(rows, await rows.caller(), "answer", priority=1)
    assert [claim.key for claim in await _claim(rows, limit=2)] == ["answer", "status 0"]


async def test_a_message_of_a_dead_sender_is_free_when_its_lease_ran_out(rows: Rows) -> None:
    await _put(rows, await rows.caller(), "one")
    await _claim(rows)
    assert await _claimed(rows, "another", after_s=LEASE_S - 1) == []
    assert await _claimed(rows, "another", after_s=LEASE_S) == ["one"]


async def test_new_content_of_a_message_on_its_way_becomes_an_edit_of_it(rows: Rows) -> None:
    caller = await rows.caller()
    await _put(rows, caller, "one", "old")
    (claim,) = await _claim(rows)
    await _put(rows, caller, "one", "new")
    assert await _claimed(rows, "another") == []
    await _shown(rows, claim, "17")
    (edit,) = await _claim(rows)
    assert (Payload.unpack(edit.payload).view.text, edit.message_ref) == ("new", "17")
    await _shown(rows, edit, "17")
    assert await _claim(rows) == []


async def test_equal_content_is_no_change(rows: Rows) -> None:
    caller = await rows.caller()
    await _put(rows, caller, "one", "same")
    (claim,) = await _claim(rows)
    await _shown(rows, claim)
    await _put(rows, caller, "one", "same")
    assert await _claim(rows) == []


async def test_giving_up_old_content_does_not_give_up_the_new(rows: Rows) -> None:
    caller = await rows.caller()
    await _put(rows, caller, "one", "refused")
    (claim,) = await _claim(rows)
    await _put(rows, caller, "one", "while it was refused")
    async with rows.transactions() as tx:
        await tx.outbox.drop(claim, "refused")
    (again,) = await _claim(rows)
    async with rows.transactions() as tx:
        await tx.outbox.drop(again, "refused")
    assert await _claim(rows) == []
    await _put(rows, caller, "one", "after that")
    assert await _claimed(rows) == ["one"]


async def test_a_message_that_has_to_wait_holds_back_the_later_ones_of_its_chat_alone(rows: Rows) -> None:
    caller = await rows.caller()
    await _put(rows, caller, "waits")
    await _put(rows, caller, "later")
    (claim,) = await _claim(rows)
    async with rows.transactions() as tx:
        await tx.outbox.postpone(claim, until=NOW + timedelta(seconds=5), failed=True)
    await _put(rows, await rows.caller(), "of another")
    assert await _claimed(rows) == ["of another"]
    (again,) = await _claim(rows, after_s=5)
    assert (again.key, again.tries) == ("waits", 1)


async def test_senders_never_hold_two_messages_of_one_chat_at_once(rows: Rows) -> None:
    callers = [await rows.caller() for _ in range(3)]
    for caller in callers:  # so many that choosing takes some milliseconds: others choose and commit meanwhile
        await rows.sql(
            "INSERT INTO outbox (key, chat_id, payload) SELECT :chat||':'||n, :id, '{}' FROM generate_series(1,:n) n",
            chat=str(caller.chat.id), id=caller.chat.id, n=MANY,
        )  # fmt: skip
    await rows.sql("ANALYZE outbox")
    held: set[int] = set()
    taken: list[OutgoingClaim] = []

    async def send(owner: str) -> None:
        while len(taken) < TAKEN:
            for claim in await _claim(rows, owner, limit=1):
                assert claim.chat.id not in held
                held.add(claim.chat.id)
                taken.append(claim)
                await asyncio.sleep(0)
                held.discard(claim.chat.id)
                await _shown(rows, claim)

    async with asyncio.TaskGroup() as group:
        for number in range(8):
            group.create_task(send(f"sender {number}"))
    for caller in callers:
        mine = [claim.id for claim in taken if claim.chat.id == caller.chat.id]
        assert mine == sorted(set(mine))


# --- real senders, over HTTP ---


@asynccontextmanager
async def _senders(rows: Rows, count: int, api_url: str) -> AsyncIterator[list[Sender]]:
    """Senders as so many processes have them, each with connections of its own."""
    url = rows.engine.url.render_as_string(hide_password=False)
    groups = {
        "bot": {"token": TOKEN}, "telegram": {"api_url": api_url}, "redis": {"url": NOWHERE},
        "database": {"url": url, "pool_size": 4},
    }  # fmt: skip
    settings = Settings(_env_file=None, **groups)
    async with AsyncExitStack() as stack:
        senders = []
        for _ in range(count):
            plumbing = open_plumbing(settings)
            face = open_face(plumbing)
            stack.push_async_callback(plumbing.close)
            stack.push_async_callback(face.close)
            senders.append(face.sender)
        yield senders


@asynccontextmanager
async def _running(*senders: Sender) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(sender.run()) for sender in senders]
        yield
        for task in tasks:
            task.cancel()


@pytest.fixture
async def telegram(tmp_path: Path) -> AsyncIterator[Telegram]:
    sandbox = await start_sandbox(tmp_path, TOKEN)
    async with aiohttp.ClientSession() as http:
        yield Telegram(http, sandbox.url)
    await sandbox.close()


async def _reader(rows: Rows, telegram: Telegram) -> Caller:
    """A person of ours who is also one of the sandbox, and whom the bot may write to."""
    user = await telegram.call("POST", "/users", json={"first_name": "Аня"})
    await telegram.call("POST", f"/users/{user['id']}/chats/{user['id']}/messages", json={"text": "hi"})
    caller = await rows.caller()
    await rows.sql("UPDATE chats SET external_id = :new WHERE id = :id", new=user["id"], id=caller.chat.id)
    async with rows.transactions() as tx:
        chat = await tx.people.chat(42, user["id"], ChatKind.PRIVATE, "Аня")
    assert chat.id == caller.chat.id
    return Caller(caller.person, chat, caller.notebook_id, "ru")


async def _under_way(rows: Rows) -> None:
    """Wait until the one message is on its way."""

    async def look() -> bool:
        return bool(await rows.sql("SELECT lease_owner FROM outbox"))

    await until(look, "a message on its way")


async def _all_shown(rows: Rows) -> None:
    async def look() -> bool:
        due = "SELECT count(*) FROM outbox WHERE shown_revision < revision AND dropped = ''"
        return await rows.sql(due) == 0

    await until(look, "everything shown")


async def _chat(telegram: Telegram, caller: Caller) -> list[str]:
    """What the bot's messages in a chat say, oldest first."""
    chat = caller.chat.external_id
    messages: list[Json] = await telegram.call("GET", f"/users/{chat}/chats/{chat}/messages")
    return [text_of(message) for message in messages if message["from"]["is_bot"]]


async def test_two_senders_at_once_send_every_message_once_and_keep_each_chat_in_order(
    rows: Rows, telegram: Telegram
) -> None:
    callers = [await _reader(rows, telegram) for _ in range(4)]
    texts = [f"{number:02}" for number in range(15)]
    async with _senders(rows, 2, telegram.url) as senders, _running(*senders):
        for number in texts:
            for caller in callers:
                await _put(rows, caller, f"{caller.chat.id}:{number}", number)
                await senders[caller.chat.id % 2].kick()
        await _all_shown(rows)
    for caller in callers:
        assert await _chat(telegram, caller) == texts


async def test_a_message_that_changes_while_it_is_sent_ends_as_its_newest_content_once(
    rows: Rows, telegram: Telegram
) -> None:
    caller = await _reader(rows, telegram)
    async with _senders(rows, 2, telegram.url) as senders, _running(*senders):
        for number in range(30):
            await _put(rows, caller, "status", f"{number} of 30")
            for sender in senders:
                await sender.kick()
        await _all_shown(rows)
    assert await _chat(telegram, caller) == ["29 of 30"]


@pytest.mark.parametrize("kind", ["drop", "server_error", "bad_gateway_json", "flood"])
async def test_a_call_that_failed_is_made_again(rows: Rows, telegram: Telegram, kind: str) -> None:
    caller = await _reader(rows, telegram)
    await telegram.fault(kind, method="sendMessage", times=2, retry_after=1)
    await _put(rows, caller, "one", "слова")
    async with _senders(rows, 1, telegram.url) as senders, _running(*senders):
        await _all_shown(rows)
    assert await _chat(telegram, caller) == ["слова"]


async def test_a_message_under_way_when_the_process_ends_is_sent_once_and_known_to_be(
    rows: Rows, telegram: Telegram
) -> None:
    caller = await _reader(rows, telegram)
    await telegram.fault("delay", method="sendMessage", seconds=0.5)
    await _put(rows, caller, "one", "слова")
    async with _senders(rows, 1, telegram.url) as (sender,):
        async with asyncio.TaskGroup() as group:
            running = group.create_task(sender.run())
            await _under_way(rows)
            running.cancel()
    assert await rows.sql("SELECT shown_revision FROM outbox") == 1
    assert await _chat(telegram, caller) == ["слова"]


async def test_what_became_due_at_the_end_is_sent_before_the_process_goes(rows: Rows, telegram: Telegram) -> None:
    caller = await _reader(rows, telegram)
    async with _senders(rows, 1, telegram.url) as (sender,):
        await _put(rows, caller, "one", "слова")
        await sender.finish()
    assert await _chat(telegram, caller) == ["слова"]


async def test_a_message_of_an_unknown_form_stops_no_other(rows: Rows, telegram: Telegram) -> None:
    strange, other = await _reader(rows, telegram), await _reader(rows, telegram)
    for number, payload in enumerate(('{"view": {"text": 1}}', "[", '{"view": {"words": ""}, "later": 1}')):
        async with rows.transactions() as tx:
            await tx.outbox.put(OutgoingMessage(f"strange {number}", strange.chat.id, payload))
    await _put(rows, strange, "after them", "дальше")
    await _put(rows, other, "other", "слова")
    async with _senders(rows, 1, telegram.url) as senders, _running(*senders):
        await _all_shown(rows)
    assert await _chat(telegram, strange) == ["дальше"]
    assert await _chat(telegram, other) == ["слова"]


async def test_a_sender_waits_for_a_database_that_is_away(rows: Rows, telegram: Telegram) -> None:
    caller = await _reader(rows, telegram)
    await telegram.fault("delay", method="sendMessage", seconds=0.5)
    await _put(rows, caller, "one", "слова")
    async with _senders(rows, 1, telegram.url) as senders, _running(*senders):
        await _under_way(rows)
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        await rows.sql(f"SELECT count(pg_terminate_backend(pid)) {others}")
        await _all_shown(rows)
    assert await _chat(telegram, caller) == ["слова"]
